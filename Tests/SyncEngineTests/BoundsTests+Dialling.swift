import ChangeLog
import Convergence
import Testing

@testable import SyncEngine

// Whoever says many names and addresses fills the places of one's own dials, and no more.
extension BoundsTests {
    /// The dials among effects.
    private func dials(_ effects: [Effect]) -> [(id: ConnectionID, address: PeerAddress)] {
        effects.compactMap { if case .dial(let id, let address) = $0 { (id, address) } else { nil } }
    }

    @Test("addresses that wait for a place wake nobody, and each has its turn", arguments: [12, 40])
    func waitingAddresses(count: Int) throws {
        var (host, _) = try Host.founder { $0.handshakesMax = 4 }
        host.tell(.listening(port: 4_000))
        var dialled: Set<PeerAddress> = []
        var wakes: [UInt64] = []
        func note(_ effects: [Effect]) {
            for effect in effects {
                switch effect {
                case .dial(_, let address): dialled.insert(address)
                case .wake(let time): wakes.append(time)
                default: break
                }
            }
        }
        for number in 0..<count {
            let address = PeerAddress(host: "10.0.0.\(number)", port: 4_000)
            note(host.effects(of: .addAddress(address, isNamed: false)))
        }
        #expect(host.node.isCrowded == (count > 12))
        #expect(host.node.load.handshakes == 4)
        var woken = 0
        func run(until end: UInt64) {
            while woken < 20_000, dialled.count < count, let next = wakes.min(), next <= end {
                wakes.removeAll { $0 == next }
                host.time = max(host.time, next)
                note(host.effects(of: .woke))
                woken += 1
            }
        }
        run(until: host.time + 10_000)
        #expect(woken < 100, "of \(count) addresses")
        run(until: host.time + 300_000)
        #expect(dialled.count == count, "each has its turn")
    }

    @Test("the next dial takes the place of one that led to a session")
    func nextDial() throws {
        var (host, trip) = try Host.founder(members: 2) { $0.handshakesMax = 1 }
        let epoch = try #require(host.epochCredential)
        host.tell(.listening(port: 4_000))
        var dialled: [ConnectionID] = []
        func said(_ event: Event) -> [UInt8] {
            let effects = host.effects(of: event)
            dialled += dials(effects).map(\.id)
            return effects.reduce(into: []) { if case .send(_, let bytes) = $1 { $0 += bytes } }
        }
        for number in 1...2 as ClosedRange<UInt16> {
            _ = said(.addAddress(PeerAddress(host: "10.0.0.2", port: number), isNamed: false))
        }
        #expect(dialled.count == 1)
        let id = try #require(dialled.first)
        #expect(said(.connected(id)).isEmpty, "whoever accepts speaks first")
        var answerer = Answerer(as: trip.people[1], under: epoch, using: host.cryptography)
        let first = said(.received(id, Answerer.serverNonce))
        host.time += 1
        _ = said(.received(id, try answerer.answer(first)))
        #expect(host.node.sessions.map(\.device) == [trip.people[1].device])
        #expect(dialled.count == 2)
    }

    /// A cable was out meanwhile: the first packet is sent again and again.
    @Test("a handshake has its whole time however long the dial took")
    func slowDial() throws {
        var (host, trip) = try Host.founder(members: 2)
        let epoch = try #require(host.epochCredential)
        host.tell(.listening(port: 4_000))
        let address = PeerAddress(host: "10.0.0.2", port: 2)
        let id = try #require(dials(host.effects(of: .addAddress(address, isNamed: false))).first?.id)
        host.time += host.node.limits.dialDuration - 1
        host.tell(.connected(id))
        host.time += host.node.limits.handshakeDuration - 1
        host.tell(.woke)
        var answerer = Answerer(as: trip.people[1], under: epoch, using: host.cryptography)
        let first = host.tell(.received(id, Answerer.serverNonce))
        try #require(!first.isEmpty)
        host.tell(.received(id, try answerer.answer(first)))
        #expect(host.node.sessions.map(\.device) == [trip.people[1].device])
    }

