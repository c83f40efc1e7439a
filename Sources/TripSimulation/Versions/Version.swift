import TripModel

/// What a machine of a mixed group runs. The version that ships plays the newer one; the older knows less of all that may
/// grow.
enum Version: CaseIterable, Hashable, Sendable {
    case older
    case newer

    /// What it reads of content.
    var vocabulary: Vocabulary {
        switch self {
        case .older:
            Vocabulary(
                kindMax: Self.olderKindMax, fieldMax: Field.host.rawValue, voteMax: Vote.against.rawValue,
                titleCharacters: Self.olderTitleCharacters)
        case .newer: .current
        }
    }

    /// Whether some content says something that a newer version knows.
    func misses(_ content: [UInt8]) -> Bool { TripContent(content, vocabulary: vocabulary).hasUnknown }

    /// Places in lists, and nothing that came after them: no comments, claims, answers and amenities.
    private static let olderKindMax: UInt64 = 10
    private static let olderTitleCharacters = 24
}

// The same in people's words, for an observer who reads no content.
extension Version {
    func knows(_ field: Field) -> Bool { self == .newer || field <= .host }

    func knows(_ vote: Vote?) -> Bool { self == .newer || vote != .ifNeedBe }

    /// Whether a value can be shown at a field that is known.
    func shows(_ value: String?, at field: Field) -> Bool {
        self == .newer || field != .title || (value?.unicodeScalars.count ?? 0) <= Self.olderTitleCharacters
    }

    /// Whether what somebody did has any effect, where all is known that it is done to.
    func knows(_ meaning: TripSpecification.Meaning) -> Bool {
        switch meaning {
        case .claim, .attend, .answer, .seal, .close, .reveal, .options, .comment, .amenities, .attach, .detach, .undo,
            .wish, .unwish, .editNote:
            self == .newer
        case .vote(_, let vote): knows(vote)
        case .add(let drafts, _): drafts.allSatisfy { shows($0.fields[.title], at: .title) }
        case .edit, .plan, .remove, .restore, .quantity, .addList, .editList, .removeList, .restoreList, .move,
            .removeComment, .setTitle, .setName:
            true
        }
    }

    /// Whether what somebody did says something that a newer version knows. A title that is too long for this one is not
    /// that: it may be anybody's mistake.
    func misses(_ meaning: TripSpecification.Meaning) -> Bool {
        switch meaning {
        case .claim, .attend, .answer, .seal, .close, .reveal, .options, .comment, .amenities, .attach, .detach, .undo,
            .wish, .unwish, .editNote:
            self == .older
        case .vote(_, let vote): !knows(vote)
        case .add(let drafts, _): drafts.contains { misses($0.fields.keys) }
        case .addList(let fields, let drafts): misses(fields.keys) || drafts.contains { misses($0.fields.keys) }
        case .edit(_, let fields, _), .editList(_, let fields): misses(fields.keys)
        case .plan: misses([.dates, .chosen])
        case .remove, .restore, .quantity, .removeList, .restoreList, .move, .removeComment, .setTitle, .setName: false
        }
    }

    private func misses(_ fields: some Sequence<Field>) -> Bool { fields.contains { !knows($0) } }

    /// Whether people of this version can do that.
    func says(_ meaning: TripSpecification.Meaning) -> Bool { knows(meaning) && !misses(meaning) }
}
