/// How many of an item somebody brings.
package typealias ClaimView = LastWord<Int64>

/// Whether somebody is going.
package typealias AttendanceView = LastWord<Attendance>

/// What somebody answers to a question.
package typealias AnswerView = LastWord<GivenAnswer>

/// What somebody says of an item.
package struct CommentView: Codable, Hashable, Sendable {
    package let id: CommentID
    package let author: ParticipantID
    package let authorName: String
    package let text: String
    /// Milliseconds since 1970 by the author's clock.
    package let at: Int64

    package init(id: CommentID, author: ParticipantID, authorName: String, text: String, at: Int64) {
        self.id = id
        self.author = author
        self.authorName = authorName
        self.text = text
        self.at = at
    }
}

/// What few items show: where they stand, who brings them, who is going, what is there, what people say, photos.
package struct ItemSayings: Codable, Hashable, Sendable {
    /// The list that it is in; nil for none.
    package var list: ListLabel?
    /// Where the change stands that put it there; nil where nobody did.
    package var placed: LamportTimestamp?
    /// In the order of the names, by bytes.
    package var claims: [ClaimView] = []
    /// In the order of the names, by bytes.
    package var attendance: [AttendanceView] = []
    /// In the order of their bytes.
    package var amenities: [String] = []
    /// Of a question, in the order in which they were added.
    package var options: [String] = []
    /// To a question, in the order of the names, by bytes.
    package var answers: [AnswerView] = []
    /// Oldest first, in the one order that extends causality.
    package var comments: [CommentView] = []
    /// As they came.
    package var photos: [PhotoView] = []

    package init() {}
}

/// A list as its items name it.
package struct ListLabel: Codable, Hashable, Sendable {
    package let id: ListID
    package let title: String

    package init(id: ListID, title: String) {
        self.id = id
        self.title = title
    }
}

/// A list as people see it.
package struct ListView: Codable, Hashable, Sendable {
    package let id: ListID
    /// Its title, note and kind.
    package let fields: [Field: FieldView]
    /// Those that are in it, in its order.
    package let items: [ItemID]
    package let isRemoved: Bool
    package let addedBy: ParticipantID
    package let addedByName: String

    package init(
        id: ListID, fields: [Field: FieldView], items: [ItemID], isRemoved: Bool, addedBy: ParticipantID,
        addedByName: String
    ) {
        self.id = id
        self.fields = fields
        self.items = items
        self.isRemoved = isRemoved
        self.addedBy = addedBy
        self.addedByName = addedByName
    }

    package var title: String { fields[.title]?.value ?? "" }
    package var shortID: String { id.leastShortID }
    package var kind: ItemKind? { fields[.itemKind].flatMap { ItemKind(rawValue: $0.value) } }
}
