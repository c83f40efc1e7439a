import Testing

@testable import Desktop

/// How one network is told from another.
struct RouterTests {
    private let routes = """
        Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
        eth0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0
        wlan0\t00000000\t0102A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0
        wlan0\t0002A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0
        """

    private func neighbors(_ hardware: String) -> String {
        """
        IP address       HW type     Flags       HW address            Mask     Device
        192.168.2.1      0x1         0x2         11:11:11:11:11:11     *        eth0
        192.168.2.1      0x1         0x2         \(hardware)     *        wlan0
        """
    }

    @Test("the router of the preferred way out marks the network, and one that was not spoken with marks none")
    func mark() {
        #expect(Router.mark(routes: routes, neighbors: neighbors("a4:2b:b0:11:22:33")) == "wlan0 a4:2b:b0:11:22:33")
        #expect(Router.mark(routes: routes, neighbors: neighbors("00:00:00:00:00:00")) == nil)
        for shared in ["00:00:5e:00:01:07", "00:00:0c:07:ac:01", "02:42:ac:11:00:02"] {
            #expect(Router.mark(routes: routes, neighbors: neighbors(shared)) == nil, "\(shared) is many networks'")
        }
        #expect(Router.mark(routes: routes, neighbors: "") == nil)
        #expect(Router.mark(routes: "", neighbors: neighbors("a4:2b:b0:11:22:33")) == nil)
    }
}
