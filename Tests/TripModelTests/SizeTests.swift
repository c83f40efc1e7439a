import DeltaCRDT
import Testing

@testable import TripModel

/// A great trip holds very many of these.
@Suite struct SizeTests {
    @Test("a vote takes 16 bytes, a written field 32, an item 72")
    func sizes() {
        #expect(MemoryLayout<Ballot<Vote>.Entry>.stride == 16)
        #expect(MemoryLayout<Written>.stride == 32)
        #expect(MemoryLayout<Existence>.stride == 16)
        #expect(MemoryLayout<ItemState>.stride == 72)
    }
}
