import TripModel
import TripService

#if DEBUG
extension TripPage {
    static var historyComponents: [ComponentState] {
        let state = SampleTrip.state()
        return SampleTrip.changes.map { name, entry in
            ComponentState("history line", name) {
                historyLine(entry, names: state.history.names, state: state)
            }
        } + [
            ComponentState("history", "three days") {
                tag(.ol, .id("history"), .data(.list, "history")) {
                    history(
                        SampleTrip.state {
                            $0.trip = SampleTrip.trip(
                                [SampleTrip.casaDoRio, SampleTrip.stove], removed: [SampleTrip.removedHostel])
                        }
                    ).fragments.map(\.html)
                }
            },
            ComponentState("history", "empty") {
                historyHead(SampleTrip.state { $0.history = SampleTrip.history([]) })
            },
        ]
    }

    /// What tells how things stand: the sync word and what is behind it, toasts, trips, help, the first steps.
    static var wordComponents: [ComponentState] {
        syncComponents + toastComponents + [
            ComponentState("trips", "several") {
                tripsView(
                    SampleTrip.state {
                        $0.trips = [
                            trip("5eed00", "Lisbon in June", isInUse: true), trip("a01122", "Skiing"),
                            trip("b33445", "Rome, long ago", isOut: true), trip("c55667", "Asleep", isRunning: false),
                            TripEntry(
                                id: "d77889", title: nil, problem: "its key is locked by a passphrase", isInUse: false,
                                isOut: false, isRunning: false),
                        ]
                    })
            },
            ComponentState("help", "for a member") { helpView(SampleTrip.state()) },
            ComponentState("first run", "nothing yet") { firstRun(empty(company: false)) },
            ComponentState("first run", "friends are in") { firstRun(empty(company: true)) },
        ]
    }

    private static func trip(
        _ id: String, _ title: String, isInUse: Bool = false, isOut: Bool = false, isRunning: Bool = true
    ) -> TripEntry {
        TripEntry(id: id, title: title, problem: nil, isInUse: isInUse, isOut: isOut, isRunning: isRunning)
    }

    private static func empty(company: Bool) -> PageState {
        SampleTrip.state {
            $0.trip = TripView(title: SampleTrip.trip.title, participants: [], items: [], removedItems: [])
            if !company {
                $0.members = MembersView(people: Array(SampleTrip.members.people.prefix(1)), overshotInvites: [])
            }
        }
    }

    private static var syncComponents: [ComponentState] {
        let (mia, noah) = (SampleTrip.mia, SampleTrip.noah)
        let states: [(String, StatusView)] = [
            ("everyone has this", SampleTrip.statusOfAll),
            ("one may lack some", SampleTrip.status([SampleTrip.device(mia, lacks: 2), SampleTrip.device(noah)])),
            (
                "several may lack some",
                SampleTrip.status([SampleTrip.device(mia, lacks: 2), SampleTrip.device(noah, lacks: 1)])
            ),
            ("alone", SampleTrip.status([SampleTrip.device(mia, isHere: false, lacks: 2)])),
            (
                "in the mailbox",
                SampleTrip.status(
                    [SampleTrip.device(mia, isHere: false, lacks: 2, inMailbox: 2), SampleTrip.device(noah)],
                    mailboxes: SampleTrip.mailboxes)
            ),
            (
                "in part in the mailbox",
                SampleTrip.status(
                    [SampleTrip.device(mia, isHere: false, lacks: 3, inMailbox: 1)],
                    mailboxes: [SampleTrip.mailboxes[0]])
            ),
            ("nobody else is in", SampleTrip.status([])),
            ("out", SampleTrip.status([], removal: RemovalView(.removed, by: "Jie", at: SampleTrip.now))),
            (
                "nothing can be saved",
                SampleTrip.status(
                    [SampleTrip.device(mia)], discoveryProblem: "Avahi does not run here",
                    writingProblem: "the disk is full", inTwoPlaces: ["Noah"])
            ),
        ]
        return states.map { name, status in
            ComponentState("sync word", name) {
                syncWord(SampleTrip.state { $0.status = status }).html
            }
        } + [
            ComponentState("sync word", "for a guest") {
                syncWord(SampleTrip.state { $0.viewer = Viewer(participant: SampleTrip.lea.id, isGuest: true) }).html
            }
        ]
            + states.map { name, status in
                ComponentState("status", name) { statusView(SampleTrip.state { $0.status = status }) }
            }
    }

    private static var toastComponents: [ComponentState] {
        func state(_ name: String, _ toast: Toast?) -> ComponentState {
            ComponentState("toast", name) { self.toast(SampleTrip.state { $0.toast = toast }).html }
        }
        return [
            state("none", nil),
            state("done", Toast("Invite closed")),
            state(
                "with undo", Toast("Removed “Casa do Rio”", undo: .act(.restore, on: [SampleTrip.casaDoRio.shortID]))),
            state("a problem", Toast("There is nothing left of “Stove”: you cannot take 1 away", isProblem: true)),
        ]
    }
}
#endif
