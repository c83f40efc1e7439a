import LibC
import SyncEngine
import TestTiers
import Testing

@testable import AvahiDiscovery

/// Against a real avahi-daemon, on a host of the test's own where that is allowed.
@Suite(
    .serialized,
    .enabled(if: PrivateHost.isPossible, "skipped: needs root, network namespaces and avahi-daemon (Scripts/setup)"))
struct DiscoveryTests {
    private let host: PrivateHost

    init() throws {
        host = try #require(PrivateHost())
    }

    /// A discovery that runs on the test's host.
    private func discovery() -> (AvahiDiscovery, Witness) {
        let discovery = AvahiDiscovery()
        let witness = Witness(discovery)
        host.perform { discovery.start() }
        return (discovery, witness)
    }

    private static func advertisement(port: UInt16 = 4000) -> Advertisement {
        let random = { String((0..<26).map { _ in "abcdefghijklmnopqrstuvwxyz234567".randomElement()! }) }
        let tags = (0..<AddressTag.count).compactMap { AddressTag([UInt8](repeating: UInt8($0), count: 8)) }
        return Advertisement(instance: random(), hostLabel: random(), port: port, addressTags: tags)
    }

    private static func resolution(_ events: some Sequence<DiscoveryEvent>, _ instance: String) -> [ServiceAddress]? {
        events.reversed().lazy.compactMap { event in
            if case .resolved(instance, let addresses) = event { addresses } else { nil }
        }.first
    }

    @Test func twoNodesOnOneMachineSeeResolveAndMissEachOther() async {
        defer { host.end() }
        host.startBus()
        host.startAvahi()
        let (here, seenHere) = discovery()
        let (there, seenThere) = discovery()
        let first = Self.advertisement(port: 4001)
        let second = Self.advertisement(port: 4002)
        here.advertise([first])
        there.advertise([second])
        #expect(await seenHere.sees { $0.contains(.appeared(instance: second.instance)) })
        #expect(await seenThere.sees { $0.contains(.appeared(instance: first.instance)) })

        here.resolve(instance: second.instance)
        let expected = ServiceAddress(PeerAddress(host: "127.0.0.1", port: 4002), tags: second.addressTags)
        let isFound = await seenHere.sees { Self.resolution($0, second.instance)?.contains(expected) == true }
        #expect(isFound, "\(Self.resolution(seenHere.events, second.instance) ?? [])")

        // Another set replaces the first one; what is in both stays.
        let third = Self.advertisement(port: 4003)
        there.advertise([second, third])
        #expect(await seenHere.sees { $0.contains(.appeared(instance: third.instance)) })
        #expect(!seenHere.events.contains(.disappeared(instance: second.instance)))
        there.advertise([third])
        #expect(await seenHere.sees { $0.contains(.disappeared(instance: second.instance)) })
        there.stop()
        #expect(await seenHere.sees { $0.contains(.disappeared(instance: third.instance)) })
        #expect(await seenThere.ends())
        let appearances = seenHere.events.filter { $0 == .appeared(instance: third.instance) }
        #expect(appearances.count == 1, "on two protocols, reported once")
        here.stop()
    }

    /// A name that is left out leads nobody here, by whichever invite they come.
    @Test func everyNameThatANodeAsksForIsPublished() async {
        defer { host.end() }
        host.startBus()
        host.startAvahi()
        let (here, _) = discovery()
        let (there, seenThere) = discovery()
        let all = (0..<SessionLimits().publishedInstancesMax).map { _ in Self.advertisement() }
        here.advertise(all)
        let areSeen = await seenThere.sees { events in
            all.allSatisfy { events.contains(.appeared(instance: $0.instance)) }
        }
        #expect(areSeen, "\(all.count { !seenThere.events.contains(.appeared(instance: $0.instance)) }) are missing")
        here.stop()
        there.stop()
    }

    @Test func aMachineWithoutAvahiIsSaidOnceAndTriedAgain() async {
        defer { host.end() }
        let (discovery, witness) = discovery()
        let mine = Self.advertisement()
        discovery.advertise([mine])
        #expect(await witness.sees { $0.contains { if case .unavailable = $0 { true } else { false } } })
        discovery.resolve(instance: "nobody")
        #expect(await witness.sees { $0.contains(.resolved(instance: "nobody", addresses: [])) })

        host.startBus()
        let noDaemon = DiscoveryEvent.unavailable(reason: "avahi-daemon is not running")
        #expect(await witness.sees { $0.contains(noDaemon) })
        host.startAvahi()
        #expect(await witness.sees { $0.contains(.available) && $0.contains(.appeared(instance: mine.instance)) })
        #expect(witness.events.filter { $0 == noDaemon }.count == 1)
        discovery.stop()
        #expect(await witness.ends())
    }

