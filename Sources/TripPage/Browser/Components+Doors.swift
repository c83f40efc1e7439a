import TripModel
import TripService

#if DEBUG
extension TripPage {
    static var doorComponents: [ComponentState] {
        [
            ComponentState("invite", "none open") { inviteView(SampleTrip.state()) },
            ComponentState("invite", "open") { inviteView(invited()) },
            ComponentState("invite", "the last place, nobody answers") {
                inviteView(invited(left: 1, isAnswered: false))
            },
            ComponentState("invite", "two open") {
                var state = invited()
                state.earlierInvites = [
                    InviteView(
                        number: 1, id: "b2c3d4e5f6071829", link: "caravan:OTg3NjU0MzIxMA", by: SampleTrip.mia.name,
                        uses: 2,
                        left: 1, expires: nil, isForDevice: false, isAnswered: true)
                ]
                return inviteView(state)
            },
            ComponentState("invite", "for a guest") {
                inviteView(SampleTrip.state { $0.viewer = Viewer(participant: SampleTrip.lea.id, isGuest: true) })
            },
            ComponentState("guest door", "closed") { guestsView(SampleTrip.state()) },
            ComponentState("guest door", "open, nobody came") { guestsView(open(arrived: 0)) },
            ComponentState("guest door", "open, three came") { guestsView(open(arrived: 3)) },
            ComponentState("guest door", "always open") {
                guestsView(
                    SampleTrip.state {
                        $0.guests = GuestDoor(
                            link: "http://192.168.1.20:41234/enter/k7mqx4tzwp", code: SampleTrip.code, closes: nil,
                            arrived: GuestDoor.phonesMax)
                    })
            },
            ComponentState("guest door", "open, above other views") { doorNotice(open(arrived: 3)) ?? .none },
            ComponentState("meet when apart", "no mailbox") { apartView(SampleTrip.state()) },
            ComponentState("meet when apart", "one works, one does not") {
                apartView(SampleTrip.state { $0.status = SampleTrip.status([], mailboxes: SampleTrip.mailboxes) })
            },
            ComponentState("guest notice", "above a guest’s page") {
                guestNotice(SampleTrip.state { $0.guestsUntil = SampleTrip.now + 25 * SampleTrip.minute })
            },
            ComponentState("who are you", "guests came before") {
                whoView(SampleTrip.state { $0.viewer = Viewer(participant: nil, isGuest: true) })
            },
            ComponentState("who are you", "nobody came before") {
                whoView(
                    SampleTrip.state {
                        $0.viewer = Viewer(participant: nil, isGuest: true)
                        $0.members = MembersView(
                            people: [SampleTrip.member(SampleTrip.jie, depth: 0, sponsor: nil)], overshotInvites: [])
                    })
            },
        ]
    }

    private static func invited(left: Int = 5, isAnswered: Bool = true) -> PageState {
        SampleTrip.state {
            $0.invite = InviteView(
                number: 1, id: "a1b2c3d4e5f60718",
                link: "caravan:AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCkqKywtLi8wMTIzNDU2Nzg5",
                by: SampleTrip.jie.name, uses: 5, left: left, expires: SampleTrip.now + SampleTrip.day,
                isForDevice: false, isAnswered: isAnswered)
            $0.inviteCode = SampleTrip.code
        }
    }

    private static func open(arrived: Int) -> PageState {
        SampleTrip.state {
            $0.guests = GuestDoor(
                link: "http://192.168.1.20:41234/enter/k7mqx4tzwp", code: SampleTrip.code,
                closes: SampleTrip.now + 25 * SampleTrip.minute, arrived: arrived)
        }
    }
}
#endif
