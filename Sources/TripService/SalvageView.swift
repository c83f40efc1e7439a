/// What was recovered of a trip whose store was damaged.
package struct SalvageView: Hashable, Sendable {
    /// Changes of one author that are lost.
    package struct Loss: Hashable, Sendable {
        /// Nil where nothing says whose they were.
        package let author: String?
        package let count: Int
        /// When its author wrote the change before them, and the one after them, in milliseconds since 1970; nil where it is not known.
        package let after: Int64?
        package let before: Int64?

        package init(author: String?, count: Int, after: Int64?, before: Int64?) {
            self.author = author
            self.count = count
            self.after = after
            self.before = before
        }
    }

    /// Intact changes of one author that build on lost ones.
    package struct Waiting: Hashable, Sendable {
        package let author: String
        package let count: Int
        /// When the first and the last of them were written.
        package let from: Int64
        package let to: Int64

        package init(author: String, count: Int, from: Int64, to: Int64) {
            self.author = author
            self.count = count
            self.from = from
            self.to = to
        }
    }

    /// How the trip is called in its home.
    package let id: String
    package let title: String
    /// Changes that the trip has now.
    package let kept: Int
    /// Changes, and key files, in which one bit had been flipped.
    package let mended: Int
    package let lost: [Loss]
    package let waiting: [Waiting]
    /// Whether nothing was damaged, so that nothing was done.
    package let isWhole: Bool
    /// Where the damaged folder is kept; nil where nothing was done.
    package let damagedFolder: String?

    package init(
        id: String, title: String, kept: Int, mended: Int, lost: [Loss], waiting: [Waiting], isWhole: Bool,
        damagedFolder: String?
    ) {
        self.id = id
        self.title = title
        self.kept = kept
        self.mended = mended
        self.lost = lost
        self.waiting = waiting
        self.isWhole = isWhole
        self.damagedFolder = damagedFolder
    }
}