    @Test func whatWasPublishedComesBackWithTheDaemon() async {
        defer { host.end() }
        host.startBus()
        host.startAvahi()
        let (discovery, witness) = discovery()
        let mine = Self.advertisement()
        discovery.advertise([mine])
        #expect(await witness.sees { $0.contains(.appeared(instance: mine.instance)) })
        for killed in ["avahi", "bus"] {
            let before = witness.events.count
            host.kill(killed)
            let isLost = await witness.sees { events in
                events.dropFirst(before).contains { if case .unavailable = $0 { true } else { false } }
            }
            #expect(isLost, "\(killed)")
            let lost = witness.events.count
            if killed == "bus" {
                host.kill("avahi", SIGTERM)
                host.startBus()
            }
            host.startAvahi()
            let isBack = await witness.sees(within: .seconds(30)) { events in
                let new = events.dropFirst(lost)
                return new.contains(.available) && new.contains(.appeared(instance: mine.instance))
            }
            #expect(isBack, "\(killed)")
        }
        discovery.stop()
    }

    /// As when a laptop goes from one network to another that gives it the same address.
    @Test(
        "a link that is lost and back before anybody looks is a change of network, a new one without a carrier is none")
    func shortLossOfALink() async {
        defer { host.end() }
        host.run("ip link add near type veth peer name far && ip link set far up && ip addr add 10.1.0.1/24 dev near")
        host.run("ip link set near up && sleep 0.5")
        let (discovery, witness) = discovery()
        #expect(await witness.sees { !$0.isEmpty })
        host.run("ip link add other type veth peer name another && sleep 0.5")
        #expect(!witness.events.contains(.networkChanged))
        host.run("ip link set far down && ip link set far up")
        #expect(await witness.sees(within: .seconds(2)) { $0.contains(.networkChanged) })
        discovery.stop()
    }

    @Test func addressesFollowTheMachine() async {
        defer { host.end() }
        host.startBus()
        host.startAvahi()
        let (discovery, witness) = discovery()
        let mine = Self.advertisement()
        discovery.advertise([mine])
        #expect(await witness.sees { $0.contains(.appeared(instance: mine.instance)) })
        host.run("ip addr del 127.0.0.1/8 dev lo && ip addr add 10.20.30.40/24 dev lo")
        #expect(await witness.sees { $0.contains(.networkChanged) })
        // Whether the name goes meanwhile is Avahi's affair; where it leads is ours.
        let expected = ServiceAddress(PeerAddress(host: "10.20.30.40", port: 4000), tags: mine.addressTags)
        var isFollowed = false
        for _ in 0..<10 where !isFollowed {
            let before = witness.events.count
            discovery.resolve(instance: mine.instance)
            // Avahi shows the address before for a second.
            _ = await witness.sees(within: .seconds(1)) {
                Self.resolution($0.dropFirst(before), mine.instance)?.contains(expected) == true
            }
            isFollowed = Self.resolution(witness.events.dropFirst(before), mine.instance)?.contains(expected) == true
        }
        #expect(isFollowed)
        discovery.stop()
    }

    @Test(.tags(.slow)) func aNameThatAnotherOfThisMachineHoldsIsRefusedAndPublishedOnceItIsFree() async {
        defer { host.end() }
        host.startBus()
        host.startAvahi()
        let (discovery, witness) = discovery()
        let mine = Self.advertisement()
        host.start("other", "avahi-publish -s \(mine.instance) _caravan._tcp 9 v=1")
        #expect(await witness.sees { $0.contains(.appeared(instance: mine.instance)) })
        discovery.advertise([mine])
        #expect(
            await witness.sees {
                $0.contains { if case .refused(mine.instance, _) = $0 { true } else { false } }
            })
        host.kill("other")
        #expect(await witness.sees { $0.contains(.disappeared(instance: mine.instance)) })
        #expect(await witness.seesAnew(.appeared(instance: mine.instance), within: .seconds(30)))
        discovery.stop()
    }

    @Test func oddNamesAndVersionsDoNoHarm() async {
        defer { host.end() }
        host.startBus()
        host.startAvahi()
        let (discovery, witness) = discovery()
        let odd = ["a.b\\\\c", "%s%n 🚐", String(repeating: "x", count: 63)]
        for (index, name) in odd.enumerated() {
            host.start("odd\(index)", "avahi-publish -s '\(name)' _caravan._tcp 9 v=2")
        }
        for name in odd {
            #expect(await witness.sees { $0.contains(.appeared(instance: name)) }, "\(name)")
            discovery.resolve(instance: name)
            #expect(await witness.sees { $0.contains(.resolved(instance: name, addresses: [])) }, "\(name)")
        }
        discovery.resolve(instance: String(repeating: "\u{0}", count: 300))
        discovery.advertise([
            Advertisement(instance: String(repeating: "y", count: 64), hostLabel: "-", port: 0, addressTags: [])
        ])
        #expect(await witness.sees { $0.contains { if case .refused = $0 { true } else { false } } })
        discovery.stop()
        #expect(await witness.ends())
    }
}
