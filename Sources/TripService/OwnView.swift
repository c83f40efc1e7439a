package import TripModel

/// What is one person's own: what they wish for, which follows them to each of their devices, and what stays on this one.
package struct OwnView: Codable, Hashable, Sendable {
    package let wishes: [Wish]
    package let feeds: [Feed]
    /// The items that they looked at, the latest first.
    package let viewed: [ItemID]
    /// The items that others added, changed or commented on since the person last saw them, the latest first; removed ones too. Nil
    /// until they first look at the trip.
    package let news: [ItemID]?

    package init(wishes: [Wish] = [], feeds: [Feed] = [], viewed: [ItemID] = [], news: [ItemID]? = []) {
        self.wishes = wishes
        self.feeds = feeds
        self.viewed = viewed
        self.news = news
    }
}
