/// A field of an item. The raw value is its number in payloads and never changes.
package enum Field: UInt8, CaseIterable, Hashable, Sendable {
    case title = 1
    case note = 2
    /// A web address, with http or https.
    case link = 3
    case price = 4
    /// Where it is: latitude and longitude in degrees, "48.8584,2.2945".
    case place = 5
    case host = 6
    case details = 7
    /// `Field.doneValue` when the item is done; cleared when it is not.
    case done = 8

    /// The one value that `done` may have.
    package static let doneValue = "true"

    /// The field's name, as in JSON and in messages.
    package var name: String {
        switch self {
        case .title: "title"
        case .note: "note"
        case .link: "link"
        case .price: "price"
        case .place: "place"
        case .host: "host"
        case .details: "details"
        case .done: "done"
        }
    }
}

extension Field: Comparable {
    package static func < (left: Field, right: Field) -> Bool { left.rawValue < right.rawValue }
}

/// What a participant thinks of an item.
package enum Vote: UInt8, Hashable, Sendable {
    case `for` = 1
    case against = 2

    /// The vote's name, as in JSON.
    package var name: String { self == .for ? "for" : "against" }

    /// What the vote adds to the tally: +1 or −1.
    package var weight: Int { self == .for ? 1 : -1 }
}