    @Test("a dial that is under way when the network changes is made anew at once")
    func changedNetwork() throws {
        var (host, trip) = try Host.founder(members: 2)
        let epoch = try #require(host.epochCredential)
        host.tell(.listening(port: 4_000))
        let address = PeerAddress(host: "10.0.0.2", port: 2)
        let other = PeerAddress(host: "10.0.0.3", port: 2)
        let met = try #require(dials(host.effects(of: .addAddress(other, isNamed: false))).first?.id)
        host.tell(.connected(met))
        var answerer = Answerer(as: trip.people[1], under: epoch, using: host.cryptography)
        host.tell(.received(met, try answerer.answer(host.tell(.received(met, Answerer.serverNonce)))))
        let before = try #require(dials(host.effects(of: .addAddress(address, isNamed: false))).first?.id)
        host.time += 3_000
        let again = dials(host.effects(of: .networkChanged()))
        #expect(again.map(\.address) == [address])
        #expect(host.closed == [before])
        #expect(host.node.sessions.count == 1, "who is met stays")
    }

    @Test("connections that say nothing keep this node from dialling nobody")
    func silentConnections() throws {
        var (host, _) = try Host.founder(members: 1) { $0.handshakesMax = 8 }
        host.tell(.listening(port: 4_000))
        for number in 0..<20 as Range<UInt64> { _ = host.accept(number) }
        let address = PeerAddress(host: "10.0.0.2", port: 2)
        #expect(dials(host.effects(of: .addAddress(address, isNamed: false))).map(\.address) == [address])
    }

    // MARK: - Names

    @Test("strange names that are remembered are bounded")
    func strangeNames() throws {
        var (host, _) = try Host.founder { $0.instancesMax = 50 }
        host.tell(.listening(port: 4_000))
        for number in 0..<200 as Range<UInt64> {
            var generator = SeededGenerator(seed: number)
            let bytes = Bytes32.random(using: &generator).bytes.prefix(16)
            host.tell(.appeared(instance: Base32.encode(Array(bytes))))
        }
        #expect(host.node.dialer.names.count == 50)
        #expect(host.count(.instances) == 1)
        // One that says something has room all the same, here and in the shell.
        let name = InstanceName(
            credential: try #require(host.epochCredential), nonce: 7, using: host.cryptography
        ).text
        let isHeld = host.effects(of: .appeared(instance: name)).contains {
            if case .hold(name) = $0 { true } else { false }
        }
        #expect(isHeld && host.node.dialer.names.count == 51)
    }

    @Test("whoever watches which names are looked up, and when, learns nothing of whose they are")
    func lookups() throws {
        var (member, _) = try Host.founder(members: 1)
        var (stranger, _) = try Host.founder(members: 1)
        let epoch = try #require(member.epochCredential)
        let others = Credential(
            Epoch(secret: Bytes32(words: (7, 7, 7, 7)), using: member.cryptography), using: member.cryptography)
        // Every third leads to the one host's trip, and none to the other's.
        let makers = (0..<90).map { $0 % 3 == 0 ? epoch : others }
        let strange = Credential(
            Epoch(secret: Bytes32(words: (8, 8, 8, 8)), using: member.cryptography), using: member.cryptography)
        let address = PeerAddress(host: "10.0.0.2", port: 2)
        func times(_ host: inout Host, _ makers: [Credential]) -> (times: [UInt64], first: [String], held: [String]) {
            host.tell(.listening(port: 4_000))
            let names = makers.enumerated().map {
                InstanceName(credential: $1, nonce: UInt64($0), using: host.cryptography)
            }
            var (times, first): ([UInt64], [String]) = ([], [])
            var effects = names.flatMap { host.effects(of: .appeared(instance: $0.text)) }
            let held = effects.compactMap { if case .hold(let name) = $0 { name } else { nil } }
            for _ in 0..<600 {
                var asked: [String] = []
                for case .resolve(let instance) in effects { asked.append(instance) }
                times += asked.map { _ in host.time }
                first += asked.prefix(max(0, 40 - first.count))
                effects = []
                for instance in asked {
                    guard let index = names.firstIndex(where: { $0.text == instance }) else { continue }
                    let found = [host.service(names[index], under: makers[index], at: address)]
                    effects += host.effects(of: .resolved(instance: instance, addresses: found))
                }
                host.time += 100
                effects += host.effects(of: .woke)
            }
            return (times, first, held)
        }
        let seen = times(&member, makers)
        let unseen = times(&stranger, makers.map { $0 == epoch ? strange : $0 })
        #expect(seen.held.count == 30 && unseen.held.isEmpty)
        #expect(seen.times == unseen.times)
        #expect(seen.times.count(where: { $0 == seen.times[0] }) == member.node.limits.lookupsAtOnceMax)
        #expect(seen.times.count { $0 < seen.times[0] + 5_000 } <= 16 + 50, "no more than so many a second")
        let own = seen.first.count { seen.held.contains($0) }
        #expect((4...26).contains(own), "\(own) of the first 40: in no order of their makers")
    }

