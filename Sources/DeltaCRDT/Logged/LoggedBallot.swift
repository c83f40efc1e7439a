/// The last word of each author over a log, such as a vote on one subject: a ``VoteCounter`` for events of a causal log, with any words.
///
/// The greatest event of an author counts, so somebody who votes twice, or on two devices, counts once. An event comes after all that its
/// author had seen, so a word replaces every earlier one that its author knew of (a last-writer-wins register for each author: Shapiro,
/// Preguiça, Baquero and Zawirski, 2011).
public struct LoggedBallot<Word: Hashable & Sendable, ID: AuthoredID>: Hashable, Sendable {
    /// The last word of an author.
    public struct Entry: Hashable, Sendable {
        /// The event that said it.
        public let id: ID
        /// Nil where the author withdrew it.
        public let word: Word?

        @inlinable init(id: ID, word: Word?) {
            self.id = id
            self.word = word
        }
    }

    /// Ascending by author.
    @usableFromInline var standing: [Entry] = []

    /// A ballot on which nobody has voted. Complexity: O(1).
    @inlinable
    public init() {}

    /// The last words, withdrawn ones too, ascending by author. Complexity: O(1).
    @inlinable public var entries: [Entry] { standing }

    /// The last word of an author; nil where they never said one. Complexity: O(log authors).
    @inlinable public subscript(author: ID.Author) -> Entry? {
        let index = place(of: author)
        return index < standing.count && standing[index].id.author == author ? standing[index] : nil
    }

    /// Takes a word, or nil for a withdrawal, if its event is the greatest of its author.
    ///
    /// Complexity: O(log authors), and O(authors) for a new one.
    @inlinable
    public mutating func say(_ word: Word?, by id: ID) {
        let author = id.author
        let index = place(of: author)
        if index == standing.count || standing[index].id.author != author {
            standing.insert(Entry(id: id, word: word), at: index)
        } else if standing[index].id < id {
            standing[index] = Entry(id: id, word: word)
        }
    }

    /// The first index whose author is not before another one.
    @inlinable func place(of author: ID.Author) -> Int { standing.partitioningIndex { !$0.id.isBefore(author) } }
}
