import ChangeLog
import SyncEngine
import Testing
import TripModel
import TripRules
import TripService

@testable import CaravanNode

/// What people see of a log, and what follows from it.
struct ShownTripTests {
    /// What a node would be told to show of the changes at these indices.
    private func changes(_ indices: Range<Int>, of writer: LogWriter) -> [AppliedChange] {
        indices.map { writer.node.applied($0) }
    }

    private func events(_ outcomes: [ShownTrip.Outcome]) -> [TripEvent] {
        outcomes.compactMap { if case .tell(let event) = $0 { event } else { nil } }
    }

    @Test("what others do is new until it is seen; what this person does, and what was here before them, is not")
    func news() throws {
        var jie = try LogWriter(founding: "Jie")
        try jie.write(adding: "Before")
        var ana = try jie.admit("Ana").newcomer
        var shown = ShownTrip(cryptography: ana.cryptography)
        _ = shown.showAll(in: ana.node, seen: SeenChanges(end: 0))
        #expect(shown.newItems(since: SeenChanges(end: 0)) == [] && shown.newItems(since: nil) == nil)
        let seen = SeenChanges(end: ana.log.graph.count)
        let start = ana.log.graph.count
        var host = LogWriter(jie.secrets, ana.log, jie.cryptography)
        try host.write(adding: "Tent")
        ana.log = host.log
        try ana.write(adding: "Own")
        let all = changes(start..<start + 2, of: ana)
        let outcomes = shown.show(all, in: ana.node, seen: seen, isWatched: false)
        #expect(events(outcomes) == [.own])
        let tent = try #require(shown.trip.view.items.first { $0.title == "Tent" }).id
        #expect(shown.newItems(since: seen) == [tent])
        let after = shown.saw([tent], since: seen, now: ana.log.graph.count)
        let again = shown.saw([tent], since: after, now: ana.log.graph.count)
        #expect(after != nil && shown.newItems(since: after) == [] && again == nil)
    }

    @Test("those who listen are told of each change in order; where nobody listens, nothing is made for them")
    func watching() throws {
        var jie = try LogWriter(founding: "Jie")
        var shown = ShownTrip(cryptography: jie.cryptography)
        _ = shown.showAll(in: jie.node, seen: nil)
        let start = jie.log.graph.count
        for title in ["One", "Two"] { try jie.write(adding: title) }
        let all = changes(start..<start + 2, of: jie)
        var other = shown
        let told = events(shown.show(all, in: jie.node, seen: nil, isWatched: true))
        #expect(told.count == 2)
        let untold = other.show(all, in: jie.node, seen: nil, isWatched: false)
        let (view, same) = (shown.trip.view, other.trip.view)
        #expect(untold.isEmpty && view == same && shown.lastOwn?.hash == all[1].hash)
        #expect(shown.recent.last(2) == other.recent.last(2) && shown.recent.last(2).count == 2)
    }

    @Test("statements that count no more leave the history without all being shown again; content needs that")
    func statements() throws {
        var jie = try LogWriter(founding: "Jie")
        var ana = try jie.admit("Ana").newcomer
        let start = ana.log.graph.count
        try ana.write(.invite(Invite(seed: Bytes32(words: (1, 0, 0, 0)), uses: 7, expires: nil)))
        try ana.write(adding: "Tent")
        var shown = ShownTrip(cryptography: jie.cryptography)
        _ = shown.showAll(in: LogWriter(jie.secrets, ana.log, jie.cryptography).node, seen: nil)
        #expect(shown.recent.last(9).flatMap(\.events).contains(.invited(uses: 7, forOwnDevice: false)))
        // Jie removed her before he heard of either.
        _ = ana.log.receive([try jie.remove(ana)])
        let node = LogWriter(jie.secrets, ana.log, jie.cryptography).node
        #expect(!node.isShown(start) && !node.isShown(start + 1))
        let (outcomes, isEnough) = shown.follow(statementsAt: [start], in: node)
        #expect(isEnough && events(outcomes) == [.membership])
        #expect(!shown.recent.last(9).flatMap(\.events).contains(.invited(uses: 7, forOwnDevice: false)))
        let (_, isStillEnough) = shown.follow(statementsAt: [start, start + 1], in: node)
        #expect(!isStillEnough)
    }

    @Test("a person who was removed is told once")
    func removal() throws {
        var jie = try LogWriter(founding: "Jie")
        var ana = try jie.admit("Ana").newcomer
        var shown = ShownTrip(cryptography: ana.cryptography)
        let before = shown.followMembership(in: ana.node)
        try jie.remove(ana)
        ana.log = jie.log
        let told = events(shown.followMembership(in: ana.node))
        #expect(
            told.count == 1 && told.contains { if case .youAreOut(let view) = $0 { view.by == "Jie" } else { false } })
        let again = shown.followMembership(in: ana.node)
        #expect(before.isEmpty && again.isEmpty)
    }

    @Test("a wish list is read from notes to this person's devices, and written whole for a device that can't read it")
    func wishes() throws {
        var jie = try LogWriter(founding: "Jie")
        var shown = ShownTrip(cryptography: jie.cryptography)
        var entropy = SystemRandomNumberGenerator()
        let said = try shown.wishes.note(of: KeptWishes.adding([Wish(title: "Sauna")]), to: 1)
        let note = OwnNote.seal(said, to: [jie.secrets.device], using: &entropy, jie.cryptography)
        try jie.write(content: try TripReplica.content(noting: note))
        let index = jie.log.graph.count - 1
        let outcomes = shown.show(changes(index..<index + 1, of: jie), in: jie.node, seen: nil, isWatched: false)
        #expect(events(outcomes) == [.own] && shown.wishes.list.wishes.map(\.title) == ["Sauna"])
        #expect(!shown.wishes.lacksReaders(among: 1) && shown.wishes.lacksReaders(among: 2))
        // For one more device, a change of the list holds all of it.
        let more = KeptWishes.adding([Wish(title: "Kayak")])
        for (devices, count) in [(1, 1), (2, 2)] {
            var read = WishList()
            read.merge(try shown.wishes.note(of: more, to: devices))
            #expect(read.wishes.count == count)
        }
        let begun = [shown.wishes.beginWritingAll(), shown.wishes.beginWritingAll()]
        #expect(begun == [true, false])
    }
}
