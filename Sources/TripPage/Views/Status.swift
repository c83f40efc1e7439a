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
            if !status.devices.isEmpty {
                tag(.ul, .class("devices")) {
                    for device in status.devices { deviceRow(device, state: state) }
                }
            }
            tag(.p, .class("hint"), .plain(.dir, "auto")) {
                "You’re \(status.you). This device has \(counted(status.changes, "change"))"
                if let listening = status.listening {
                    listening.addresses.isEmpty
                        ? " and others can reach it at port \(listening.port)."
                        : " and others can reach it at \(listening.addresses.joined(separator: ", "))."
                } else {
                    ". No node is running here. Start one with caravan up."
                }
            }
        }
    }

    private static func explanation(of word: SyncWord, _ status: StatusView) -> String {
        if let waiting = status.removal?.waiting {
            return "What you do is saved on this computer. Everyone gets it once \(waiting.keeper) keeps you."
        }
        if status.devices.isEmpty {
            return "Your changes are saved on this computer. Nobody else has joined yet: invite somebody."
        }
        return switch word.tone {
        case .shared: "Every device in this trip has everything you see."
        case .underway: "Changes are sent automatically. You don’t need to do anything."
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
            problems.append(
                tag(.p, .class("note", "warning")) {
                    "Can’t find other devices automatically: \(problem). Caravan keeps trying."
                })
        }
        if let photos = status.photos {
            let whose =
                photos.holders.isEmpty
                ? "nobody here has them" : "\(photos.holders.joined(separator: ", ")) can send them"
            problems.append(
                tag(.p, .class("note", "warning"), .plain(.dir, "auto")) {
                    "\(counted(photos.missing, "photo")) not downloaded in full yet: \(whose)."
                })
        }
        return problems
            + status.inTwoPlaces.map { name in
                tag(.p, .class("note", "warning"), .plain(.dir, "auto")) {
                    "\(name)’s device exists twice: somebody copied its home. Changes of both count."
                }
            }
    }

    private static func deviceRow(_ device: DeviceStatus, state: PageState) -> HTML {
        tag(.li, .class("device")) {
            tag(.strong, .plain(.dir, "auto")) { device.label }
            if device.isYours { tag(.span, .class("tag")) { "yours" } }
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
                    "not seen by this device yet"
                }
            }
            // What is retained here isn't all that a person who is out, or waits, has done.
            if state.status.removal == nil {
                tag(.p, .class("hint", device.lacks == 0 ? "has" : "lacks")) {
                    device.lacks == 0 ? "✓ up to date" : "\(counted(device.lacks, "change")) behind"
                }
            }
        }
    }

    static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
