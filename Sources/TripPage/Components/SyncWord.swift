package import TripService

extension TripPage {
    /// Whether everyone has what stands here, in a word; it leads to the whole truth. The fragment `sync`.
    package static func syncWord(_ state: PageState) -> Fragment {
        let word = SyncWord(state.status)
        // A guest's page keeps nothing: what it shows lies with the host, and no more of the trip is told.
        let html =
            state.viewer.isGuest
            ? tag(.span, .id("sync"), .class("sync", "kept")) { "hosted on \(state.host)’s computer" }
            : tag(.div, .id("sync"), .class("sync", word.tone.rawValue)) {
                tag(.a, .href(address(.status, state: state))) {
                    tag(.span, .class("sync-sign"), .aria(.hidden, "true")) { word.tone.sign }
                    tag(.span, .plain(.dir, "auto")) { word.text }
                }
                tag(.span, .class("unseen"), .aria(.live, "polite")) { word.spoken }
            }
        return Fragment(id: "sync", html: html)
    }
}

/// What the sync word says.
package struct SyncWord: Hashable, Sendable {
    /// How it is with what stands here; each has a sign of its own beside its colour.
    package enum Tone: String, Hashable, Sendable {
        /// Everyone has it.
        case shared
        /// Some who are here do not have all of it yet, which passes by itself.
        case underway
        /// Who lacks something isn't here, and all of it is in a mailbox for them.
        case posted
        /// Nobody is here who could take it; it is on this disk.
        case kept
        /// Nothing can be written, or this person is out.
        case stuck

        var sign: String {
            switch self {
            case .shared: "✓"
            case .underway: "↻"
            case .posted: "✉"
            case .kept: "●"
            case .stuck: "!"
            }
        }
    }

    package let tone: Tone
    package let text: String

    package init(_ status: StatusView) {
        let known = status.devices.filter { $0.isMet || $0.lacks == 0 || $0.isServedByMailbox }
        let lacking = known.filter { $0.lacks > 0 }
        if let waiting = status.removal?.waiting {
            (tone, text) = (.kept, "only you see what you do until \(waiting.keeper) keeps you")
        } else if let removal = status.removal {
            (tone, text) = (.stuck, TripPage.explanation(of: removal))
        } else if status.writingProblem != nil {
            (tone, text) = (.stuck, "can’t save anything")
        } else if status.devices.isEmpty {
            (tone, text) = (.kept, "only you, saved on this computer")
        } else if known.isEmpty {
            (tone, text) = (.kept, "not met anyone yet, saved on this computer")
        } else if lacking.isEmpty {
            let isAll = known.count == status.devices.count
            (tone, text) = (.shared, "up to date with everyone" + (isAll ? "" : " you’ve met"))
        } else if lacking.allSatisfy({ $0.isServedByMailbox && !$0.isHere }) {
            let who = lacking.count == 1 ? lacking[0].words : "\(lacking.count) devices"
            (tone, text) = (.posted, "in the mailbox, not yet with \(who)")
        } else if !status.devices.contains(where: \.isHere) {
            let reason = status.discoveryProblem == nil ? "offline" : "can’t find the others"
            (tone, text) = (.kept, reason + ", saved on this computer")
        } else if lacking.count == 1 {
            (tone, text) = (.underway, Self.behind(lacking[0]))
        } else {
            (tone, text) = (.underway, "\(lacking.count) devices are behind")
        }
    }

    /// "Mia is 2 changes behind".
    package static func behind(_ device: DeviceStatus) -> String {
        "\(device.words) is \(TripPage.counted(device.lacks, "change")) behind"
    }

    /// What is spoken without being asked. A vote is on its way for a moment again and again, and nobody wants to hear of
    /// that each time: so it is the same as long as others are here.
    package var spoken: String {
        switch tone {
        case .shared, .underway, .posted: ""
        case .kept, .stuck: text
        }
    }
}
