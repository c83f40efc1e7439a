import Synchronization
import Testing
import TripModel
import TripService

@testable import PageServer
@testable import TripPage

/// What a page shows of what is known, for its owner and for guests.
struct TripScreenTests {
    private let codes = Codes()
    private let now = ContinuousClock.now

    /// Counts the codes that are drawn.
    private final class Codes: Sendable {
        let count = Mutex(0)
    }

    private func member(
        _ number: UInt64, _ name: String, isGuest: Bool = false, isYou: Bool = false, isOut: Bool = false
    ) -> MemberView {
        MemberView(
            id: ParticipantID(high: 0, low: number).description, name: name, depth: 1, sponsor: nil, isGuest: isGuest,
            isYou: isYou, isHere: false, removal: isOut ? RemovalView(.left, at: 0) : nil,
            mayBeKept: false, lastHeard: nil, devices: [])
    }

    private func screen() -> TripScreen {
        let people = [
            member(1, "Jie", isYou: true), member(2, "Noah"), member(3, "Mia", isOut: true),
            member(4, "Ana", isGuest: true),
            member(5, "Zoe", isGuest: true, isOut: true),
        ]
        let status = StatusView(
            title: "Lisbon", you: "Jie", changes: 9, listening: nil, discoveryProblem: "none", writingProblem: "full",
            removal: nil, devices: [], inTwoPlaces: ["Noah"], fetchesLinks: true)
        let entry = HistoryEntry(
            participant: ParticipantID(high: 0, low: 1),
            stamp: LamportTimestamp(lamport: 1, hash: ChangeHash(words: (0, 0, 0, 1))),
            wallTime: 0, events: [.founded])
        let invite = InviteView(
            number: 1, id: "12", link: "caravan:1", by: "Jie", uses: 1, left: 1, expires: nil, isForDevice: false,
            mailboxes: [], isAnswered: true, exposure: nil)
        let mirror = TripMirror(
            view: TripView(title: nil, participants: [], items: [], removedItems: []),
            members: MembersView(people: people, overshotInvites: []), status: status,
            history: HistoryView(entries: [entry], names: HistoryNames(people: [], items: [])), invites: [invite],
            entries: [TripEntry(id: "1", title: "Lisbon", problem: nil, isInUse: true, isOut: false, isRunning: true)])
        return TripScreen(
            trip: "1", calendar: "/c", door: GuestDoor(link: "http://x", code: nil, closes: 5, arrived: 0),
            mirror: mirror
        ) { [codes] _ in
            codes.count.withLock { $0 += 1 }
            return nil
        }
    }

    private func state(_ viewer: Viewer, _ query: PageQuery = PageQuery(), guestsHere: Set<String> = []) -> PageState {
        var screen = screen()
        return screen.state(
            for: viewer, query, guestsHere: guestsHere, at: WallTime(milliseconds: 7, secondsFromUTC: 0), now)
    }

    @Test("a guest sees who is in and when the door closes, and nothing of the history, the invites or this machine")
    func guest() {
        var query = PageQuery()
        query.view = .members
        let state = state(Viewer(participant: ParticipantID(high: 0, low: 4), isGuest: true), query)
        #expect(state.members.people.map(\.name) == ["Jie", "Noah", "Ana"])
        #expect(state.history.entries.isEmpty && state.trips.isEmpty && state.news.isEmpty && state.sources == nil)
        #expect(state.invite == nil && state.inviteCode == nil && state.calendar == nil && state.guests == nil)
        #expect(state.status.changes == 0 && state.status.inTwoPlaces.isEmpty && state.status.discoveryProblem == nil)
        #expect(state.status.writingProblem == "full" && state.guestsUntil == 5 && state.now == 7)
        #expect(state.query == query.forGuests && codes.count.withLock(\.self) == 0)
    }

    @Test("a guest who has not said who they are sees their host and the guests who were here before")
    func newGuest() {
        let state = state(Viewer(participant: nil, isGuest: true))
        #expect(state.members.people.map(\.name) == ["Jie", "Ana"])
    }

    @Test("the owner sees all of it, a guest as here only while their page is open, and codes where they are shown")
    func owner() {
        let viewer = Viewer(participant: ParticipantID(high: 0, low: 1))
        let away = state(viewer)
        #expect(away.members.people.count == 5 && away.members.people.allSatisfy { !$0.isHere })
        #expect(away.history.entries.count == 1 && away.trips.count == 1 && away.calendar == "/c")
        #expect(away.invite?.id == "12" && away.guests != nil && away.guestsUntil == nil && away.sources != nil)
        #expect(codes.count.withLock(\.self) == 0, "no code is drawn for a view without one")
        var query = PageQuery()
        query.view = .members
        let here = state(viewer, query, guestsHere: [ParticipantID(high: 0, low: 4).description])
        #expect(here.members.people.filter(\.isHere).map(\.name) == ["Ana"])
        #expect(codes.count.withLock(\.self) == 1)
    }

    @Test("land is looked up when a map is shown, and again only when a place changed")
    func land() {
        var screen = screen()
        var query = PageQuery()
        let cards = screen.pointsToLookUp(for: query)
        query.view = .map
        let map = [screen.pointsToLookUp(for: query), screen.pointsToLookUp(for: query)]
        let tower = SampleTrip.item(1, [.place: SampleTrip.value("38.69,-9.21")])
        screen.mirror.take(TripView(title: nil, participants: [], items: [tower], removedItems: []))
        let changed = [screen.pointsToLookUp(for: query), screen.pointsToLookUp(for: query)]
        #expect(cards == nil && map.map { $0?.count } == [0, nil] && changed.map { $0?.count } == [1, nil])
    }
}
