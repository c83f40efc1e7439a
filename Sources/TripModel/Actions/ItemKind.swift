/// What an item is. A word on the wire, so that versions may know more of them; one that is not known is an item as
/// before there were kinds.
package enum ItemKind: String, CaseIterable, Codable, Hashable, Sendable {
    case stay
    /// A thing to do.
    case activity
    /// A thing to bring.
    case bring
    case idea
    /// Days that would suit: people vote on them as on all else.
    case dates

    /// The kind that somebody means, in any case, and by a few words more.
    package init?(named name: String) {
        switch name.foldedASCII {
        case "do", "todo", "thing": self = .activity
        case "packing": self = .bring
        case "date", "when": self = .dates
        case let name:
            guard let kind = ItemKind(rawValue: name) else { return nil }
            self = kind
        }
    }
}
