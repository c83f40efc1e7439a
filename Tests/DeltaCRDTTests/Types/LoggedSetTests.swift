import Testing

@testable import DeltaCRDT

/// A logged set of many elements, which lie in several parts.
@Suite struct LoggedSetTests {
    private static func act(_ time: Int, past: Set<ActID> = []) -> Act {
        Act(id: ActID(time: time, author: "Jie"), past: past)
    }

    @Test("many elements are the same set in whatever order they came, and each moves few others")
    func many() {
        let count = 2_000
        var (ascending, scattered) = (LoggedSet<Int, ActID>(), LoggedSet<Int, ActID>())
        for element in 0..<count {
            ascending.insert(element, by: Self.act(element))
            // 7 and 2,000 have no common factor.
            let other = element * 7 % count
            scattered.insert(other, by: Self.act(other))
            let longest = scattered.standing.parts.map(\.count).max() ?? 0
            #expect(longest <= SortedParts<LoggedSet<Int, ActID>.Entry>.partMax)
        }
        #expect(ascending.elements == Array(0..<count) && scattered.elements == ascending.elements)
        #expect(ascending.standing.parts != scattered.standing.parts, "they lie apart in another way")
        #expect(ascending == scattered && ascending.hashValue == scattered.hashValue)
        #expect((0..<count).allSatisfy(scattered.contains) && !scattered.contains(count) && !scattered.contains(-1))

        let added = Set((0..<count).map { Self.act($0).id })
        for element in 0..<count where element != 999 {
            scattered.remove(element, by: Self.act(count + element, past: added))
        }
        #expect(scattered.elements == [999] && scattered != ascending)
        scattered.remove(999, by: Self.act(count))
        #expect(scattered.elements == [999], "it had not seen the addition")
        scattered.remove(999, by: Self.act(count, past: added))
        #expect(scattered == LoggedSet() && scattered.standing.parts.isEmpty)
    }
}
