import TripService

extension TripPage {
    /// Who has what, and why not: the truth behind the sync word.
    static func statusView(_ state: PageState) -> HTML {
        let status = state.status
        let word = SyncWord(status)
        return tag(.section, .class("view", "status"), .aria(.labelledby, "status-title")) {
            tag(.h2, .id("status-title")) { "Who has what" }
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
                "You are \(status.you). This device holds \(counted(status.changes, "change"))"
                if let listening = status.listening {
                    listening.addresses.isEmpty
                        ? ", and others reach it at port \(listening.port)."
                        : ", and others reach it at \(listening.addresses.joined(separator: ", "))."
                } else {
                    ". No node runs here: caravan up starts one."
                }
            }
        }
    }

    private static func explanation(of word: SyncWord, _ status: StatusView) -> String {
        if status.devices.isEmpty { return "All that you do is on this disk. Nobody else is in yet: invite somebody." }
        return switch word.tone {
        case .shared: "All that you do and see is on every device of this trip."
        case .underway: "It is on its way, by whoever is here. Nothing has to be done."
        case .kept: "All that you do is on this disk, and goes to the others as soon as one of them is near."
        case .stuck: "What you have stays readable."
        }
    }

    private static func problems(_ status: StatusView, state: PageState) -> [HTML] {
        var problems: [HTML] = []
        if let removal = status.removal {
            problems.append(
                tag(.p, .class("note", "problem"), .plain(.dir, "auto")) {
                    removal.by.map { "\($0) took you out, " } ?? "You left, "
                    moment(removal.at, state: state)
                    "."
                })
        }
        if let problem = status.writingProblem {
            problems.append(tag(.p, .class("note", "problem")) { "Nothing can be saved: \(problem)" })
        }
        if let problem = status.discoveryProblem {
            problems.append(
                tag(.p, .class("note", "warning")) {
                    "Others are not found by themselves: \(problem). It is tried again and again."
                })
        }
        if let photos = status.photos {
            let whose =
                photos.holders.isEmpty
                ? "nobody who is here has them" : "they come from \(photos.holders.joined(separator: ", "))"
            problems.append(
                tag(.p, .class("note", "warning"), .plain(.dir, "auto")) {
                    "\(counted(photos.missing, "photo")) not whole here yet: \(whose)."
                })
        }
        return problems
            + status.inTwoPlaces.map { name in
                tag(.p, .class("note", "warning"), .plain(.dir, "auto")) {
                    "\(name)’s device writes in two places: a copy of one home. Both count."
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
                    "last here "
                    moment(heard, state: state)
                } else {
                    "not met by this device yet"
                }
            }
            tag(.p, .class("hint", device.lacks == 0 ? "has" : "lacks")) {
                device.lacks == 0 ? "✓ has everything" : "may lack \(counted(device.lacks, "change"))"
            }
        }
    }

    static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
