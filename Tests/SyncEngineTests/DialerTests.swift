import ChangeLog
import Convergence
import DeltaCRDT
import Sodium
import Testing

@testable import SyncEngine

/// Which peers a node dials, and when: the dialer without a node.
struct DialerTests {
    private var generator = SeededGenerator(seed: 1)

    private func address(_ number: Int) -> PeerAddress { PeerAddress(host: "10.0.0.\(number)", port: 4_000) }

    private func replica(_ number: Int) -> ReplicaID { ReplicaID(high: 0, low: UInt64(number)) }

    private func connection(_ number: Int) -> ConnectionID { ConnectionID(rawValue: UInt64(number)) }

    /// The founder is person 1, who invited person 2 and person 3. Devices with an odd number are of person 3's branch.
    private func line(_ replica: ReplicaID) -> [Bytes32] {
        [1, replica.low.isMultiple(of: 2) ? 2 : 3, 10 + replica.low].map { Bytes32(words: (0, 0, 0, $0)) }
    }

    private func contacts(_ all: [Contact]) -> Contacts { Contacts(all: all, line: line) }

    private func session(_ number: Int, with device: Int, isDialled: Bool = true, begun: UInt64 = 0) -> Contact {
        Contact(
            id: connection(number), isDialled: isDialled, begun: begun,
            peer: Contact.Peer(member: replica(device), incarnation: nil))
    }

    private func handshake(_ number: Int, isDialled: Bool = true, begun: UInt64 = 0) -> Contact {
        Contact(id: connection(number), isDialled: isDialled, begun: begun, peer: nil)
    }

    private func dialer(knowing count: Int = 0, _ change: (inout SessionLimits) -> Void = { _ in }) -> Dialer {
        var limits = SessionLimits()
        change(&limits)
        var dialer = Dialer(limits: limits)
        for number in 1..<count + 1 { dialer.add(address(number), isNamed: true, at: 0) }
        return dialer
    }

    private mutating func step(of dialer: inout Dialer, with all: [Contact] = [], at now: UInt64) -> Dialer.Step {
        dialer.look(at: contacts(all), isMember: true, at: now, using: &generator)
        return dialer.next(with: contacts(all), at: now, using: &generator)
    }

    // MARK: - A full mesh

    @Test("in a small group all due addresses are dialed at once, in ascending order")
    mutating func fullMesh() {
        var dialer = dialer(knowing: 3)
        #expect(step(of: &dialer, at: 1_000) == .dial([1, 2, 3].map(address)))
        #expect(!dialer.isCrowded)
        #expect(step(of: &dialer, at: 9_000) == .dial([]), "they are on their way")
    }

    @Test("no more dials are under way than the bound, and those that others began take no place of them")
    mutating func room() {
        var dialer = dialer(knowing: 5) { $0.handshakesMax = 3 }
        let others = (0..<10).map { handshake(2 * $0 + 1, isDialled: false) }
        #expect(dialer.room(with: contacts(others)) == 3)
        #expect(step(of: &dialer, with: others + [handshake(30)], at: 1_000) == .dial([1, 2].map(address)))
        let full = contacts(others + [30, 32, 34].map { handshake($0) })
        #expect(dialer.deadline(with: full, at: 1_000) == .max, "the end of a dial brings the next one")
        #expect(dialer.deadline(with: contacts(others), at: 1_000) == 1_001)
    }

    @Test("an address that led nowhere is dialed again after pauses that double up to a bound, or once asked to")
    mutating func backoff() {
        var dialer = dialer(knowing: 1)
        var (now, pauses) = (UInt64(1_000), [UInt64]())
        for number in 1...9 {
            #expect(step(of: &dialer, at: now) == .dial([address(1)]))
            dialer.dialling(address(1), as: connection(number))
            dialer.ended(connection(number), to: address(1), isElsewhere: false, wasWithMember: false, at: now)
            let due = dialer.deadline(with: contacts([]), at: now)
            #expect(step(of: &dialer, at: due - 1) == .dial([]))
            pauses.append(due - now)
            now = due
        }
        #expect(pauses == [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
        #expect(step(of: &dialer, at: now) == .dial([address(1)]))
        dialer.dialling(address(1), as: connection(91))
        dialer.ended(connection(91), to: address(1), isElsewhere: false, wasWithMember: false, at: now)
        dialer.retryNow(at: now)
        #expect(step(of: &dialer, at: now) == .dial([address(1)]))
    }

