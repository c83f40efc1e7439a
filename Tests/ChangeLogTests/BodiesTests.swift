import Convergence
import DeltaCRDT
import LogFixtures
import Testing
import TripSimulation

@testable import ChangeLog

/// Changes without their bodies: what is shown, what comes, and what goes for good.
struct BodiesTests {
    /// The founder and two friends who know of each other, and the changes of the first.
    private func group() throws -> (founder: Member, mallory: Member, friend: Member) {
        var founder = try Member.founder()
        var mallory = try founder.admit(2)
        var friend = try founder.admit(3)
        mallory.receive(from: founder)
        friend.receive(from: founder)
        return (founder, mallory, friend)
    }

    private func shown(_ log: TripLog) -> [Bytes32] {
        log.graph.changes.indices.filter { log.isShown($0) && log.graph[$0].digest != nil }.map { log.graph[$0].hash }
    }

    @Test(
        "what counts and came without its body is passed on, and shown once that comes; what stands on it does not wait"
    )
    func absent() throws {
        var (founder, mallory, friend) = try group()
        let withheld = try mallory.say(nil, [1])
        friend.receive(from: mallory)
        let onIt = try friend.say(nil, [2])
        let before = founder.log.frontier
        let received = founder.log.receive([withheld.head, onIt.record])
        #expect(received.refusal == nil && received.indices.count == 2)
        #expect(founder.log.frontier != before && shown(founder.log) == [onIt.hash])
        #expect(founder.log.lackingBodies == [received.indices.lowerBound])
        #expect(founder.log.absentBodies == AbsentBodies(count: 1, named: [withheld.hash]))
        let last = try founder.say(nil, [3])
        #expect(last.change.links.contains(onIt.hash) && Set(shown(founder.log)) == [onIt.hash, last.hash])
        let filled = founder.log.receive([withheld.record])
        #expect(filled.altered == [received.indices.lowerBound] && filled.effectivenessChanged == filled.altered)
        #expect(Set(shown(founder.log)) == [withheld.hash, onIt.hash, last.hash])
        #expect(founder.log.absentBodies == AbsentBodies())
    }

    @Test("of many absent bodies the first are named, in whatever order bodies come")
    func manyAbsent() throws {
        var (founder, mallory, _) = try group()
        let withheld = try (0..<600).map { try mallory.say(nil, [UInt8($0 % 256)]) }
        #expect(founder.log.receive(withheld.map(\.head)).refusal == nil)
        let order = [300, 599, 255] + Array(0..<255) + (256..<599).reversed().filter { $0 != 300 }
        for (count, index) in order.enumerated() {
            let first = founder.log.lackingBodies.sorted().prefix(AbsentBodies.namedMax)
            let named = first.map { founder.log.graph[$0].hash }
            #expect(founder.log.absentBodies == AbsentBodies(count: 600 - count, named: named))
            #expect(founder.log.receive([withheld[index].record]).altered.count == 1)
            if count % 50 == 0 { founder.log.checkInvariants() }
        }
        #expect(founder.log.absentBodies == AbsentBodies())
    }

    @Test("a change that was cut and counts again hides nothing that stands on it, though nobody has its body")
    func countsAgain() throws {
        var founder = try Member.founder()
        var elder = try founder.admit(2)
        var friend = try founder.admit(3)
        var other = try elder.admit(4)
        var phone = try elder.addDevice(5)
        let withheld = try other.say(nil, [1])
        phone.receive(from: other)
        try phone.say(.remove(participant: other.id, kept: [], grant: nil))
        let told = phone.changes.map { $0.hash == withheld.hash ? $0.head : $0.record }
        #expect(friend.log.receive(told).refusal == nil)
        #expect(!friend.isIn(other) && friend.log.lackingBodies.isEmpty)
        let act = try friend.say(nil, [2])
        #expect(shown(friend.log).contains(act.hash))
        let end = try elder.say(.end(replica: phone.replica, last: nil, grant: nil))
        #expect(friend.log.receive([end.record]).refusal == nil)
        #expect(friend.isIn(other) && friend.isEffective(withheld) && friend.log.lackingBodies.count == 1)
        #expect(shown(friend.log).contains(act.hash) && !shown(friend.log).contains(withheld.hash))
    }

    @Test("of somebody whose bodies are absent, a removal keeps what stands on none of these")
    func changesBeforeAbsentBodies() throws {
        var (founder, mallory, friend) = try group()
        let seen = try mallory.say(nil, [1])
        let withheld = try mallory.say(nil, [2])
        let onIt = try mallory.say(nil, [3])
        #expect(founder.log.changesBeforeAbsentBodies(of: mallory.id) == nil)
        #expect(founder.log.receive([seen.record, withheld.head, onIt.record]).refusal == nil)
        friend.receive(from: founder)
        _ = try friend.say(nil, [4])
        founder.receive(from: friend)
        let kept = founder.log.changesBeforeAbsentBodies(of: mallory.id)
        #expect(kept == [seen.hash] && founder.log.changesBeforeAbsentBodies(of: friend.id) == nil)
        let removal = try founder.say(.remove(participant: mallory.id, kept: kept, grant: nil))
        #expect(founder.isEffective(seen) && !founder.isEffective(withheld) && !founder.isEffective(onIt))
        #expect(founder.log.lackingBodies.isEmpty && founder.isEffective(removal))
    }

