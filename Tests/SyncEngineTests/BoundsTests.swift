import ChangeLog
import Convergence
import DeltaCRDT
import Sodium
import Testing

@testable import SyncEngine

/// What strangers and members may ask for, and what people hear when it is too much.
struct BoundsTests {
    let cryptography: SodiumCryptography

    init() throws {
        cryptography = try SodiumCryptography()
    }

    /// A node of a trip of its own, and what happens to it.
    struct Host {
        var node: SyncNode
        var generator = SeededGenerator(seed: 3)
        var time: UInt64 = 1_000
        var notices: [Notice] = []
        var closed: Set<ConnectionID> = []

        /// What is sent in answer.
        mutating func tell(_ event: Event) -> [UInt8] {
            var sent: [UInt8] = []
            for effect in effects(of: event) {
                switch effect {
                case .send(_, let bytes): sent += bytes
                case .notice(let notice): notices.append(notice)
                case .close(let id): closed.insert(id)
                default: break
                }
            }
            return sent
        }

        mutating func effects(of event: Event) -> [Effect] {
            node.handle(event, at: Now(monotonic: time, wall: 1_700_000_000_000), using: &generator)
        }

        mutating func accept(_ number: UInt64) -> ConnectionID {
            let id = ConnectionID(rawValue: number * 2 + 1)
            _ = tell(.accepted(id))
            return id
        }

        func count(_ bound: Bound) -> Int { notices.count { $0 == .reached(bound) } }
    }

    func initiator(
        _ person: DeviceSecrets, under key: Bytes32, _ generator: inout SeededGenerator
    ) -> any Handshake {
        cryptography.handshake(
            .initiator, prologue: Array("caravan 1".utf8), presharedKey: key, staticSecret: person.agreementSecret,
            ephemeralSecret: .random(using: &generator))
    }

    func host(members: Int = 0, _ change: (inout SessionLimits) -> Void) throws -> (Host, [DeviceSecrets]) {
        var generator = SeededGenerator(seed: 1)
        let (log, people) = try foundTrip(of: members + 1, using: &generator, cryptography)
        var limits = SessionLimits()
        change(&limits)
        let node = SyncNode(log: log, secrets: people[0], role: .member, cryptography: cryptography, limits: limits)
        return (Host(node: node), people)
    }

    /// Somebody who dials, shows a key under a psk, and says what follows.
    struct Caller {
        let id: ConnectionID
        var handshake: any Handshake
        var cipher: (any TransportCipher)?

        mutating func say(_ message: Message, to host: inout Host) -> [UInt8] {
            let encoded = message.encoding
            let header = [0, UInt8(encoded.count >> 8), UInt8(encoded.count & 255)]
            guard let sealed = cipher?.seal(header + encoded) else { return [] }
            return host.tell(.received(id, FrameReader.frame(sealed)))
        }
    }

    /// A call up to the third message; its cipher is nil where the node did not go on.
    func call(_ host: inout Host, _ number: UInt64, as secrets: DeviceSecrets, psk: Bytes32) throws -> Caller {
        var generator = SeededGenerator(seed: number)
        var caller = Caller(
            id: host.accept(number),
            handshake: initiator(secrets, under: psk, &generator))
        let answer = host.tell(.received(caller.id, FrameReader.frame(try caller.handshake.write([]))))
        guard !answer.isEmpty else { return caller }
        _ = try caller.handshake.read(Array(answer[2..<98]))
        _ = host.tell(.received(caller.id, FrameReader.frame(try caller.handshake.write([]))))
        if host.node.connectionIDs.contains(caller.id) { caller.cipher = caller.handshake.transport()?.sending }
        return caller
    }

    func stranger(_ number: UInt64) -> DeviceSecrets {
        var generator = SeededGenerator(seed: 1_000 + number)
        return DeviceSecrets(
            signingSeed: .random(using: &generator), agreementSecret: .random(using: &generator), using: cryptography)
    }

    // MARK: - Handshakes

