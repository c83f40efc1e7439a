import TripModel

/// This device's person's wish list, as it follows from what their devices wrote.
struct KeptWishes: Sendable {
    /// Changes a list, as a writer of this name.
    /// - Returns: what other devices merge.
    typealias Change = (_ list: inout WishList, _ writer: UInt64) throws(TripError) -> [UInt8]

    private(set) var list = WishList()
    /// The writer under which wishes are added here. It is drawn again whenever the list is made again, because a copy of this
    /// home, or this home restored from a backup, adds under the same device.
    private let writer = UInt64.random(in: 0 ... .max)
    /// How many devices of this person can read the whole list.
    private var readerCount = 0
    private var isWritingAll = false

    /// Merges what one of this person's devices wrote.
    ///
    /// - Parameter readers: how many devices can read it.
    /// - Returns: whether the list is another one now.
    mutating func take(_ content: [UInt8], readers: Int) -> Bool {
        readerCount = max(readerCount, readers)
        return list.merge(content)
    }

    /// What a change of the list says to this person's devices: the change alone, or all of the list where one of them has
    /// come since.
    ///
    /// - Parameter devices: how many they are.
    func note(of change: Change, to devices: Int) throws(TripError) -> [UInt8] {
        var list = list
        let said = try change(&list, writer)
        return readerCount < devices ? list.encoded : said
    }

    static func adding(_ new: [Wish]) -> Change {
        { (list, writer) throws(TripError) in
            var delta = WishList()
            for wish in new { delta.merge(try list.add(wish, by: writer)) }
            return delta.encoded
        }
    }

    static func removing(_ gone: [Wish]) -> Change {
        { (list, _) throws(TripError) in
            var delta = WishList()
            for wish in gone { delta.merge(try list.remove(wish)) }
            return delta.encoded
        }
    }

    /// Whether one of this person's devices can't read what was written before.
    func lacksReaders(among devices: Int) -> Bool { !list.wishes.isEmpty && readerCount < devices }

    /// Begins to write the whole list again, unless that is being done.
    mutating func beginWritingAll() -> Bool {
        guard !isWritingAll else { return false }
        isWritingAll = true
        return true
    }

    mutating func endWritingAll() { isWritingAll = false }
}
