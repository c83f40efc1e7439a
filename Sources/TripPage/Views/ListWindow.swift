/// The rows of a long list that are drawn: those around its reader. Of the others a page holds their number alone.
///
/// Row counts are multiples of `step`, which one, two and three columns divide: rows that go and come leave those between them
/// in their columns.
package struct ListWindow: Hashable, Sendable {
    /// Of all rows.
    package let count: Int
    /// What is drawn, by places from 0.
    package let range: Range<Int>

    package static let step = 30
    /// How many rows a page shows first.
    package static let first = 60
    /// How many rows are drawn before its reader, and from there on.
    package static let behind = 60
    package static let ahead = 90

    /// - Parameters:
    ///   - at: how many rows the reader has passed (`PageQuery.at`).
    ///   - open: the place of the row that is open.
    package init(count: Int, at: Int?, open: Int? = nil) {
        self.count = count
        if let at {
            // Of a list that has become shorter, its end.
            let at = at - Self.behind < count ? at : max(0, count - 1) / Self.step * Self.step
            range = max(0, at - Self.behind)..<min(count, at + Self.ahead)
        } else {
            // A link to a row shows that row first.
            let start = open.map { $0 < Self.first ? 0 : $0 } ?? 0
            range = start..<min(count, start + Self.first)
        }
    }

    /// How many rows the reader of a row has passed, in few numbers, for what leads back there: rows are drawn alike
    /// while the window moves.
    static func at(row: Int) -> Int? { row < first ? nil : row / first * first }
}

extension TripPage {
    /// The fragments `earlier` and `later` around a list: how many rows are not drawn there, and the links to them. The script makes them
    /// as high as those rows, and requests the rows that scroll into view.
    static func beyond(_ window: ListWindow, _ state: PageState) -> [Fragment] {
        let (before, after) = (window.range.lowerBound, window.count - window.range.upperBound)
        let target = PageTarget(state)
        return [
            beyond(
                "earlier", before, label: "Show earlier (\(before))",
                target.link { $0.at = max(0, before - ListWindow.ahead) }),
            beyond(
                "later", after, label: "Show more (\(after) left)",
                target.link { $0.at = window.range.upperBound + ListWindow.behind }),
        ]
    }

    private static func beyond(_ id: String, _ count: Int, label: String, _ link: Link) -> Fragment {
        Fragment(
            id: id,
            html: tag(.div, .id(id), .class("beyond"), .data(.rows, String(count))) {
                if count > 0 { tag(.a, .class("button"), .href(link)) { label } }
            })
    }
}
