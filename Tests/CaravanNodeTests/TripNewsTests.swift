import Testing
import TripModel

@testable import CaravanNode

/// What others did and a person did not see, in a flood of it.
struct TripNewsTests {
    @Test("of more items than are told the latest are, and no more than twice as many are kept")
    func bounded() {
        var news = TripNews()
        let items = (0..<TripNews.itemsMax * 5).map { number in
            ItemID(operation: OperationID(change: ChangeHash(words: (UInt64(number), 0, 0, 0)), index: 0))
        }
        for (index, item) in items.enumerated() {
            news.note([item], at: index)
            #expect(news.latest.count <= TripNews.itemsMax * 2)
        }
        #expect(news.items(notIn: SeenChanges(end: 0)) == items.suffix(TripNews.itemsMax).reversed())
        let seen = SeenChanges(end: items.count - 1)
        #expect(news.items(notIn: seen) == items.suffix(1))
        news.forget(seen)
        #expect(news.latest.count == 1)
    }
}
