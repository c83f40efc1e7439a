import TripService

extension TripPage {
    /// Who has what, and why not: the truth behind the sync word.
    static func statusView(_ state: PageState) -> HTML {
        let status = state.status
        let word = SyncWord(status)
        return tag(.section, .class("view", "status"), .aria(.labelledby, "status-title")) {
            tag(.h2, .id("status-title")) { "Sync" }
            tag(.p, .class("lead", word.tone.rawValue)) {
                tag(.span, .class("sync-sign"), .aria(.hidden, "true")) { word.tone.sign }
                tag(.span, .plain(.dir, "auto")) { word.text }
            }
            tag(.p) { explanation(of: word, status) }
            problems(status, state: state)
            if !state.viewer.isGuest { apartLink(status, state) }
            if !status.devices.isEmpty {
                tag(.ul, .class("devices")) {
                    for device in status.devices { deviceRow(device, state: state) }
                }
            }
            tag(.p, .class("hint"), .plain(.dir, "auto")) {
                "You’re \(ownName(status)). This device has \(counted(status.changes, "change"))"
                if let listening = status.listening {
                    listening.addresses.isEmpty
                        ? " and others can reach it at port \(listening.port)."
                        : " and others can reach it at \(listening.addresses.joined(separator: ", "))."
                } else {
                    ". No node is running here. Start one with caravan up."
                }
            }
            if !state.viewer.isGuest { archiveView(state) }
        }
    }

    /// That the reader is out, the page says already.
    private static func ownName(_ status: StatusView) -> String {
        let mark = " (out)"
        let isMarked = status.removal != nil && status.you.hasSuffix(mark)
        return isMarked ? String(status.you.dropLast(mark.count)) : status.you
    }

    private static func explanation(of word: SyncWord, _ status: StatusView) -> String {
        if let waiting = status.removal?.waiting {
            return "What you do is saved on this computer. Everyone gets it once \(waiting.keeper) keeps you."
        }
        // Others may have left, and a restored backup doesn't know them yet.
        if status.devices.isEmpty, status.removal == nil {
            return "Your changes are saved on this computer. As far as it knows, nobody else is in the trip"
                + (status.isArchived ? "." : ": invite somebody.")
        }
        return switch word.tone {
        case .shared where status.devices.allSatisfy(\.isMet): "Every device in this trip has everything you see."
        case .shared:
            "Every device that this one has met has everything you see. The others get it from you, or from somebody who has it."
        case .underway where status.discoveryProblem != nil:
            "Changes are sent to the devices that are connected with this one."
        case .underway: "Changes are sent automatically. You don’t need to do anything."
        case .posted: "Your changes are in the mailbox. The others get them when Caravan next runs on their computers."
        case .kept where !status.mailboxes.isEmpty:
            "Your changes are saved on this computer. They are sent as soon as the mailbox, or another device on your network, can take them."
        case .kept where status.discoveryProblem != nil:
            "Your changes are saved on this computer and will be sent as soon as another device connects with this one."
        case .kept:
            "Your changes are saved on this computer and will be sent as soon as another device is on your network."
        case .stuck: "You can still read everything you have."
        }
    }

    /// Why the viewer is out.
    static func explanation(of removal: RemovalView, you: String = "you") -> String {
        guard removal.waiting == nil, removal.reason != .deviceEnded else { return removal.explanation(you: you) }
        return removal.by.map { "\($0) removed you from this trip" } ?? "\(you) left this trip"
    }

    private static func problems(_ status: StatusView, state: PageState) -> [HTML] {
        var problems: [HTML] = []
        if let removal = status.removal {
            problems.append(
                tag(.p, .class("note", "problem"), .plain(.dir, "auto")) {
                    explanation(of: removal, you: "You") + ", "
                    moment(removal.at, state: state)
                    "."
                })
        }
        if let problem = status.writingProblem {
            problems.append(tag(.p, .class("note", "problem")) { "Can’t save anything: \(problem)" })
        }
        if let problem = status.discoveryProblem {
            let others =
                status.devices.contains(where: \.isHere)
                ? "The devices that are here stay connected. Caravan can’t find new ones now, and keeps trying."
                : "Can’t find other devices now. Caravan keeps trying."
            problems.append(tag(.p, .class("note", "warning")) { "\(others) The reason: \(problem)." })
        }
        problems += status.mailboxes.compactMap { mailbox in
            mailbox.problem.map { problem in
                tag(.p, .class("note", "warning"), .plain(.dir, "auto")) {
                    "Mailbox \(mailbox.address) doesn’t work: \(problem)."
                }
            }
        }
        if let photos = status.photos {
            let them = photos.missing == 1 ? "it" : "them"
            let whose =
                photos.holders.isEmpty
                ? status.mailboxes.isEmpty
                    ? "nobody here has \(them)"
                    : "open \(photos.missing == 1 ? "it" : "one") to ask for it through the mailbox"
                : "\(photos.holders.joined(separator: ", ")) can send \(them)"
            problems.append(
                tag(.p, .class("note", "warning"), .plain(.dir, "auto")) {
                    "\(counted(photos.missing, "photo")) not downloaded in full yet: \(whose)."
                })
        }
        let copied = status.othersInTwoPlaces.map {
            "\($0)’s device exists twice: somebody copied its home. Changes of both count."
        }
        let own = "This device exists twice: its home was copied. Changes of both count. Use only one of the copies."
        return problems
            + ((status.isInTwoPlaces == true ? [own] : []) + copied).map { text in
                tag(.p, .class("note", "warning"), .plain(.dir, "auto")) { text }
            }
    }

    /// Leads to the mailboxes, which matter to members who aren't here.
    private static func apartLink(_ status: StatusView, _ state: PageState) -> HTML {
        guard status.removal == nil, !status.devices.isEmpty else { return .none }
        var query = PageQuery()
        query.view = .members
        let link = Link.page(PagePath(["t", state.tripID, ""], query: query.pairs, part: apartID))
        return tag(.p) {
            tag(.a, .class("text"), .href(link)) {
                status.mailboxes.isEmpty ? "Add a mailbox, to sync while apart" : "Mailboxes"
            }
        }
    }

    private static func deviceRow(_ device: DeviceStatus, state: PageState) -> HTML {
        tag(.li, .class("device")) {
            tag(.strong, .plain(.dir, "auto")) { device.heading }
            tag(.p, .class("hint")) {
                if device.isHere {
                    tag(.span, .class("here")) {
                        tag(.span, .class("dot"), .aria(.hidden, "true"))
                        "here now"
                    }
                } else if let heard = device.lastHeard {
                    "last seen "
                    moment(heard, state: state)
                } else {
                    "not met yet"
                }
            }
            // What is retained here isn't all that a person who is out, or waits, has done.
            if state.status.removal == nil, device.isMet || device.lacks == 0 || device.isServedByMailbox {
                tag(.p, .class("hint", device.lacks == 0 ? "has" : "lacks")) {
                    device.lacks == 0 ? "✓ up to date" : "\(counted(device.lacks, "change")) behind"
                    if !device.isHere { inMailbox(device) }
                }
            }
        }
    }

    /// What of the changes that a device may lack is in a mailbox for it.
    private static func inMailbox(_ device: DeviceStatus) -> String {
        guard device.inMailbox > 0 else { return "" }
        return device.isServedByMailbox ? ", in the mailbox for them" : ", \(device.inMailbox) of them in the mailbox"
    }

    static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    /// "A, B and C".
    static func joined(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }
}
