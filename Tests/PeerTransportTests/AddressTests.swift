import LibC
import NIOCore
import NIOPosix
import SyncEngine
import Testing

@testable import PeerTransport

@Suite struct AddressTests {
    @Test func hostsAreReadAndWrittenAlike() throws {
        let same = ["10.1.2.3", "255.255.255.255", "::1", "2001:db8::5", "fe80::1%lo"]
        for host in same {
            let address = try #require(SocketAddress(PeerAddress(host: host, port: 4000)), "\(host)")
            #expect(address.peerHost == host)
            #expect(address.port == 4000)
        }
        // A scope by its number is written by its name, and IPv4 in an IPv6 socket is IPv4.
        let rewritten = [
            "fe80::1%\(if_nametoindex("lo"))": "fe80::1%lo", "::ffff:10.1.2.3": "10.1.2.3", "::0:1": "::1",
        ]
        for (host, written) in rewritten {
            #expect(SocketAddress(PeerAddress(host: host, port: 1))?.peerHost == written)
        }
        let refused = [
            "", "%", "%lo", "10.1.2", "10.1.2.3%lo", "10.1.2.3 ", "1.2.3.256", "fe80::1", "febf::1", "fe80::1%",
            "fe80::1%0", "fe80::1%nothing", "fe80::1%lo%lo", "[::1]", "::1:", "localhost", "a\u{0}b", "🚐",
            String(repeating: "1", count: 100_000),
        ]
        for host in refused {
            #expect(SocketAddress(PeerAddress(host: host, port: 1)) == nil, "\(host.prefix(40))")
        }
    }

    @Test func loopbackIsKnownInEveryForm() {
        let hosts = [
            "127.0.0.1": true, "127.9.9.9": true, "::1": true, "::ffff:127.0.0.1": true, "10.0.0.1": false,
            "::2": false,
        ]
        for (host, isLoopback) in hosts {
            #expect(SocketAddress(PeerAddress(host: host, port: 1))?.isLoopback == isLoopback, "\(host)")
        }
    }

    /// Over a real link-local address, where this machine has one.
    @Test func aLinkLocalAddressIsDialledWithItsScope() async throws {
        let interfaces = try System.enumerateDevices()
        let hosts = interfaces.compactMap { $0.address?.peerHost }.filter { $0.hasPrefix("fe80:") && $0.contains("%") }
        guard let host = hosts.first else { return }
        let node = Node()
        let port = try await node.transport.listen()
        node.transport.dial(PeerAddress(host: host, port: port), as: first)
        #expect(await node.log.wait { $0.contains(.connected(first)) })
        #expect(await node.log.wait { $0.acceptedAt.map(\.host) == [host] })
        await node.transport.stop()
    }
}