    @Test("how many names a node has does not say whether an invite is open")
    func noiseNames() throws {
        var (host, trip) = try Host.founder()
        var published: [Advertisement] = []
        func take(_ effects: [Effect]) {
            for case .advertise(let advertisements) in effects { published = advertisements }
        }
        host.tell(.ownAddresses(["10.0.0.1", "fe80::1%eth0"]))
        take(host.effects(of: .listening(port: 4_000)))
        let before = published
        host.time += host.node.limits.namesPause
        let invite = OpenInvite(by: trip.people[0], using: &host.generator, host.cryptography)
        take(host.effects(of: .write(invite.statement, ticket: 0)))
        #expect(before.count == 2 && published.count == 2)
        #expect(before[0] == published[0] && before[1].instance != published[1].instance)
        for name in before + published {
            #expect(InstanceName(name.instance) != nil && name.port == 4_000)
            #expect(Set(name.addressTags).count == AddressTag.count)
        }
        #expect(Set((before + published).map(\.hostLabel)).count == 3)
    }

    /// One that repeats a member's name, and leads to somebody else, is dialled: they hear what nobody can know from noise,
    /// and the member is found all the same.
    @Test(
        "all names are asked about alike, one that is made up leads nowhere, and one that is repeated gives nothing away"
    )
    func forgedNames() throws {
        var (host, trip) = try Host.founder(members: 1)
        let epoch = try #require(host.epochCredential)
        let cryptography = host.cryptography
        host.tell(.listening(port: 4_000))
        func heard(_ event: Event) -> [Effect] {
            host.time += 300
            return host.effects(of: event)
        }
        func isAsked(_ name: InstanceName) -> Bool {
            heard(.appeared(instance: name.text)).contains {
                if case .resolve(name.text) = $0 { true } else { false }
            }
        }
        let own = InstanceName(credential: epoch, nonce: 7, using: cryptography)
        let others = Credential(
            Epoch(secret: Bytes32(words: (7, 7, 7, 7)), using: cryptography), using: cryptography)
        for number in 0..<64 as Range<UInt64> {
            let name = InstanceName(credential: others, nonce: number, using: cryptography)
            #expect(isAsked(name))
            let service = host.service(name, under: others, at: PeerAddress(host: "10.5.5.5", port: 1))
            #expect(dials(heard(.resolved(instance: name.text, addresses: [service]))).isEmpty)
        }
        let bytes = own.nonce + own.tag.map { $0 ^ 1 }
        #expect(isAsked(try #require(InstanceName(Base32.encode(bytes)))))
        #expect(isAsked(own), "whoever repeats it cannot be told from its maker yet")

        let (forger, member) = (PeerAddress(host: "10.6.6.6", port: 1), PeerAddress(host: "10.0.0.2", port: 2))
        func dialled(_ services: [ServiceAddress]) -> [(id: ConnectionID, address: PeerAddress)] {
            dials(heard(.resolved(instance: own.text, addresses: services)) + heard(.woke))
        }
        let services = [forger, member].map { host.service(own, under: epoch, at: $0) }
        let elsewhere = [PeerAddress(host: member.host, port: 3), PeerAddress(host: "10.0.0.3", port: member.port)]
        let repeated = ([forger] + elsewhere).map { ServiceAddress($0, tags: services[1].tags) }
        #expect(dialled(repeated).isEmpty, "whoever repeats what its maker said of another address")
        // Nor can they say more than its maker did, unless they have taken over an address that it said.
        let places = dialled(services)
        #expect(Set(places.map(\.address)) == [forger, member])
        func said(_ effects: [Effect]) -> [UInt8] {
            effects.reduce(into: []) { if case .send(_, let bytes) = $1 { $0 += bytes } }
        }
        for (id, address) in places {
            _ = heard(.connected(id))
            let first = said(heard(.received(id, Answerer.serverNonce)))
            #expect(first.count == 2 + FirstMessage.length, "always the same")
            if address == forger {
                for known in [trip.epoch.id.bytes, trip.log.trip.bytes, trip.people[0].device.participant.bytes] {
                    #expect(!first.indices.contains { first[$0...].starts(with: known.prefix(8)) })
                }
                let noise = [UInt8](repeating: 9, count: FirstMessage.secondLength)
                let answer = heard(.received(id, FrameReader.frame(noise)))
                #expect(said(answer).isEmpty)
                #expect(answer.contains { if case .close(id) = $0 { true } else { false } })
                continue
            }
            var answerer = Answerer(as: trip.people[1], under: epoch, using: cryptography)
            #expect(!said(heard(.received(id, try answerer.answer(first)))).isEmpty)
        }
        #expect(host.node.sessions.map(\.device) == [trip.people[1].device])
    }
}

