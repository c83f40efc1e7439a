import TripPage

/// What a browser has of a page: nothing at first, then what the last patch left.
struct BrowserCopy: Sendable {
    private var title: String?
    private var hashes: [String: Int] = [:]
    private var lists: [String: [String]] = [:]
    private var isEmpty = true

    /// What makes the browser's copy this drawing; nil where it is that already. The copy counts as such from then on.
    mutating func patch(to drawing: Drawing) -> PagePatch? {
        var patch = PagePatch()
        var newHashes: [String: Int] = [:]
        newHashes.reserveCapacity(drawing.pieces.count)
        for piece in drawing.pieces {
            newHashes[piece.id] = piece.hash
            if hashes[piece.id] != piece.hash { patch.put.append((piece.id, piece.markup)) }
        }
        patch.drop = hashes.keys.filter { newHashes[$0] == nil }.sorted()
        if title != drawing.title { patch.title = drawing.title }
        if isEmpty {
            patch.lists = drawing.lists.map { ($0.id, $0.order) }
        } else {
            for list in drawing.lists {
                patch.place += PagePatch.moves(from: lists[list.id] ?? [], to: list.order, in: list.id)
            }
        }
        title = drawing.title
        hashes = newHashes
        lists = Dictionary(drawing.lists.map { ($0.id, $0.order) }) { first, _ in first }
        isEmpty = false
        return patch.isEmpty ? nil : patch
    }
}

/// A change of a page: its window's title, regions that are new or look otherwise, regions that go, regions that move.
/// Applied in this order.
struct PagePatch: Sendable {
    struct Move: Hashable, Sendable {
        let id: String
        let list: String
        /// The region that it stands before; nil for the list's end.
        let before: String?
    }

    var title: String?
    var put: [(id: String, markup: String)] = []
    var drop: [String] = []
    var place: [Move] = []
    /// The whole order of each list, for a browser of which nothing is known.
    var lists: [(id: String, order: [String])]?

    var isEmpty: Bool { title == nil && put.isEmpty && drop.isEmpty && place.isEmpty && lists == nil }

    /// In one line.
    var json: String {
        var json = JSONText()
        json.raw("{")
        if let title {
            json.raw("\"title\":")
            json.string(title)
            json.raw(",")
        }
        json.raw("\"put\":")
        json.array(put) { json, region in
            json.raw("{\"id\":")
            json.string(region.id)
            json.raw(",\"html\":")
            json.string(region.markup)
            json.raw("}")
        }
        json.raw(",\"drop\":")
        json.array(drop) { $0.string($1) }
        json.raw(",\"place\":")
        json.array(place) { json, move in
            json.raw("[")
            json.string(move.id)
            json.raw(",")
            json.string(move.list)
            json.raw(",")
            if let before = move.before { json.string(before) } else { json.raw("null") }
            json.raw("]")
        }
        if let lists {
            json.raw(",\"lists\":{")
            for (place, list) in lists.enumerated() {
                if place > 0 { json.raw(",") }
                json.string(list.id)
                json.raw(":")
                json.array(list.order) { $0.string($1) }
            }
            json.raw("}")
        }
        json.raw("}")
        return json.text
    }

    // MARK: - Moves

    /// The fewest moves that make one order the other, once what is not in the new one is gone: all but a longest
    /// increasing subsequence move. They are done from the end on, so that what each stands before is in its place.
    /// O(n log n).
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
            var (low, high) = (0, tails.count)
            while low < high {
                let middle = (low + high) / 2
                if let tail = values[tails[middle]], tail < value { low = middle + 1 } else { high = middle }
            }
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