    /// Whoever opens connections and says nothing keeps nobody else out.
    @Test func ofTooManyHandshakesTheOldestGivesWay() throws {
        var (host, people) = try host(members: 1) { $0.handshakesMax = 8 }
        let psk = try #require(host.node.log.newestEpoch).sessionKey
        for number in 0..<100 as Range<UInt64> {
            host.time += 1
            _ = host.accept(number)
            #expect(host.node.connectionIDs.count <= 8)
        }
        #expect(host.closed.count == 92)
        let caller = try call(&host, 100, as: people[1], psk: psk)
        #expect(caller.cipher != nil)
        #expect(host.node.sessions.map(\.device) == [people[1].device])
        // People hear of it once, and again when it goes on after a while.
        #expect(host.count(.handshakes) == 1)
        host.time += 60_000
        for number in 200..<220 as Range<UInt64> { _ = host.accept(number) }
        #expect(host.count(.handshakes) == 2)
    }

    /// One who has shown the key goes after all who have said nothing.
    @Test func aHandshakeThatIsUnderWayOutlastsSilentOnes() throws {
        var (host, people) = try host(members: 1) { $0.handshakesMax = 8 }
        let psk = try #require(host.node.log.newestEpoch).sessionKey
        var generator = SeededGenerator(seed: 5)
        let id = host.accept(0)
        var handshake = initiator(people[1], under: psk, &generator)
        let answer = host.tell(.received(id, FrameReader.frame(try handshake.write([]))))
        for number in 1..<50 as Range<UInt64> {
            host.time += 1
            _ = host.accept(number)
        }
        _ = try handshake.read(Array(answer[2..<98]))
        _ = host.tell(.received(id, FrameReader.frame(try handshake.write([]))))
        #expect(host.node.sessions.map(\.device) == [people[1].device])
    }

    /// Nobody is waited for whose message cannot be one, however much they promise.
    @Test func aWrongLengthEndsAHandshakeAtOnce() throws {
        var (host, people) = try host(members: 1) { _ in }
        for (number, length) in [0, 1, 47, 49, 63, 65, 65_535].enumerated() {
            let id = host.accept(UInt64(number))
            _ = host.tell(.received(id, [UInt8(length >> 8)]))
            #expect(!host.closed.contains(id))
            _ = host.tell(.received(id, [UInt8(length & 255)]))
            #expect(host.closed.contains(id), "\(length)")
        }
        let psk = try #require(host.node.log.newestEpoch).sessionKey
        var generator = SeededGenerator(seed: 5)
        let id = host.accept(100)
        var handshake = initiator(people[1], under: psk, &generator)
        #expect(!host.tell(.received(id, FrameReader.frame(try handshake.write([])))).isEmpty)
        _ = host.tell(.received(id, [255, 255]))
        #expect(host.closed.contains(id))
    }

    @Test func devicesThatNobodyLetInHaveFewSessions() throws {
        var (host, people) = try host(members: 1) { $0.unprovenSessionsMax = 3 }
        let psk = try #require(host.node.log.newestEpoch).sessionKey
        var open = 0
        for number in 0..<10 as Range<UInt64> {
            if try call(&host, number, as: stranger(number), psk: psk).cipher != nil { open += 1 }
        }
        #expect(open == 3)
        #expect(host.count(.unprovenSessions) == 1)
        // A member comes in all the same.
        #expect(try call(&host, 20, as: people[1], psk: psk).cipher != nil)
    }

    /// Those too who begin before others are through.
    @Test func sessionsUnderAnInviteAreFew() throws {
        var (host, _) = try host { $0.inviteSessionsMax = 3 }
        let invite = Invite(secret: stranger(99).signingSeed, uses: 100, expires: nil)
        _ = host.tell(.author(.membership(.invite(invite)), ticket: 0))
        let psk = Credential(inviteSecret: invite.secret, using: cryptography).sessionKey
        var callers: [(id: ConnectionID, handshake: any Handshake)] = []
        for number in 0..<8 as Range<UInt64> {
            var generator = SeededGenerator(seed: number)
            let id = host.accept(number)
            var handshake = initiator(stranger(number), under: psk, &generator)
            let answer = host.tell(.received(id, FrameReader.frame(try handshake.write([]))))
            _ = try handshake.read(Array(answer.dropFirst(2)))
            callers.append((id, handshake))
        }
        for index in callers.indices {
            let last = FrameReader.frame(try callers[index].handshake.write([]))
            _ = host.tell(.received(callers[index].id, last))
        }
        #expect(host.closed.count == 5)
        #expect(host.count(.inviteSessions) == 1)
        let late = try call(&host, 20, as: stranger(20), psk: psk)
        #expect(late.cipher == nil && host.closed.contains(late.id))
        // Their time is short, and then others come in.
        host.time += 10_000
        _ = host.tell(.woke)
        #expect(try call(&host, 21, as: stranger(21), psk: psk).cipher != nil)
    }