// MARK: - Ports

extension BoundsTests {
    private func asksForPort(_ effects: [Effect]) -> Bool {
        effects.contains { if case .renewPort = $0 { true } else { false } }
    }

    private func published(_ effects: [Effect]) -> [Advertisement]? {
        effects.reduce(nil) { if case .advertise(let names) = $1 { names } else { $0 } }
    }

    @Test("names are renewed at a new port, in time and with the network, and are those before until it is there")
    func newPorts() throws {
        var (host, _) = try Host.founder(members: 1)
        host.tell(.ownAddresses(["10.0.0.1"]))
        let first = try #require(published(host.effects(of: .listening(port: 4_000, isRenewable: true))))
        for (port, isChange) in [(UInt16(4_001), false), (4_002, true)] {
            host.time += isChange ? 1_000 : host.node.limits.instanceDuration
            let effects = host.effects(of: isChange ? .networkChanged() : .woke)
            #expect(asksForPort(effects) && published(effects) == nil)
            host.time += 100
            let early = host.effects(of: .woke)
            #expect(!asksForPort(early) && published(early) == nil, "asked once")
            let names = try #require(published(host.effects(of: .listening(port: port, isRenewable: true))))
            #expect(names.allSatisfy { $0.port == port })
            #expect(Set(names.map(\.instance)).isDisjoint(with: first.map(\.instance)))
            #expect(Set(names.map(\.hostLabel)).isDisjoint(with: first.map(\.hostLabel)))
        }
        // A transport that does not answer is asked again.
        host.time += host.node.limits.instanceDuration
        #expect(asksForPort(host.effects(of: .woke)))
        host.time += host.node.limits.portPatience
        #expect(asksForPort(host.effects(of: .woke)))
    }

