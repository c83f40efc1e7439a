/// A line of a text, and how many bytes of UTF-8 of it lie before a position. Both are counted from 0.
public struct TextLocation: Hashable, Sendable {
    /// How many line feeds lie before it.
    public let line: Int
    /// How many bytes lie between it and the beginning of its line.
    public let column: Int

    /// A line and a column. Complexity: O(1).
    public init(line: Int, column: Int) { (self.line, self.column) = (line, column) }
}

extension Text {
    /// The line and column of a position. A line ends with a line feed. Complexity: O(position), and O(n) once.
    public func location(of position: Int) -> TextLocation {
        let store = causal.store.arranged
        require(position, upTo: store.index.tree.weight, in: "text")
        var (line, start, passed) = (0, 0, 0)
        store.forEachStretch { stretch in
            for (offset, byte) in stretch.prefix(max(0, position - passed)).enumerated() where byte == 0x0A {
                (line, start) = (line + 1, passed + offset + 1)
            }
            passed += stretch.count
        }
        return TextLocation(line: line, column: position - start)
    }

    /// The position of a line and column; the end of the line where it has fewer columns, nil where there is no such line.
    ///
    /// Complexity: O(n).
    public func position(of location: TextLocation) -> Int? {
        guard location.line >= 0, location.column >= 0 else { return nil }
        let store = causal.store.arranged
        var (line, start, end, passed) = (0, 0, store.index.tree.weight, 0)
        store.forEachStretch { stretch in
            guard line <= location.line else { return }
            for (offset, byte) in stretch.enumerated() where byte == 0x0A {
                if line == location.line { end = passed + offset }
                line += 1
                if line == location.line { start = passed + offset + 1 }
                if line > location.line { break }
            }
            passed += stretch.count
        }
        guard line >= location.line else { return nil }
        return min(end, start + min(location.column, end - start))
    }
}
