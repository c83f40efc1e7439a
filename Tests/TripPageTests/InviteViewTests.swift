import Testing
import TripModel
import TripService

@testable import TripPage

/// The open invites under Members.
@Suite struct InviteViewTests {
    private typealias Sample = SampleTrip

    private func invite(_ id: String, left: Int, by person: Sample.Person = Sample.jie) -> InviteView {
        InviteView(
            number: 1, id: id, link: "caravan:\(id)", by: person.name, uses: 5, left: left, expires: nil,
            isForDevice: false, isAnswered: true)
    }

    @Test("every open invite is shown with its maker and its uses, and can be canceled")
    func invites() {
        let html = TripPage.inviteView(
            Sample.state {
                $0.invite = invite("a1b2c3d4e5f60718", left: 5)
                $0.earlierInvites = [
                    invite("b1b2c3d4e5f60718", left: 1, by: Sample.mia), invite("c1b2c3d4e5f60718", left: 3),
                ]
            })
        #expect(html.rendered.contains("2 more open invites"))
        #expect(html.rendered.contains("Made by Mia · 1 use left"))
        #expect(html.rendered.contains("Made by Jie · 3 uses left"))
        for id in ["a", "b", "c"] { #expect(html.values(of: .value).contains("\(id)1b2c3d4e5f60718")) }
        #expect(html.values(of: .value).contains("caravan:b1b2c3d4e5f60718"))
    }

    @Test("the first steps make an invite with one press and lead to it, or lead to the one that is open")
    func firstInvite() {
        let none = TripPage.firstRun(Sample.state { $0.trip = Sample.trip([]) })
        #expect(none.values(of: .value).contains("invite") && none.values(of: .value).contains("view=members"))
        let open = TripPage.firstRun(
            Sample.state {
                $0.trip = Sample.trip([])
                $0.invite = invite("a1b2c3d4e5f60718", left: 5)
            })
        #expect(!open.values(of: .value).contains("invite") && open.rendered.contains("view=members"))
        #expect(!open.rendered.contains("caravan:"))
    }

    @Test("an archived trip offers no invite, and says how it is reopened")
    func archivedInvite() {
        func text(_ change: (inout PageState) -> Void) -> String {
            TripPage.inviteView(
                Sample.state {
                    $0.status = StatusView(
                        title: "Lisbon in June", you: Sample.jie.name, changes: 1, listening: nil,
                        discoveryProblem: nil, writingProblem: nil, removal: nil, devices: [], inTwoPlaces: [],
                        isArchived: true)
                    change(&$0)
                }
            ).rendered
        }
        let reopen = "This trip is archived, so you can’t invite anybody."
        let none = text { _ in }
        #expect(none.contains(reopen) && !none.contains("<form"))
        // An open invite may be in the wrong hands.
        let open = text { $0.invite = invite("a1b2c3d4e5f60718", left: 5) }
        #expect(
            open.contains(reopen) && open.contains("1 open invite<")
                && open.contains("Anyone with the link can still join."))
        #expect(
            open.contains("value=\"close-invite\"") && !open.contains("value=\"invite\"") && !open.contains("caravan:"))
    }

    @Test("an invite of somebody who isn't below its reader has no button that would do nothing")
    func othersInvite() {
        func text(by person: Sample.Person) -> String {
            TripPage.inviteView(
                Sample.state {
                    $0.invite = invite("a1b2c3d4e5f60718", left: 5, by: person)
                    $0.viewer = Viewer(participant: Sample.mia.id)
                    $0.members = MembersView(
                        people: Sample.members.people.map {
                            MemberView(
                                id: $0.id, name: $0.name, depth: $0.depth, sponsor: $0.sponsor, isGuest: $0.isGuest,
                                isYou: $0.id == Sample.mia.id.description, isHere: $0.isHere, removal: $0.removal,
                                lastHeard: $0.lastHeard, devices: $0.devices)
                        }, overshotInvites: [])
                }
            ).rendered
        }
        for person in [Sample.mia, Sample.ana, Sample.noa] { #expect(text(by: person).contains("close-invite")) }
        for (person, words) in [
            (Sample.jie, "Only Jie can cancel it."), (Sample.noah, "Only Noah or Jie can cancel it."),
        ] {
            #expect(text(by: person).contains(words) && !text(by: person).contains("close-invite"))
        }
    }
}
