package import TripModel

/// What of the trip a page shows, as its address says it: so links work without script, and a page that is loaded again
/// shows the same.
///
/// In addresses: `?view=ranking&sort=votes&find=casa&open=b4e7…&show=120&compare=a1…,b4…`; what is at its default is left
/// out, and what is not understood is passed over.
package struct PageQuery: Hashable, Sendable {
    package enum View: String, CaseIterable, Sendable {
        case cards, ranking, compare, bring, map, members, history, status, trips, help
    }

    package var view = View.cards
    package var sort = ItemOrder.order
    /// What is searched for; empty for nothing.
    package var find = ""
    /// The short id of the item whose card is expanded.
    package var open: String?
    /// Whether that card's fields are being edited.
    package var isEditing = false
    /// How many cards are shown; more are asked for as the reader comes near the end.
    package var show = PageQuery.step
    /// Short ids of the items that are compared, at most 3.
    package var compare: [String] = []

    package static let step = 60
    package static let showMax = 50_000
    package static let compareMax = 3
    /// In characters.
    package static let findMax = 100

    package init() {}

    /// Reads a query's names and values, decoded.
    package init(_ pairs: [(name: String, value: String)]) {
        for (name, value) in pairs {
            switch name {
            case "view": view = View(rawValue: value) ?? view
            case "sort": sort = ItemOrder(rawValue: value) ?? sort
            case "find": find = String(value.prefix(Self.findMax))
            case "open": open = Self.shortID(value)
            case "edit": isEditing = value == "1"
            case "show": show = Int(value).map { min(max($0, Self.step), Self.showMax) } ?? show
            case "compare":
                compare = Array(
                    value.split(separator: ",").compactMap { Self.shortID(String($0)) }.prefix(Self.compareMax))
            default: continue
            }
        }
    }

    /// Names and values, not encoded, defaults left out.
    package var pairs: [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        if view != .cards { pairs.append(("view", view.rawValue)) }
        if sort != .order { pairs.append(("sort", sort.rawValue)) }
        if !find.isEmpty { pairs.append(("find", find)) }
        if let open { pairs.append(("open", open)) }
        if isEditing { pairs.append(("edit", "1")) }
        if show != Self.step { pairs.append(("show", String(show))) }
        if !compare.isEmpty { pairs.append(("compare", compare.joined(separator: ","))) }
        return pairs
    }

    /// As it stands after the question mark of an address, encoded; empty for all defaults.
    package var text: String {
        pairs.map { PagePath.encoded($0.name) + "=" + PagePath.encoded($0.value) }.joined(separator: "&")
    }

    private static func shortID(_ text: String) -> String? {
        (4...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
            ? text : nil
    }
}
