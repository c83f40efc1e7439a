import TripModel
import TripService

#if DEBUG
extension TripPage {
    static var faceComponents: [ComponentState] {
        typealias Sample = SampleTrip
        return [
            ComponentState("avatar", "here") { avatar(Sample.mia.id, name: Sample.mia.name) },
            ComponentState("avatar", "away") { avatar(Sample.mia.id, name: Sample.mia.name, isHere: false) },
            ComponentState("avatar", "you") { avatar(Sample.jie.id, name: Sample.jie.name, isYou: true) },
            ComponentState("avatar", "voted for") { avatar(Sample.noah.id, name: Sample.noah.name, badge: .for) },
            ComponentState("avatar", "voted against") {
                avatar(Sample.noah.id, name: Sample.noah.name, badge: .against)
            },
            ComponentState("avatar", "has not voted") {
                avatar(Sample.ana.id, name: Sample.ana.name, hasVoted: false)
            },
            ComponentState("avatar", "two names") { avatar(Sample.ana.id, name: Sample.ana.name) },
            ComponentState("avatar", "a second of that name") { avatar(Sample.lea.id, name: "Lea (2)") },
            ComponentState("avatar", "no capitals") { avatar(Sample.ming.id, name: Sample.ming.name) },
            ComponentState("avatar", "right to left") { avatar(Sample.noa.id, name: Sample.noa.name) },
            ComponentState("avatar", "every colour") {
                tag(.div, .class("avatar-row")) { everyHue.map { avatar($0, name: "Mia", badge: .for) } }
            },
            ComponentState("avatar", "every colour, away") {
                tag(.div, .class("avatar-row")) { everyHue.map { avatar($0, name: "Mia", isHere: false) } }
            },
            ComponentState("moment", "this year") { moment(Sample.now - Sample.day, state: Sample.state()) },
            ComponentState("moment", "another year") { moment(Sample.now - 400 * Sample.day, state: Sample.state()) },
            ComponentState("QR code", "a guest’s address") {
                qrPicture(Sample.code, label: "The address for guests as a QR code")
            },
        ]
    }

    /// An id of each hue, in their order.
    private static var everyHue: [ParticipantID] { (0..<hueCount).map { ParticipantID(high: 0, low: $0) } }

    static var memberComponents: [ComponentState] {
        typealias Sample = SampleTrip
        func row(_ state: String, _ person: MemberView, mayTakeOut: Bool = false) -> ComponentState {
            ComponentState("member row", state) {
                tag(.ul, .class("people")) { memberRow(person, mayTakeOut: mayTakeOut, state: Sample.state()) }
            }
        }
        return [
            row("you, founder", Sample.member(Sample.jie, depth: 0, sponsor: nil, devices: 2)),
            row("here, may be taken out", Sample.member(Sample.mia, depth: 1, sponsor: Sample.jie), mayTakeOut: true),
            row(
                "away",
                Sample.member(
                    Sample.ana, depth: 2, sponsor: Sample.mia, isHere: false,
                    lastHeard: Sample.now - 130 * Sample.minute)),
            row("not met yet", Sample.member(Sample.noa, depth: 3, sponsor: Sample.ana, isHere: false)),
            row(
                "guest", Sample.member(Sample.lea, depth: 1, sponsor: Sample.jie, isGuest: true, isHere: false),
                mayTakeOut: true),
            row(
                "taken out",
                Sample.member(
                    Sample.tom, depth: 1, sponsor: Sample.jie, isHere: false,
                    removal: RemovalView(.removed, by: "Jie", at: Sample.now - Sample.day))),
            row(
                "left",
                Sample.member(
                    Sample.tom, depth: 1, sponsor: Sample.jie, isHere: false,
                    removal: RemovalView(.left, at: Sample.now - Sample.day))),
            row(
                "long name",
                Sample.member(
                    .init(id: Sample.max.id, name: "Maximiliane-Konstantina von und zu Hohenzollern-Sigmaringen"),
                    depth: 4, sponsor: Sample.ana), mayTakeOut: true),
            ComponentState("members", "a tree of people") { membersView(Sample.state()) },
            ComponentState("members", "an invite let too many in") {
                membersView(
                    Sample.state {
                        $0.members = MembersView(
                            people: Array(Sample.members.people.prefix(2)),
                            overshotInvites: [.init(uses: 1, joined: 2)])
                    })
            },
            ComponentState("members", "as a guest sees it") {
                membersView(Sample.state { $0.viewer = Viewer(participant: Sample.lea.id, isGuest: true) })
            },
        ]
    }
}
#endif
