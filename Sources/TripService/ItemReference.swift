package import TripModel

/// How a request names an item.
package enum ItemReference: Codable, Hashable, Sendable {
    /// By the number that was shown on this device, by the beginning of an id, or by title.
    case typed(String)
    case id(ItemID)
}

extension ItemReference: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) { self = .typed(text) }
}

extension [ItemReference] {
    package static func typed(_ texts: [String]) -> [ItemReference] { texts.map { .typed($0) } }
}