    @Test("a member with a session is dialed at none of its addresses, and soon at all of them after its last session")
    mutating func met() {
        var dialer = dialer(knowing: 2)
        for number in 1...2 { dialer.met(replica(7), at: address(number), now: 0) }
        #expect(step(of: &dialer, with: [session(2, with: 7, isDialled: false)], at: 1_000) == .dial([]))
        dialer.parted(from: replica(7), at: 1_000)
        #expect(step(of: &dialer, at: 1_249) == .dial([]))
        #expect(step(of: &dialer, at: 1_250) == .dial([address(1)]), "one at a time")
        #expect(step(of: &dialer, at: 1_499) == .dial([]))
        #expect(step(of: &dialer, at: 1_500) == .dial([address(2)]), "the next, since the first led nowhere so far")
    }

    @Test("on another network only addresses that a person named stay, beside those that are known there")
    mutating func moved() {
        var dialer = dialer(knowing: 1)
        dialer.add(address(2), isNamed: false, at: 0)
        dialer.moved(to: [address(3)], at: 5)
        #expect(dialer.addresses.entries.keys.sorted() == [1, 3].map(address))
    }

    @Test("a port that a member tells adds an address, and changes nothing that is known of an address")
    mutating func told() {
        var dialer = dialer(knowing: 1)
        dialer.met(replica(7), at: address(1), now: 0)
        dialer.said(replica(8), isAt: address(1), dialled: nil, now: 5)
        #expect(dialer.trace(of: address(1)).replica == replica(7), "another member is there")
        dialer.said(replica(8), isAt: address(2), dialled: address(1), now: 5)
        let trace = dialer.trace(of: address(2))
        #expect(trace.replica == replica(8) && trace.isNamed, "as the address that led to it")
    }

    // MARK: - A few of many

