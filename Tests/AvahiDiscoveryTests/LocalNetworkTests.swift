import Testing

@testable import AvahiDiscovery

struct LocalNetworkTests {
    private func network(_ address: String, _ prefixLength: Int) -> LocalNetwork {
        LocalNetwork(
            interface: "eth0", address: address, prefixLength: prefixLength, isPointToPoint: false, isRunning: true)
    }

    @Test("a network is named by its prefix, and holds what bears that")
    func containment() {
        let home = network("192.168.1.7", 24)
        #expect(home.description == "192.168.1.0/24")
        #expect(home.contains("192.168.1.255") && !home.contains("192.168.2.1") && !home.contains("fe80::1"))
        #expect(network("10.77.200.1", 9).description == "10.0.0.0/9")
        #expect(network("10.77.0.1", 0).contains("255.255.255.255"))
        #expect(network("10.77.0.1", 32).contains("10.77.0.1") && !network("10.77.0.1", 32).contains("10.77.0.2"))
    }

    @Test("its first and last addresses stand for it, its own left out")
    func samples() {
        #expect(network("192.168.1.7", 24).samples == ["192.168.1.1", "192.168.1.254"])
        #expect(network("192.168.1.1", 24).samples == ["192.168.1.254"])
        #expect(network("10.0.0.1", 31).samples == [] && network("10.0.0.1", 32).samples == [])
    }
}