    /// A member may open as many as they like: everybody answers under so many, and says so many names.
    @Test func ofTooManyOpenInvitesTheFirstAreAnswered() throws {
        var (host, _) = try host { _ in }
        _ = host.tell(.listening(port: 4_000))
        var names = 0
        for number in 0..<20 as Range<UInt64> {
            let invite = Invite(secret: stranger(100 + number).signingSeed, uses: 1, expires: nil)
            let event = Event.author(.membership(.invite(invite)), ticket: 0)
            for case .advertise(let advertisements) in host.effects(of: event) { names = advertisements.count }
        }
        #expect(host.node.log.membership.openInvites(at: 0).count == 20)
        #expect(names == 1 + ChangeLimits.openInvitesMax)
        var answered = 0
        for number in 0..<20 as Range<UInt64> {
            let psk = Credential(inviteSecret: stranger(100 + number).signingSeed, using: cryptography).sessionKey
            let caller = try call(&host, number, as: stranger(number), psk: psk)
            if caller.cipher != nil { answered += 1 }
            _ = host.tell(.closed(caller.id))
        }
        #expect(answered == ChangeLimits.openInvitesMax)
        // Of those that are over the latest have names too; no shell has to find room for more.
        for number in 0..<8 as Range<UInt64> {
            let invite = Invite(secret: stranger(100 + number).signingSeed, uses: 1, expires: nil)
            let close = MembershipOperation.closeInvite(id: invite.id(using: cryptography))
            for case .advertise(let advertisements) in host.effects(
                of: .author(.membership(close), ticket: 0))
            { names = advertisements.count }
        }
        #expect(names == host.node.limits.publishedInstancesMax)
    }

    @Test func sessionsInAllAreBounded() throws {
        var (host, people) = try host(members: 6) { $0.sessionsMax = 4 }
        let psk = try #require(host.node.log.newestEpoch).sessionKey
        for (number, person) in people.dropFirst().enumerated() {
            _ = try call(&host, UInt64(number), as: person, psk: psk)
        }
        #expect(host.node.sessions.count == 4)
        #expect(host.count(.sessions) == 1)
        // One who comes again takes the place of the older session.
        host.time += 10
        #expect(try call(&host, 20, as: people[1], psk: psk).cipher != nil)
        #expect(host.node.sessions.count == 4)
    }

    /// First messages that claim to be some member's are held to every member's key: so only so many a second.
    @Test func claimsToBeAMemberWhoWasAwayAreLookedUpSoOften() throws {
        var (host, people) = try host(members: 4) { $0.pairLookupsMax = 20 }
        func claim(_ number: UInt64) throws -> (ConnectionID, [UInt8]) {
            var generator = SeededGenerator(seed: number)
            let pair = try #require(
                Credential(pairing: people[4].agreementSecret, with: people[0].device, using: cryptography))
            var handshake = initiator(people[4], under: pair.sessionKey, &generator)
            let message = try handshake.write([])
            let selector = pair.selector(try #require(Bytes32(message.prefix(32))), using: cryptography)
            return (host.accept(number), FrameReader.frame(selector.bytes + message))
        }
        for number in 0..<50 as Range<UInt64> {
            let id = host.accept(number)
            #expect(host.tell(.received(id, [0, 64] + [UInt8](repeating: UInt8(number), count: 64))).isEmpty)
        }
        #expect(host.count(.pairLookups) == 1)
        var (id, bytes) = try claim(100)
        #expect(host.tell(.received(id, bytes)).isEmpty)
        host.time += 1_000
        (id, bytes) = try claim(101)
        #expect(!host.tell(.received(id, bytes)).isEmpty)
    }

    // MARK: - Inside a session

    @Test func whatAnUnprovenDeviceHandsOverIsBoundedInBytes() throws {
        var (host, _) = try host { $0.unprovenBytesMax = 10_000 }
        let psk = try #require(host.node.log.newestEpoch).sessionKey
        var caller = try call(&host, 0, as: stranger(0), psk: psk)
        let own = host.node.log.changes.map(\.sealed)
        let bytes = own.reduce(0) { $0 + $1.count }
        for _ in 0..<10_000 / bytes { _ = caller.say(.changes(own), to: &host) }
        #expect(host.node.connectionIDs == [caller.id])
        _ = caller.say(.changes(own), to: &host)
        #expect(host.node.connectionIDs.isEmpty)
        #expect(host.count(.unprovenChanges) == 1)
    }

