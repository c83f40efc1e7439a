import DeltaCRDT

/// Elements in ascending order, each once, with their ranks: an array in pieces, so that an insertion moves one piece.
struct SortedChunks<Element: Comparable & Sendable>: Sendable {
    private var chunks: ContiguousArray<ContiguousArray<Element>>
    private(set) var count: Int

    /// The most elements of one piece.
    static var chunkMax: Int { 512 }

    /// - Parameter elements: in ascending order, each once. O(n).
    init(_ elements: some RandomAccessCollection<Element>) {
        count = elements.count
        chunks = []
        var rest = elements[...]
        while !rest.isEmpty {
            chunks.append(ContiguousArray(rest.prefix(Self.chunkMax / 2)))
            rest = rest.dropFirst(Self.chunkMax / 2)
        }
    }

    /// Puts an element where it belongs, unless it is there. O(log n + n / 512), and the moving of one piece.
    mutating func insert(_ element: Element) {
        guard !chunks.isEmpty else {
            chunks = [[element]]
            count = 1
            return check(at: 0)
        }
        let (chunk, place) = position(of: element)
        guard place == chunks[chunk].count || chunks[chunk][place] != element else { return }
        chunks[chunk].insert(element, at: place)
        count += 1
        guard chunks[chunk].count > Self.chunkMax else { return check(at: chunk) }
        let upper = ContiguousArray(chunks[chunk][(Self.chunkMax / 2)...])
        chunks[chunk].removeSubrange((Self.chunkMax / 2)...)
        chunks.insert(upper, at: chunk + 1)
        check(at: chunk)
    }

    /// Takes an element out, where it is there. O(log n), and the moving of one piece.
    mutating func remove(_ element: Element) {
        guard !chunks.isEmpty else { return }
        let (chunk, place) = position(of: element)
        guard place < chunks[chunk].count, chunks[chunk][place] == element else { return }
        chunks[chunk].remove(at: place)
        count -= 1
        if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
        check(at: min(chunk, chunks.count - 1))
    }

    /// How many elements are below one. O(log n + n / 512).
    func rank(of element: Element) -> Int {
        guard !chunks.isEmpty else { return 0 }
        let (chunk, place) = position(of: element)
        return chunks[..<chunk].reduce(place) { $0 + $1.count }
    }

    /// The element with so many below it. O(n / 512).
    subscript(rank: Int) -> Element? {
        guard rank >= 0 else { return nil }
        var rest = rank
        for chunk in chunks {
            if rest < chunk.count { return chunk[rest] }
            rest -= chunk.count
        }
        return nil
    }

    /// The elements that stand next to one, which is there itself. O(log n).
    func neighbours(of element: Element) -> [Element] {
        guard !chunks.isEmpty else { return [] }
        let (chunk, place) = position(of: element)
        let before = place > 0 ? chunks[chunk][place - 1] : chunk > 0 ? chunks[chunk - 1].last : nil
        let after =
            place + 1 < chunks[chunk].count
            ? chunks[chunk][place + 1] : chunk + 1 < chunks.count ? chunks[chunk + 1].first : nil
        return [before, after].compactMap { $0 }
    }

    /// Visits all, upwards. O(n).
    func forEach(_ body: (Element) -> Void) {
        for chunk in chunks { for element in chunk { body(element) } }
    }

    /// The piece that an element belongs to, and the first place there whose element is not below it.
    private func position(of element: Element) -> (chunk: Int, place: Int) {
        // The last piece that begins no higher; the first where none does.
        let chunk = max(0, chunks.partitioningIndex { $0[0] > element } - 1)
        return (chunk, chunks[chunk].partitioningIndex { $0 >= element })
    }

    /// In builds with `CHECK_INVARIANTS`, traps where a piece that has changed is empty, too long or not below the next one.
    /// When the number of elements is a power of two, all of them and their number are checked.
    private func check(at changed: Int) {
        #if CHECK_INVARIANTS
        let isWhole = count.nonzeroBitCount <= 1
        if isWhole {
            let sum = chunks.reduce(0) { $0 + $1.count }
            precondition(sum == count, "\(count) elements are counted, and \(chunks.count) pieces have \(sum)")
        }
        for index in isWhole ? 0..<chunks.count : changed..<changed + 1 {
            let (chunk, next) = (chunks[index], index + 1 < chunks.count ? chunks[index + 1].first : nil)
            precondition(
                (1...Self.chunkMax).contains(chunk.count) && next.map { chunk[chunk.count - 1] < $0 } ?? true
                    && (!isWhole || zip(chunk, chunk.dropFirst()).allSatisfy { $0 < $1 }),
                "piece \(index) of \(chunks.count) has \(chunk.count) elements, out of order or too many")
        }
        #endif
    }
}