    @Test("with more nodes than a full mesh has, a node dials so many, and only as many as it lacks")
    mutating func few() {
        var dialer = dialer(knowing: 13)
        guard case .dial(let chosen) = step(of: &dialer, at: 1_000) else { return #expect(Bool(false)) }
        #expect(dialer.isCrowded)
        #expect(Set(chosen).count == 6 && chosen != chosen.sorted(), "chosen at random")
        let held = [2, 4, 6, 8].map { session($0, with: $0) }
        guard case .dial(let more) = step(of: &dialer, with: held, at: 1_001) else { return #expect(Bool(false)) }
        #expect(more.count == 2)
        let dials = held + [10, 12].map { handshake($0, begun: 1_001) }
        #expect(step(of: &dialer, with: dials, at: 1_002) == .dial([]), "those under way count for a moment")
        #expect(dialer.deadline(with: contacts(dials), at: 1_002) == 1_251)
        guard case .dial(let late) = step(of: &dialer, with: dials, at: 1_251) else { return #expect(Bool(false)) }
        #expect(late.count == 2, "and then no more")
    }

    @Test("of too many sessions that a node dialed, one of the largest branch ends, and not the newest")
    mutating func surplus() {
        var dialer = dialer(knowing: 13)
        let held = [2, 4, 3, 5, 7, 9, 11].enumerated().map { session(2 * $0.offset + 2, with: $0.element) }
        var ended: Set<ConnectionID> = []
        for _ in 0..<50 {
            guard case .hangUp(let id) = step(of: &dialer, with: held, at: 1_000) else { return #expect(Bool(false)) }
            ended.insert(id)
        }
        #expect(ended == Set([6, 8, 10, 12].map(connection)))
        let few = [2, 4, 6, 3, 5, 7].enumerated().map { session(2 * $0.offset + 2, with: $0.element) }
        #expect(step(of: &dialer, with: few, at: 1_000) == .dial([]))
    }

    @Test("once in an interval one more peer is dialed, in place of one that then ends; sooner if a peer fell silent")
    mutating func replacing() {
        let held = [2, 4, 6, 3, 5, 7].enumerated().map { session(2 * $0.offset + 2, with: $0.element) }
        for isSilent in [false, true] {
            var dialer = dialer(knowing: 13)
            for number in 1...13 { dialer.met(replica(20 + number), at: address(number), now: 0) }
            if isSilent { dialer.suspectParting(at: 1_000) }
            #expect(step(of: &dialer, with: held, at: 1_000) == .dial([]))
            let due = dialer.deadline(with: contacts(held), at: 1_000)
            #expect((isSilent ? 31_000...46_000 : 301_000...451_000).contains(due))
            #expect(step(of: &dialer, with: held, at: due - 1) == .dial([]))
            guard case .dial(let one) = step(of: &dialer, with: held, at: due) else { return #expect(Bool(false)) }
            #expect(one.count == 1)
            let more = held + [session(20, with: 9)]
            guard case .hangUp(let id) = step(of: &dialer, with: more, at: due + 1) else { return #expect(Bool(false)) }
            #expect(id != connection(20))
        }
    }

    @Test("a node whose dialed peers are mostly of one branch dials one more, of another branch if one waits")
    mutating func fairness() {
        let held = [3, 5, 7, 9, 11, 2].enumerated().map { session(2 * $0.offset + 2, with: $0.element) }
        var dialer = dialer(knowing: 13)
        for number in 1...13 { dialer.met(replica(21 + 2 * number), at: address(number), now: 0) }
        #expect(step(of: &dialer, with: held, at: 100_000) == .dial([]), "all that wait are of that branch too")
        dialer.met(replica(40), at: address(5), now: 0)
        #expect(step(of: &dialer, with: held, at: 100_001) == .dial([]), "not again so soon")
        #expect(step(of: &dialer, with: held, at: 101_000) == .dial([address(5)]))
    }

    // MARK: - Places of accepted sessions

    @Test(
        "an accepted session beyond the bound takes the place of the latest in a larger branch, or an old one in its own"
    )
    mutating func places() {
        func place(_ all: [Contact], at now: UInt64) -> Contacts.Place {
            contacts(all).place(for: connection(99), at: now, limits: SessionLimits(), using: &generator)
        }
        let many = (0..<11).map { session(2 * $0 + 1, with: 2 * $0 + 3, isDialled: false, begun: UInt64($0)) }
        let own = session(99, with: 2, isDialled: false, begun: 1_000)
        #expect(place(many + [own], at: 1_000) == .free)
        let full = many + [session(51, with: 4, isDialled: false, begun: 900)]
        #expect(place(full + [own], at: 1_000) == .inPlaceOf(connection(21)), "the branch that has too many")
        let same = session(99, with: 77, isDialled: false, begun: 1_000)
        #expect(place(full + [same], at: 29_999) == .none)
        #expect(place(full + [same], at: 30_000) == .inPlaceOf(connection(1)), "the only one that is old enough")
        #expect(place(full + [session(99, with: 77, begun: 1_000)], at: 1_000) == .free, "that has its own bound")
    }

    // MARK: - Names

    @Test("names of unknown makers are bounded, and those of members beyond their bound are a random choice")
    mutating func names() throws {
        let cryptography = try SodiumCryptography()
        let maker = Credential(inviteSecret: Bytes32(words: (1, 2, 3, 4)), using: cryptography)
        var dialer = dialer { ($0.instancesMax, $0.memberInstancesMax) = (2, 10) }
        func appear(_ name: String, _ maker: Credential?) -> Dialer.Appearance {
            dialer.appeared(name, madeBy: maker, at: 0, using: &generator)
        }
        #expect(["a", "b", "c"].map { appear($0, nil) } == [.noted, .noted, .tooMany])
        #expect((0..<10).map { appear("m\($0)", maker) } == Array(repeating: .held, count: 10))
        let later = (10..<110).map { appear("m\($0)", maker) }
        #expect(dialer.names.knownCount == 10 && dialer.names.unknownCount == 2)
        #expect(later.count { $0 == .passedOver } > 50 && later.count { $0 == .held } > 10)
        #expect(Set(later) == [.passedOver, .held])
    }

    @Test("of the addresses behind a name only those are dialed that its maker stated, also if its key comes later")
    mutating func stated() throws {
        let cryptography = try SodiumCryptography()
        let maker = Credential(inviteSecret: Bytes32(words: (1, 2, 3, 4)), using: cryptography)
        for comesLater in [false, true] {
            let name = InstanceName(credential: maker, nonce: 5, using: cryptography)
            var dialer = dialer()
            _ = dialer.appeared(name.text, madeBy: comesLater ? nil : maker, at: 0, using: &generator)
            let tag = try #require(name.addressTag(of: address(1), maker, using: cryptography))
            let found = [ServiceAddress(address(1), tags: [tag]), ServiceAddress(address(2), tags: [tag])]
            dialer.resolved(name.text, found, at: 0, using: cryptography)
            #expect(dialer.addresses.entries.isEmpty == comesLater)
            if comesLater { dialer.recognise(name.text, madeBy: maker, at: 0, using: cryptography) }
            #expect(Array(dialer.addresses.entries.keys) == [address(1)])
            dialer.disappeared(name.text)
            #expect(dialer.addresses.entries.isEmpty, "nobody was met there")
        }
    }

    @Test("names are looked up a few at once, then one after the other, and again after pauses that grow")
    mutating func lookUps() {
        var dialer = dialer { $0.lookupsAtOnceMax = 3 }
        for number in 0..<5 { _ = dialer.appeared("n\(number)", madeBy: nil, at: 0, using: &generator) }
        let first = dialer.lookUps(at: 0, using: &generator)
        #expect(Set(first).count == 3)
        #expect(dialer.nextLookup(at: 0) == 100)
        #expect(dialer.lookUps(at: 99, using: &generator).isEmpty)
        let rest = dialer.lookUps(at: 100, using: &generator) + dialer.lookUps(at: 200, using: &generator)
        #expect(Set(first + rest).count == 5)
        #expect(dialer.nextLookup(at: 200) == 15_000)
    }
}
