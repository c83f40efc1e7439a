/// A growing array of which copies share everything but what either has changed since: appending to a copy, or writing
/// to one of its elements, copies one chunk and the list of chunks.
///
/// For many nodes in one process alone: thousands of logs that begin alike hold their common beginning once. Access is
/// O(1).
package struct ChunkedArray<Element> {
    @usableFromInline static var shift: Int { 7 }
    @usableFromInline static var mask: Int { (1 << shift) - 1 }

    /// All are full but the last.
    @usableFromInline var chunks: [[Element]] = []
    package private(set) var count = 0

    package init() {}

    /// Appends an element. Amortised O(1), and O(`count` / 128) once after a copy.
    package mutating func append(_ element: Element) {
        if count & Self.mask == 0 {
            chunks.append([element])
        } else {
            let last = chunks.count - 1
            if chunks[last].count == chunks[last].capacity { grow(last) }
            chunks[last].append(element)
        }
        count += 1
    }

    /// Doubles the room of a chunk, up to what it will ever hold: by itself it would take twice that in the end.
    private mutating func grow(_ chunk: Int) {
        chunks[chunk].reserveCapacity(Swift.min(2 * chunks[chunk].count, Self.mask + 1))
    }
}

extension ChunkedArray: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { count }

    @inlinable
    package subscript(position: Int) -> Element {
        get { chunks[position >> Self.shift][position & Self.mask] }
        _modify { yield &chunks[position >> Self.shift][position & Self.mask] }
    }
}

extension ChunkedArray: Sendable where Element: Sendable {}
