import Foundation
import TripPage

/// What a browser has of a page: nothing at first, then what the last patch left.
struct BrowserCopy: Sendable {
    private var title: String?
    private var hashes: [String: Int] = [:]
    private var partHashes: [String: Int] = [:]
    private var lists: [String: [String]] = [:]
    /// By the fragments that hold their boxes.
    private var notes: [String: NoteText] = [:]
    private(set) var isEmpty = true

    /// What makes the browser's copy this drawing; nil where it is that already. The copy counts as such from then on.
    mutating func patch(to drawing: Drawing) -> PagePatch? {
        var patch = PagePatch()
        let (oldHashes, oldParts, oldNotes) = (hashes, partHashes, notes)
        (hashes, partHashes) = ([:], [:])
        notes = Dictionary(drawing.content.notes.map { ($0.name.fragment, $0) }) { first, _ in first }
        hashes.reserveCapacity(drawing.pieces.count)
        for piece in drawing.pieces {
            hashes[piece.id] = piece.hash
            let isWhole = oldHashes[piece.id] != piece.hash
            if isWhole { patch.put.append(PagePatch.Put(id: piece.id, html: piece.markup.text)) }
            for (part, hash) in zip(piece.markup.parts, piece.partHashes) {
                partHashes[part.id] = hash
                guard !isWhole, oldParts[part.id] != hash else { continue }
                if oldParts[part.id] != nil, let note = notes[part.id], let old = oldNotes[part.id],
                    old.mark != note.mark
                {
                    patch.notes = (patch.notes ?? []) + [PagePatch.NoteChange(from: old, to: note)]
                } else {
                    patch.put.append(PagePatch.Put(id: part.id, html: String(piece.markup.text(in: part.range))))
                }
            }
        }
        patch.drop = oldHashes.keys.filter { hashes[$0] == nil }.sorted()
        if title != drawing.content.title { patch.title = drawing.content.title }
        let orders = Dictionary(drawing.lists.map { ($0.id, $0.order) }) { first, _ in first }
        if isEmpty {
            patch.lists = orders
        } else {
            for list in drawing.lists {
                patch.place += PagePatch.moves(from: lists[list.id] ?? [], to: list.order, in: list.id)
            }
        }
        (title, lists, isEmpty) = (drawing.content.title, orders, false)
        if patch.isEmpty { return nil }
        if !notes.isEmpty { patch.reading = drawing.reading }
        return patch
    }
}

/// A change of a page: its window's title, fragments that are new or look otherwise, fragments that go, fragments that move.
/// Applied in this order.
struct PagePatch: Encodable, Sendable {
    /// A fragment, or one within a fragment that stays.
    struct Put: Encodable, Sendable {
        let id: String
        let html: String
    }

    /// What changed in a note whose text the browser has: 100 kB need not be sent for a letter.
    struct NoteChange: Encodable, Hashable, Sendable {
        /// Of its box.
        let id: String
        /// Of the new text.
        let mark: String
        let splice: TextSplice

        init(from old: NoteText, to new: NoteText) {
            (id, mark) = (new.name.id, new.mark)
            splice = TextSplice(from: old.text, to: new.text)
        }
    }

    struct Move: Hashable, Sendable {
        let id: String
        let list: String
        /// The fragment that it stands before; nil for the list's end.
        let before: String?
    }

    var title: String?
    var put: [Put] = []
    var drop: [String] = []
    var place: [Move] = []
    /// The whole order of each list, for a browser of which nothing is known.
    var lists: [String: [String]]?
    var notes: [NoteChange]?
    /// Which reading of the trip this is, for a page that has notes.
    var reading: Int64?

    var isEmpty: Bool {
        title == nil && put.isEmpty && drop.isEmpty && place.isEmpty && lists == nil && notes == nil
    }

    /// In one line.
    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        // Texts alone, of which each can be encoded.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    // MARK: - Moves

    /// The fewest moves that make one order the other, once what is not in the new one is gone: all but a longest
    /// increasing subsequence move. They are done from the end on, so that what each stands before is in its place.
    /// O(n²) in the rows of a window (`ListWindow`).
    static func moves(from old: [String], to new: [String], in list: String) -> [Move] {
        if old == new { return [] }
        let places = Dictionary(old.enumerated().map { ($1, $0) }) { first, _ in first }
        let staying = longestIncreasing(new.map { places[$0] })
        var moves: [Move] = []
        for place in new.indices.reversed() where !staying.contains(place) {
            moves.append(Move(id: new[place], list: list, before: place + 1 < new.count ? new[place + 1] : nil))
        }
        return moves
    }

    /// Positions of a longest strictly increasing subsequence; nil is in none (Fredman, "On computing the length of
    /// longest increasing subsequences", 1975).
    static func longestIncreasing(_ values: [Int?]) -> Set<Int> {
        var tails: [Int] = []  // positions: the least value that ends a sequence of each length
        var before: [Int: Int] = [:]
        for (position, value) in values.enumerated() {
            guard let value else { continue }
            let low = tails.firstIndex { values[$0].map { $0 >= value } ?? true } ?? tails.count
            if low > 0 { before[position] = tails[low - 1] }
            if low == tails.count { tails.append(position) } else { tails[low] = position }
        }
        var chosen: Set<Int> = []
        var next = tails.last
        while let position = next {
            chosen.insert(position)
            next = before[position]
        }
        return chosen
    }
}

extension PagePatch.Move: Encodable {
    func encode(to encoder: any Encoder) throws {
        var fields = encoder.unkeyedContainer()
        try fields.encode(id)
        try fields.encode(list)
        try fields.encode(before)
    }
}
