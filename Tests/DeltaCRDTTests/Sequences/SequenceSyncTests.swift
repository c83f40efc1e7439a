import DeltaCRDT
import TestTiers
import Testing

/// Texts, lists and trees do what sets and maps do: sessions, one delta of many acts, checkpoints, and events with two contents.
@Suite struct SequenceSyncTests {
    struct Subject: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let endAlike: @Sendable (_ seed: UInt64) throws -> Void
        let refuseDamage: @Sendable (_ seed: UInt64) throws -> Void
        let tellWhatWasDone: @Sendable (_ seed: UInt64) throws -> Void

        init<S: Specimen>(_ name: String, _ specimen: S.Type) where S.State: SyncableState {
            testDescription = name
            endAlike = { try SequenceSyncTests.endAlike(S.self, $0) }
            refuseDamage = { try SequenceSyncTests.refuseDamage(S.self, $0) }
            tellWhatWasDone = { SequenceSyncTests.tellWhatWasDone(S.self, $0) }
        }
    }

    static let subjects = [
        Subject("Text", TextSpecimen.self), Subject("List", ListSpecimen.self),
        Subject("RichText", FormattingSpecimen<RichText>.self),
        Subject("MovableList", MovableListSpecimen.self), Subject("Tree", TreeSpecimen.self),
        Subject("AddWinsSet", AddWinsSetSpecimen.self),
    ]

    private static let names = [ReplicaID(high: 7, low: 1), ReplicaID(high: 7, low: 2)]

    @Test("two that act while messages are on their way, and lose connections, end alike", arguments: subjects)
    func sidesEndAlike(subject: Subject) throws { for seed in 0..<6 { try subject.endAlike(UInt64(seed)) } }

    @Test("so do they in many histories", .tags(.slow), arguments: subjects)
    func sidesEndAlikeOften(subject: Subject) throws {
        for seed in 6..<200 { try subject.endAlike(UInt64(seed)) }
    }

    private static func endAlike<S: Specimen>(_ subject: S.Type, _ seed: UInt64) throws where S.State: SyncableState {
        var random = SplitMix64(seed: seed)
        var states = [S.State(), S.State()]
        var sessions = [SyncSession<S.State>(), SyncSession<S.State>()]
        var inboxes: [[[UInt8]]] = [[], []]
        func act(_ side: Int) {
            _ = S.perform(S.operation(&random), on: &states[side], by: names[side])
        }
        func send(_ side: Int) -> Bool {
            guard let message = sessions[side].message(for: states[side]) else { return false }
            inboxes[1 - side].append(message)
            return true
        }
        func receive(_ side: Int) throws -> Bool {
            guard !inboxes[side].isEmpty else { return false }
            var conflicts = CausalContext()
            try sessions[side].receive(inboxes[side].removeFirst(), into: &states[side], conflicts: &conflicts)
            #expect(conflicts.isEmpty)
            return true
        }
        for _ in 0..<random.below(60) { act(random.below(2)) }
        for connection in 0..<3 {
            for _ in 0..<40 {
                let side = random.below(2)
                switch random.below(4) {
                case 0: act(side)
                case 1: _ = send(side)
                default: _ = try receive(side)
                }
            }
            if connection < 2 {
                inboxes = [[], []]
                sessions = [SyncSession(), SyncSession()]
            }
        }
        var steps = 0
        while try send(0) || send(1) || receive(0) || receive(1) {
            steps += 1
            try #require(steps < 200)
        }
        #expect(states[0] == states[1] && S.view(states[0]) == S.view(states[1]))
        #expect(states[0].encoded() == states[1].encoded())
    }

    @Test(
        "a message that is cut off or altered is refused and changes nothing, or leaves a state that can be read",
        arguments: subjects)
    func damagedMessages(subject: Subject) throws { for seed in 0..<3 { try subject.refuseDamage(UInt64(seed)) } }

    @Test("so are many more", .tags(.slow), arguments: subjects)
    func manyDamagedMessages(subject: Subject) throws {
        for seed in 3..<60 { try subject.refuseDamage(UInt64(seed)) }
    }

    private static func refuseDamage<S: Specimen>(_ subject: S.Type, _ seed: UInt64) throws
    where S.State: SyncableState {
        var random = SplitMix64(seed: seed)
        var (mine, theirs) = (S.State(), S.State())
        for _ in 0..<12 {
            _ = S.perform(S.operation(&random), on: &mine, by: names[0])
            _ = S.perform(S.operation(&random), on: &theirs, by: names[1])
        }
        var (here, there) = (SyncSession<S.State>(), SyncSession<S.State>())
        let hello = here.message(for: mine)
        try there.receive(try #require(hello), into: &theirs)
        let answer = there.message(for: theirs)
        let message = try #require(answer)
        let before = mine
        for length in 0..<message.count {
            var session = here
            #expect(throws: DecodingFailure.self) {
                try session.receive(Array(message.prefix(length)), into: &mine)
            }
            #expect(mine == before)
        }
        for _ in 0..<200 {
            var (session, state) = (here, mine)
            let forgery = Forgery.forged(message, &random)
            do throws(DecodingFailure) {
                try session.receive(forgery, into: &state)
                #expect((try? S.State(decoding: state.encoded())) == state)
                if let answer = session.message(for: state) {
                    var (other, peer) = (there, theirs)
                    try other.receive(answer, into: &peer)
                }
            } catch {
                #expect(state == mine)
            }
        }
    }

    @Test("an update and a checkpoint tell all that was done, and nothing more", arguments: subjects)
    func updatesTell(subject: Subject) throws { for seed in 0..<30 { try subject.tellWhatWasDone(UInt64(seed)) } }

    private static func tellWhatWasDone<S: Specimen>(_ subject: S.Type, _ seed: UInt64) where S.State: SyncableState {
        var random = SplitMix64(seed: seed)
        var (state, peer) = (S.State(), S.State())
        for _ in 0..<random.below(20) { _ = S.perform(S.operation(&random), on: &state, by: names[0]) }
        for _ in 0..<random.below(20) { _ = S.perform(S.operation(&random), on: &peer, by: names[1]) }
        let (before, checkpoint) = (state, state.checkpoint)
        var inner = S.State()
        let delta = state.update { state in
            for _ in 0..<3 { _ = S.perform(S.operation(&random), on: &state, by: names[0]) }
            inner = state.update { state in
                for _ in 0..<random.below(3) { _ = S.perform(S.operation(&random), on: &state, by: names[0]) }
            }
            if random.below(2) == 0 { state.merge(peer) }
            state.update(by: names[0]) { _ = S.perform(S.operation(&random), on: &$0.state, by: $0.replica) }
        }
        #expect(before.merging(delta) == state && delta.merging(inner) == delta)
        #expect(before.merging(state.delta(since: checkpoint)) == state)
        #expect(delta.context.subtracting(state.context).isEmpty)
        #expect(state.update { _ in } == S.State())
        #expect(state.delta(since: state.checkpoint) == S.State())
    }

    @Test("a removal that was forgotten since a checkpoint is told all the same")
    func longRemovalsAreTold() {
        var text = Text()
        text.insert(String(repeating: "a long plan ", count: 1000), at: 0, by: Self.names[0])
        let (before, checkpoint) = (text, text.checkpoint)
        for _ in 0..<3000 { text.remove(1..<2) }
        text.remove(0..<4000)
        let delta = text.delta(since: checkpoint)
        #expect(before.merging(delta) == text && delta.encoded().count < 200)
    }

    @Test("elements that were given to two contents or two places are named, and no others")
    func conflictsAreNamed() {
        let name = Self.names[0]
        func conflicts(_ mine: Text, _ theirs: Text) -> [String] {
            var (found, back) = (CausalContext(), CausalContext())
            var joined = mine
            joined.merge(theirs, conflicts: &found)
            joined = theirs
            joined.merge(mine, conflicts: &back)
            #expect(found == back)
            return found.ranges
        }
        var (mine, theirs) = (Text(), Text())
        mine.insert("Lisbon in Juné", at: 0, by: name)
        theirs.insert("Lisbon in Mayé", at: 0, by: name)
        #expect(conflicts(mine, theirs) == ["11...13"])
        #expect(conflicts(mine, mine) == [] && conflicts(mine, Text()) == [])
        theirs.remove(11..<12)
        #expect(conflicts(mine, theirs) == ["11...11", "13...13"])
        // One event, at two places.
        var base = Text()
        base.insert("ab", at: 0, by: Self.names[1])
        (mine, theirs) = (base, base)
        mine.insert("éx", at: 0, by: name)
        theirs.insert("éx", at: 2, by: name)
        #expect(conflicts(mine, theirs) == ["1...1"])
        theirs.remove(2..<4)
        #expect(conflicts(mine, theirs) == [])
        var (one, two) = (List<String>(), List<String>())
        one.insert(contentsOf: ["tent", "rope"], at: 0, by: name)
        two.insert(contentsOf: ["tent", "stove"], at: 0, by: name)
        var found = CausalContext()
        one.merge(two, conflicts: &found)
        #expect(found.ranges == ["2...2"])
    }

    @Test("a writer needs no name at each call") func writersAct() {
        let name = Self.names[0]
        var text = Text()
        text.update(by: name) {
            $0.insert("Lisbon", at: 0)
            $0.replace(0..<1, with: "l")
            $0.remove(5..<6)
        }
        #expect(text.string == "lisbo")
        var list = List<String>()
        list.update(by: name) {
            $0.append("rope")
            $0.insert("tent", at: 0)
            $0.insert(contentsOf: ["stove", "lamp", "map"], at: 1)
            $0.remove(at: 0)
            $0.removeSubrange(1..<3)
        }
        #expect(list.elements == ["stove", "rope"])
        var days = MovableList<String>()
        days.update(by: name) {
            $0.insert(contentsOf: ["museum", "beach", "castle"], at: 0)
            $0.move(from: 2, to: 0)
            $0.remove(at: 1)
        }
        #expect(days.elements == ["castle", "beach"])
        var tree = Tree()
        let delta = tree.update(by: name) {
            let maps = $0.insert(under: nil)
            let photos = $0.insert(under: maps)
            $0.move(photos, under: nil)
            $0.remove(maps)
        }
        #expect(tree.hierarchy.children(of: nil) == [Dot(replica: name, counter: 2)] && delta == tree)
    }
}

extension CausalContext {
    /// Its ranges of counters, as they are written in Swift.
    fileprivate var ranges: [String] {
        var ranges: [String] = []
        forEachRange { ranges.append("\($1.lowerBound)...\($1.upperBound)") }
        return ranges
    }
}
