import Convergence
import SyncEngine
import Testing

@testable import AvahiDiscovery

/// What other hosts say by mDNS, which may be anything.
@Suite struct ServiceAnswerTests {
    private static let network = NetworkInterfaces(interfaces: [
        .init(index: 2, name: "eth0", isLoopback: false, isRunning: true, addresses: ["10.77.0.1"])
    ])
    private static let advertisement = Advertisement(
        instance: "abcdefghijklmnopqrstuvwxyz", hostLabel: "host", port: 4_000,
        addressTags: (0..<AddressTag.count).compactMap { AddressTag([UInt8](repeating: UInt8($0), count: 8)) })

    private static func message(_ number: UInt16 = 7, _ advertisements: [Advertisement] = [advertisement]) -> [UInt8] {
        let records = advertisements.flatMap {
            ServiceRecord.all(
                of: $0, at: [.init(interface: 2, address: "10.77.0.9"), .init(interface: 2, address: "fe80::9")])
        }
        return DNS.header(number, isAnswer: true, questions: 1, answers: records.count)
            + DNS.question("_caravan._tcp.local", DNS.pointer) + records.flatMap { $0.written(seconds: 10) }
    }

    @Test("what is answered is read back: the instance, and where it may be dialled")
    func roundTrip() throws {
        let answer = try #require(ServiceAnswer(Self.message(), to: 7))
        #expect(answer.instances == [Self.advertisement.instance])
        let places = try #require(answer.places(of: Self.advertisement.instance, on: 2, of: Self.network))
        #expect(places.map(\.address.description) == ["10.77.0.9:4000", "[fe80::9%eth0]:4000"])
        #expect(places.allSatisfy { $0.tags == Self.advertisement.addressTags })
        #expect(ServiceAnswer(Self.message(), to: 8) == nil, "an answer to another question")
    }

    @Test("names by pointers are read, as avahi-daemon writes them, and in any case")
    func pointers() throws {
        // The owner is the question's name; the target is a label and a pointer to it.
        var message = DNS.header(7, isAnswer: true, questions: 1, answers: 1)
        message +=
            DNS.question("_CARAVAN._tcp.local", DNS.pointer) + [0xC0, 12] + DNS.words([DNS.pointer, 1, 0, 10, 5])
        message += [2] + Array("ab".utf8) + [0xC0, 12]
        #expect(ServiceAnswer(message, to: 7)?.instances == ["ab"])
    }

    @Test("a pointer that leads to itself or ahead ends the reading", arguments: [UInt8(12), 30, 40, 200])
    func loops(target: UInt8) {
        var message = DNS.header(7, isAnswer: true, questions: 0, answers: 1)
        message += [0xC0, target] + DNS.words([DNS.pointer, 1, 0, 10, 2]) + [0xC0, 12]
        #expect(ServiceAnswer(message, to: 7) == nil)
    }

    @Test("no bytes trap, and no answer names more than so many instances")
    func hostile() throws {
        var generator = SeededGenerator(seed: 5)
        let whole = Self.message()
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0...generator.below(6) {
                bytes[Int(generator.below(UInt64(bytes.count)))] = UInt8(generator.below(256))
            }
            bytes.removeLast(Int(generator.below(UInt64(bytes.count))))
            guard let answer = ServiceAnswer(bytes, to: 7) else { continue }
            for instance in answer.instances { _ = answer.places(of: instance, on: 2, of: Self.network) }
            _ = ServiceQuestion(bytes)
        }
        let many = (0..<100).map {
            Advertisement(instance: "i\($0)", hostLabel: "h", port: 1, addressTags: [])
        }
        #expect(ServiceAnswer(Self.message(7, many), to: 7)?.instances.count == ServiceAnswer.instancesMax)
    }

    @Test("a question is of our type, and about all or one")
    func questions() throws {
        func asked(_ name: String, _ type: UInt16) -> ServiceQuestion? {
            ServiceQuestion(DNS.header(9, isAnswer: false, questions: 1, answers: 0) + DNS.question(name, type))
        }
        let all = try #require(asked("_caravan._tcp.local", DNS.pointer))
        #expect(all.number == 9 && all.isAbout("ab") && all.isAbout("cd"))
        let one = try #require(asked("ab._caravan._tcp.local", DNS.any))
        #expect(one.isAbout("ab") && !one.isAbout("cd"))
        #expect(asked("_http._tcp.local", DNS.pointer) == nil)
        #expect(asked("_caravan._tcp.local", DNS.ipv4)?.isAbout("ab") == false)
    }
}

/// What asking hosts found.
@Suite struct QueriedServicesTests {
    private let now = ContinuousClock.now

    @Test("a host that names the most gives room for others', and gets none for more of its own")
    func shares() {
        var services = QueriedServices()
        for number in 0..<DiscoveryLimits.instances {
            guard case .added(nil) = services.note("false \(number)", from: "flood", on: 2, at: nil, now: now) else {
                return _ = Issue.record("there is room")
            }
        }
        guard case .noRoom = services.note("false", from: "flood", on: 2, at: nil, now: now) else {
            return _ = Issue.record("one host takes no more than there is")
        }
        for number in 0..<16 {
            guard case .added(let other?) = services.note("true \(number)", from: "friend", on: 2, at: nil, now: now)
            else {
                return _ = Issue.record("a host with few gets room")
            }
            #expect(other.instance.hasPrefix("false"))
        }
    }

    @Test("what is not said again is forgotten after 15 s")
    func expiry() {
        var services = QueriedServices()
        _ = services.note("a", from: "x", on: 2, at: [], now: now)
        #expect(services.expire(now: now + .seconds(14)).isEmpty)
        _ = services.note("a", from: "x", on: 2, at: nil, now: now + .seconds(10))
        #expect(services.expire(now: now + .seconds(24)).isEmpty)
        #expect(services.expire(now: now + .seconds(25)).map(\.instance) == ["a"])
        #expect(services.addresses(of: "a") == nil)
    }
}

/// The events that the consumer receives.
@Suite struct FoundServicesTests {
    @Test("a flood of names from Avahi is reported as one, fills no queue, and displaces no service of a host")
    func crowd() async throws {
        let (events, continuation) = AsyncStream.makeStream(
            of: DiscoveryEvent.self, bufferingPolicy: .bufferingOldest(DiscoveryLimits.eventsWaiting))
        let found = FoundServices(continuation)
        let place = SightingTable.Place(interface: 2, protocolNumber: 0)
        for number in 0..<6_000 { found.seen("false \(number)", at: place) }
        let message =
            DNS.header(7, isAnswer: true, questions: 0, answers: 1) + DNS.name("_caravan._tcp.local")
            + DNS.words([DNS.pointer, 1, 0, 10, UInt16(DNS.name("true._caravan._tcp.local").count)])
            + DNS.name("true._caravan._tcp.local")
        let answer = try #require(ServiceAnswer(message, to: 7))
        #expect(found.heard(answer, from: "friend", on: 2, of: NetworkInterfaces(interfaces: [])) == ["true"])
        for number in 0..<6_000 { found.seen("more \(number)", at: place) }
        continuation.finish()
        var told: [DiscoveryEvent] = []
        for await event in events { told.append(event) }
        #expect(told.contains(.crowded(true)) && told.contains(.appeared(instance: "true")))
        #expect(!told.contains(.disappeared(instance: "true")) && !found.hasLosses)
        #expect(found.isDisturbed)
    }
}