    /// What a peer says of replicas that nobody knows is not kept.
    @Test func locatorsOfUnknownReplicasAreForgotten() throws {
        var (host, people) = try host(members: 1) { _ in }
        let psk = try #require(host.node.log.newestEpoch).sessionKey
        var caller = try call(&host, 0, as: people[1], psk: psk)
        for number in 0..<500 as Range<UInt64> {
            _ = caller.say(.locator(ReplicaID(high: number, low: 1), []), to: &host)
        }
        _ = caller.say(.locator(people[0].device.replica, [host.node.log.changes[0].hash]), to: &host)
        #expect(host.node.connections[caller.id]?.session?.located.count == 1)
    }

    // MARK: - Discovery

    @Test func strangeNamesAreBounded() throws {
        var (host, _) = try host { $0.instancesMax = 50 }
        _ = host.tell(.listening(port: 4_000))
        for number in 0..<200 as Range<UInt64> {
            var generator = SeededGenerator(seed: number)
            let bytes = Bytes32.random(using: &generator).bytes.prefix(16)
            _ = host.tell(.appeared(instance: Base32.encode(Array(bytes))))
        }
        #expect(host.node.instances.count == 50)
        #expect(host.count(.instances) == 1)
    }
    /// A name that is made up is not even asked about. One that repeats a member's, and leads to somebody else, is dialled:
    /// they hear what nobody can know from noise, and the member is found all the same.
    @Test func aForgedNameCostsADialAndGivesNothingAway() throws {
        var (host, people) = try host(members: 1) { _ in }
        let epoch = try #require(host.node.log.newestEpoch)
        _ = host.tell(.listening(port: 4_000))
        func heard(_ event: Event) -> [Effect] {
            host.time += 300
            return host.effects(of: event)
        }
        func isAsked(_ name: InstanceName) -> Bool {
            heard(.appeared(instance: name.text)).contains {
                if case .resolve(name.text) = $0 { true } else { false }
            }
        }
        let own = InstanceName(credential: Credential(epoch: epoch), nonce: 7, using: cryptography)
        let otherTrips = Epoch(secret: stranger(5).signingSeed, using: cryptography)
        for number in 0..<64 as Range<UInt64> {
            let forged = InstanceName(
                credential: Credential(epoch: otherTrips), nonce: number, using: cryptography)
            #expect(!isAsked(forged))
        }
        let bytes = own.nonce + own.tag.map { $0 ^ 1 }
        #expect(!isAsked(try #require(InstanceName(Base32.encode(bytes)))))
        #expect(isAsked(own), "whoever repeats it cannot be told from its maker yet")

        let (forger, member) = (PeerAddress(host: "10.6.6.6", port: 1), PeerAddress(host: "10.0.0.2", port: 2))
        let effects = heard(.resolved(instance: own.text, addresses: [forger, member])) + heard(.woke)
        let dialled = effects.compactMap { if case .dial(let id, let address) = $0 { (id, address) } else { nil } }
        #expect(Set(dialled.map(\.1)) == [forger, member])
        func said(_ effects: [Effect]) -> [UInt8] {
            effects.flatMap { effect -> [UInt8] in if case .send(_, let bytes) = effect { bytes } else { [] } }
        }
        for (id, address) in dialled {
            let first = said(heard(.connected(id)))
            // An ephemeral key and a tag, of a length that is always the same.
            #expect(first.count == 2 + 48)
            if address == forger {
                for known in [epoch.id.bytes, host.node.log.trip.bytes, people[0].device.participant.bytes] {
                    #expect(!first.indices.contains { first[$0...].starts(with: known.prefix(8)) })
                }
                let answer = heard(.received(id, FrameReader.frame([UInt8](repeating: 9, count: 96))))
                #expect(said(answer).isEmpty)
                #expect(answer.contains { if case .close(id) = $0 { true } else { false } })
                continue
            }
            var handshake = cryptography.handshake(
                .responder, prologue: Array("caravan 1".utf8), presharedKey: epoch.sessionKey,
                staticSecret: people[1].agreementSecret, ephemeralSecret: .random(using: &host.generator))
            _ = try handshake.read(Array(first.dropFirst(2)))
            #expect(!said(heard(.received(id, FrameReader.frame(try handshake.write([]))))).isEmpty)
        }
        #expect(host.node.sessions.map(\.device) == [people[1].device])
    }
}
