import LibC
import Testing

@testable import AvahiDiscovery

/// By what a network is recognized.
@Suite struct NetworkMarksTests {
    private static let up = UInt32(IFF_UP | IFF_RUNNING | IFF_MULTICAST)

    private func marks(_ address: String = "192.168.1.7", router: String? = "02:00:00:00:00:01") -> NetworkMarks {
        NetworkMarks(
            networks: [
                LocalNetwork(
                    interface: "wlan0", address: address, prefixLength: 24, isPointToPoint: false, isRunning: true)
            ],
            entries: [
                InterfaceEntry(name: "wlan0", flags: Self.up, address: address, prefixLength: 24),
                InterfaceEntry(name: "wlan0", flags: Self.up, address: "2001:db8:0:1::7", prefixLength: nil),
                InterfaceEntry(name: "wlan0", flags: Self.up, address: "fe80::7", prefixLength: nil),
            ],
            // 192.168.1.1, its lowest byte first.
            routes: [["wlan0", "00000000", "0101A8C0"], ["wlan0", "0001A8C0", "00000000"]],
            neighbors: router.map { [["192.168.1.1", "0x1", "0x2", $0, "*", "wlan0"]] } ?? [])
    }

    @Test("a network of the same prefix with another router is another network")
    func routers() {
        let home = marks()
        let mark = home.mark(of: "192.168.1.9")
        #expect(mark != nil && mark == marks("192.168.1.200").mark(of: "192.168.1.9"))
        #expect(mark != marks(router: "02:00:00:00:00:02").mark(of: "192.168.1.9"))
        #expect(marks(router: nil).mark(of: "192.168.1.9") == nil, "its router is not known yet")
    }

    @Test("each kind of address is of the network over which it is reached")
    func addresses() {
        let home = marks()
        let mark = home.mark(of: "192.168.1.9")
        #expect(home.mark(of: "fe80::9%wlan0") == mark && home.mark(of: "2001:db8:0:1::9") == mark)
        // What is elsewhere goes by the router.
        #expect(home.mark(of: "203.0.113.5") == mark && home.mark(of: "2001:db8:ff::9") == mark)
        #expect(home.mark(of: "fe80::9%eth7") == nil && home.mark(of: "fe80::9") == nil)
        #expect(home.mark(of: "example.org") == nil)
        #expect(home.mark(of: "127.0.0.1") == marks(router: nil).mark(of: "::1"))
    }
}
