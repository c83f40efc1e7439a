import Testing

@testable import AvahiDiscovery

@Suite struct SightingTableTests {
    private let wireless4 = SightingTable.Place(interface: 2, protocolNumber: 0)
    private let wireless6 = SightingTable.Place(interface: 2, protocolNumber: 1)
    private let wired4 = SightingTable.Place(interface: 3, protocolNumber: 0)

    @Test func anInstanceIsHereAsLongAsOnePlaceShowsIt() {
        var table = SightingTable()
        #expect(table.add("a", at: wired4) == .appeared)
        #expect(table.add("a", at: wireless4) == nil)
        #expect(table.add("a", at: wireless6) == nil)
        #expect(table.add("a", at: wired4) == nil)
        #expect(table.interfaces(of: "a") == [2, 3])
        #expect(table.remove("a", at: wired4) == false)
        #expect(table.remove("a", at: wired4) == false, "a place counts once")
        #expect(table.remove("a", at: wireless4) == false)
        #expect(table.interfaces(of: "a") == [2])
        #expect(table.remove("a", at: wireless6) == true)
        #expect(table.instances.isEmpty)
        #expect(table.remove("b", at: wired4) == false)
    }

    @Test func aFloodPushesOutOnlyWhatNobodyAskedFor() {
        var table = SightingTable()
        let limit = DiscoveryLimits.instances
        for index in 0..<limit { #expect(table.add("\(index)", at: wired4) == .appeared) }
        table.hold("0")
        #expect(table.add("new", at: wired4) == .appearedInPlace(of: "1"))
        #expect(table.instances.count == limit)
        #expect(table.instances.first == "0")
        #expect(table.instances.last == "new")

        for instance in table.instances { table.hold(instance) }
        #expect(table.add("newer", at: wired4) == nil)
        #expect(table.instances.count == limit)
        #expect(table.add("0", at: wireless4) == nil)
        #expect(table.interfaces(of: "0") == [2, 3])
    }
}