    @Test("a port that a person chose, and one that an open invite's link names, stay when names are renewed")
    func keptPorts() throws {
        var (host, trip) = try Host.founder(members: 1)
        host.tell(.listening(port: 4_000))
        host.time += host.node.limits.instanceDuration
        var effects = host.effects(of: .woke)
        #expect(!asksForPort(effects) && published(effects)?.first?.port == 4_000, "chosen")
        host.tell(.listening(port: 4_001, isRenewable: true))
        host.time += host.node.limits.instanceDuration
        #expect(!asksForPort(host.effects(of: .woke)), "nobody is there to see it")
        host.tell(.ownAddresses(["127.0.0.1", "::1", "10.0.0.1"]))
        let invite = OpenInvite(by: trip.people[0], using: &host.generator, host.cryptography)
        host.write(invite.statement)
        host.time += host.node.limits.instanceDuration
        effects = host.effects(of: .woke)
        #expect(!asksForPort(effects) && published(effects)?.first?.port == 4_001, "an open invite's")
        host.write(.closeInvite(id: invite.id))
        host.time += host.node.limits.instanceDuration
        #expect(asksForPort(host.effects(of: .woke)))
    }

    @Test("each side of a session hears at which port the other is reached, and knows it there")
    func toldPorts() throws {
        var (host, trip) = try Host.founder(members: 1)
        host.tell(.listening(port: 4_000, isRenewable: true))
        let epoch = try #require(host.epochCredential)
        var caller = try host.call(1, as: trip.people[1], under: epoch)
        host.tell(.listening(port: 4_001, isRenewable: true))
        caller.hear(from: host)
        #expect(caller.heard.last == .introduction(.port(4_001)))
        #expect(caller.isIn && host.node.connectionIDs.contains(caller.id), "and the session goes on")
        caller = try host.call(2, as: trip.people[1], under: epoch)
        #expect(
            caller.heard.contains(.introduction(.port(4_001))), "who comes to the port before hears of the present one")
        // It is of the address that the call came from.
        for port in [UInt16(5_000), 0, 5_001] { #expect(caller.say(.introduction(.port(port)), to: &host).isEmpty) }
        host.time += host.node.limits.toldPortInterval
        host.tell(.woke)
        let told = PeerAddress(host: Host.callers, port: 5_001)
        #expect(host.notices.last == .moved(trip.people[1].device, told))
        #expect(Array(host.node.dialer.addresses.entries.keys) == [told], "of what is said the last counts")
        #expect(host.node.dialer.addresses.entries[told]?.replica == trip.people[1].device.replica)

        var wires = try Wires(seed: 9, count: 2)
        wires.tell(0, .listening(port: 4_000))
        wires.tell(1, .listening(port: 4_000))
        wires.connect(0, 1)
        #expect(
            wires.nodes[1].dialer.addresses.entries[Wires.address(of: 0)]?.replica == wires.replica(0),
            "who was only dialled can dial the next time")
        for port in [UInt16(4_001), 4_002] {
            wires.tell(1, .listening(port: port))
            wires.deliver()
            wires.wait(wires.nodes[0].limits.toldPortInterval)
        }
        let moved = PeerAddress(host: Wires.address(of: 1).host, port: 4_002)
        let device = wires.nodes[1].secrets.device
        #expect(wires.notices.contains(.moved(device, moved)))
        let entries = wires.nodes[0].dialer.addresses.entries
        #expect(entries[moved]?.replica == device.replica)
        #expect(entries.count == 2, "of what is said in one session the last counts")
    }

    @Test("of a burst of ports the first counts, and a second later the last: no other costs a notice or an address")
    func portBurst() throws {
        var (host, trip) = try Host.founder(members: 1)
        let epoch = try #require(host.epochCredential)
        var caller = try host.call(1, as: trip.people[1], under: epoch)
        func moves() -> [Notice] { host.notices.filter { if case .moved = $0 { true } else { false } } }
        for port in UInt16(1)...2_000 { caller.say(.introduction(.port(port)), to: &host) }
        #expect(moves().count == 1)
        #expect(host.node.dialer.addresses.entries.count == 1)
        host.time += host.node.limits.toldPortInterval
        host.tell(.woke)
        let last = PeerAddress(host: Host.callers, port: 2_000)
        #expect(moves().count == 2 && host.notices.last == .moved(trip.people[1].device, last))
        #expect(Array(host.node.dialer.addresses.entries.keys) == [last])
    }
}
