import CAvahi
import SyncEngine
import Testing

@testable import AvahiDiscovery

@Suite struct ResolvedAddressTests {
    private let network = NetworkInterfaces(interfaces: [
        .init(index: 1, name: "lo", isLoopback: true, isRunning: true, addresses: ["127.0.0.1", "::1"]),
        .init(index: 2, name: "eth0", isLoopback: false, isRunning: true, addresses: ["10.0.0.1"]),
    ])

    private func resolved(_ text: String, port: UInt16 = 4000, on interface: Int32 = 2) -> String? {
        var address = AvahiAddress()
        guard avahi_address_parse(text, Avahi.anyProtocol, &address) != nil else { return "not an address" }
        return network.peerAddress(address, port: port, interface: interface)?.description
    }

    @Test func anAddressIsWrittenSoThatItCanBeDialled() {
        #expect(resolved("10.0.0.2") == "10.0.0.2:4000")
        #expect(resolved("169.254.7.1") == "169.254.7.1:4000")
        #expect(resolved("2001:db8::2") == "[2001:db8::2]:4000")
        #expect(resolved("fe80::1") == "[fe80::1%eth0]:4000")
        #expect(resolved("febf::1", on: 9) == "[febf::1%9]:4000", "an interface that has just come")
        #expect(resolved("127.0.0.1", on: 1) == "127.0.0.1:4000")
        #expect(resolved("::1", on: 1) == "[::1]:4000")
    }

    @Test func noRecordMakesUsDialOurselvesAGroupOrNothing() {
        for text in [
            "0.0.0.0", "0.1.2.3", "127.0.0.1", "127.9.9.9", "224.0.0.251", "255.255.255.255", "240.0.0.1",
            "::", "::1", "::ffff:127.0.0.1", "::127.0.0.1", "ff02::fb",
        ] {
            #expect(resolved(text) == nil, "\(text)")
        }
        #expect(resolved("10.0.0.2", port: 0) == nil)
        #expect(resolved("fe80::1", on: -1) == nil, "link-local, but on which link?")
    }
}
