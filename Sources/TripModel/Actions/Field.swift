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
    package var name: String { definition.name }

    /// What its values are.
    package var kind: FieldKind { definition.kind }

    /// All that the model says of a field. One that is added gets a case and a line here, and nothing elsewhere.
    private var definition: (name: String, kind: FieldKind) {
        switch self {
        case .title: ("title", .heading)
        case .note: ("note", .prose)
        case .link: ("link", .link)
        case .price: ("price", .phrase)
        case .place: ("place", .place)
        case .host: ("host", .phrase)
        case .details: ("details", .prose)
        case .done: ("done", .flag)
        }
    }
}

/// What the values of a field are, and how long at most, in characters (Unicode scalars).
package enum FieldKind: Hashable, Sendable {
    /// One line that an item is known by.
    case heading
    /// One line.
    case phrase
    /// Several lines.
    case prose
    /// A web address, with http or https.
    case link
    /// Latitude and longitude in degrees.
    case place
    /// `Field.doneValue`, or nothing.
    case flag

    /// The most characters of a value.
    package var charactersMax: Int {
        switch self {
        case .heading: Limits.titleCharacters
        case .phrase, .place: Limits.phraseCharacters
        case .prose: Limits.noteCharacters
        case .link: Limits.linkCharacters
        case .flag: Limits.flagCharacters
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
