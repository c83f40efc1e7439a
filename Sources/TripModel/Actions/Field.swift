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
    /// `Field.setValue` when the item is done; cleared when it is not.
    case done = 8
    /// Rooms, as one would say it: "2 bedrooms, a kitchen".
    case rooms = 9
    /// What the item is: an `ItemKind`, or a word that a newer version knows.
    case itemKind = 10
    /// When: a day, or an arrival and a departure (`DateSpan`).
    case dates = 11
    /// In how many beds one sleeps there.
    case beds = 12
    /// What the place is called: a street, a quarter, a town.
    case address = 13
    /// `Field.setValue` if the group decided for it. The write's author is the person who says so.
    case chosen = 14
    /// What it cost, who paid and whose it is (`Cost`).
    case cost = 15
    /// That one person paid another (`Cost`): written once, by either of the two.
    case payment = 16
    /// What an expense was for: food, transport.
    case category = 17
    /// By when it is to be done: one day, perhaps with a time of it (`DateSpan`).
    case due = 18
    /// Who is to do it: a participant's id. Whether they will is their answer (`Attendance`).
    case assignee = 19
    /// How a question is answered (`Question`): written once, by the operation that makes the item.
    case question = 20
    /// The telephone number to call about it, as people write it.
    case phone = 21

    /// The one value that a flag may have: `done` and `chosen`.
    package static let setValue = "true"

    /// The fields that people write as texts. The others belong to expenses and questions, which have their own forms, or name a person.
    package static let texts = allCases.filter { ![.cost, .payment, .category, .assignee, .question].contains($0) }

    /// The fields of what is planned: those, and the person who is to do it, written by name.
    package static let ofPlans = texts + [.assignee]

    /// Whether an edit may write it. A payment and the way to answer a question are written once.
    var isEditable: Bool { self != .payment && self != .question }

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
        case .rooms: ("rooms", .phrase)
        case .itemKind: ("kind", .word)
        case .dates: ("dates", .dates)
        case .beds: ("beds", .count)
        case .address: ("address", .phrase)
        case .chosen: ("chosen", .flag)
        case .cost: ("cost", .cost)
        case .payment: ("payment", .cost)
        case .category: ("category", .phrase)
        case .due: ("due", .day)
        case .assignee: ("assignee", .person)
        case .question: ("question", .question)
        case .phone: ("phone", .phrase)
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
    /// `Field.setValue`, or nothing.
    case flag
    /// A short word of letters a to z.
    case word
    /// A `DateSpan`.
    case dates
    /// A `DateSpan` without a departure and without a length.
    case day
    /// A whole number from 1 to `Limits.countMax`.
    case count
    /// A `Cost`.
    case cost
    /// A `ParticipantID`.
    case person
    /// A `Question`.
    case question

    /// The most characters of a value.
    package var charactersMax: Int {
        switch self {
        case .heading: Limits.titleCharacters
        case .phrase, .place: Limits.phraseCharacters
        case .prose: Limits.proseCharacters
        case .link: Limits.linkCharacters
        case .flag: Limits.flagCharacters
        case .word: Limits.wordCharacters
        // Before it is brought into its form.
        case .dates, .day: Limits.datesCharacters
        case .count: Limits.countCharacters
        case .cost: Limits.costCharacters
        case .person: Limits.personCharacters
        case .question: Limits.questionCharacters
        }
    }
}

extension Field: Comparable {
    package static func < (left: Field, right: Field) -> Bool { left.rawValue < right.rawValue }
}