    @Test("a body of another change, or of the same with other bytes, is none of a change's")
    func otherBody() throws {
        var (founder, mallory, _) = try group()
        let (one, other) = (try mallory.say(nil, [1]), try mallory.say(nil, [2]))
        #expect(founder.log.receive([one.head]).refusal == nil)
        let forged = one.head + other.record[other.head.count...]
        #expect(founder.log.receive([forged]).refusal == .malformed(.notCanonical))
        #expect(founder.log.lackingBodies.count == 1)
    }

    @Test("bodies of what the founder's removal cuts go at once, and never come back; what others act on stays")
    func dropped() throws {
        var (founder, mallory, friend) = try group()
        let tent = try mallory.say(nil, [1])
        let junk = try mallory.say(nil, Array(repeating: 7, count: 10_000))
        friend.receive(from: mallory)
        let vote = try friend.say(nil, [2], about: [tent.hash])
        founder.receive(from: friend)
        let removal = try founder.say(.remove(participant: mallory.id, kept: [], grant: nil))
        friend.receive(from: founder)
        for log in [founder.log, friend.log] {
            let indices = [tent, junk, vote].compactMap { log.graph.index(of: $0.hash) }
            #expect(indices.map { log.isEffective($0) } == [false, false, true])
            #expect(indices.map { log.isUpheld($0) } == [true, false, false])
            #expect(indices.map { log.graph[$0].isWhole } == [true, false, true])
            #expect(log.graph[indices[1]].change.content.isEmpty && log.isRetained(indices[1]))
        }
        #expect(founder.log.receive([junk.record]).altered.isEmpty)
        // Somebody new takes the headers, and of the bodies what counts or is upheld.
        var newcomer = TripLog(trip: founder.log.trip, cryptography: Member.cryptography)
        let received = newcomer.receive(founder.log.retainedRecords(before: .max))
        #expect(received.refusal == nil && newcomer.lackingBodies.isEmpty)
        #expect(newcomer.frontier == founder.log.frontier && shown(newcomer) == shown(founder.log))
        #expect(newcomer.graph.index(of: removal.hash) != nil)
        #expect(founder.log.retainedRecords(before: .max).allSatisfy { $0.count < 5_000 })
    }

    @Test("what a change upholds is shown, though that change's body is absent")
    func upheldByWithheld() throws {
        var (founder, mallory, friend) = try group()
        let tent = try mallory.say(nil, [1])
        friend.receive(from: mallory)
        founder.receive(from: mallory)
        let vote = try friend.say(nil, [2], about: [tent.hash])
        #expect(founder.log.receive([vote.head]).refusal == nil)
        _ = try founder.say(.remove(participant: mallory.id, kept: [], grant: nil))
        #expect(shown(founder.log) == [tent.hash])
        #expect(founder.log.receive([vote.record]).refusal == nil)
        #expect(Set(shown(founder.log)) == [tent.hash, vote.hash])
    }

    @Test("a removal by somebody else drops nothing, for the founder's may void it")
    func voidable() throws {
        var (founder, mallory, friend) = try group()
        var other = try friend.admit(4)
        let tent = try other.say(nil, [1])
        friend.receive(from: other)
        founder.receive(from: friend)
        let removal = Statement.remove(participant: other.id, kept: [], grant: nil)
        #expect(try friend.log.write(removal, content: [], wallTime: 0, as: friend.secrets).added.altered.isEmpty)
        let index = try #require(friend.log.graph.index(of: tent.hash))
        #expect(!friend.log.isEffective(index) && friend.log.graph[index].isWhole)
        // The friend is removed by somebody who had not heard of that: the other's tent counts again.
        try founder.remove(friend)
        mallory.receive(from: founder)
        mallory.receive(from: friend)
        let again = try #require(mallory.log.graph.index(of: tent.hash))
        #expect(mallory.log.isShown(again))
    }

    @Test("bodies that come late, in any order, bring about what all would have brought at once", arguments: 1...40)
    func late(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let changes = RandomTrip(seed: UInt64(seed), count: 40).changes
        var whole = TripLog(trip: changes[0].change.trip, cryptography: RandomTrip.quick)
        #expect(whole.add(changes).refusal == nil)
        var log = TripLog(trip: changes[0].change.trip, cryptography: RandomTrip.quick)
        for change in shuffled(changes, using: &generator) {
            _ = log.receive([generator.below(2) == 0 ? change.head : change.record])
            log.checkInvariants()
        }
        for change in shuffled(changes, using: &generator) {
            _ = log.receive([change.record])
            log.checkInvariants()
        }
        #expect(log.lackingBodies.isEmpty && log.frontier == whole.frontier)
        #expect(Set(shown(log)) == Set(shown(whole)))
        #expect(log.newestEpoch == whole.newestEpoch)
    }
}
