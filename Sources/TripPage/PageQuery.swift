import TripExchange
package import TripModel

/// What of the trip a page shows, as its address says it: so links work without script, and a page that is loaded again
/// shows the same.
///
/// In addresses: `?view=ranking&sort=votes&kind=stay&find=casa&open=b4e7…&at=120&compare=a1…,b4…`, `?view=sources&from=viewed`; what
/// is at its default is left out, and what is not understood is passed over.
package struct PageQuery: Hashable, Sendable {
    package enum View: String, CaseIterable, Sendable {
        case cards, ranking, compare, bring, map, days, costs, questions, notes, sources, members, history, status,
            safety, trips, help
    }

    /// Where people share from.
    package enum Source: Hashable, Sendable {
        case wishes, viewed
        /// By its name.
        case feed(String)
    }

    /// The cards that come before the others, which stand as they were added.
    package enum Priority: String, Sendable {
        /// Those on which the viewer did not vote.
        case unvoted
        /// Those that are new to the viewer.
        case new
    }

    package var view = View.cards
    package var source = Source.wishes
    package var sort = ItemOrder.order
    /// The kind of the items that cards and the ranking show; nil for all.
    package var kind: ItemKind?
    /// Nil where no cards come before the others.
    package var priority: Priority?
    /// What is searched for; empty for nothing.
    package var find = ""
    /// The short id of the item whose card is expanded.
    package var open: String?
    /// Whether that card's fields are being edited.
    package var isEditing = false
    /// The photo of that card that is shown large.
    package var photo: PhotoID?
    /// How many rows of the list its reader has passed, a multiple of `ListWindow.step`: what is drawn is around there. Nil
    /// for the beginning, or else from the open card on.
    package var at: Int?
    /// Short ids of the items that are compared, at most 3.
    package var compare: [String] = []

    package static let atMax = 999_990
    package static let compareMax = 3
    /// In characters.
    package static let findMax = 100

    package init() {}

    /// Reads a query's names and values, decoded.
    package init(_ pairs: [(name: String, value: String)]) {
        for (name, value) in pairs {
            switch name {
            case "view": view = View(rawValue: value) ?? view
            case "from": source = Source(value) ?? source
            case "sort":
                sort = ItemOrder(rawValue: value) ?? sort
                priority = Priority(rawValue: value)
            case "kind": kind = ItemKind(rawValue: value)
            case "find": find = String(value.prefix(Self.findMax))
            case "open": open = Self.shortID(value)
            case "edit": isEditing = value == "1"
            case "photo": photo = PhotoID(value)
            case "at": at = Int(value).map { min(max($0, 0), Self.atMax) / ListWindow.step * ListWindow.step } ?? at
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
        if source != .wishes { pairs.append(("from", source.text)) }
        if priority != nil || sort != .order { pairs.append(("sort", sortText)) }
        if let kind { pairs.append(("kind", kind.rawValue)) }
        if !find.isEmpty { pairs.append(("find", find)) }
        if let open { pairs.append(("open", open)) }
        if isEditing { pairs.append(("edit", "1")) }
        if let photo { pairs.append(("photo", photo.description)) }
        if let at { pairs.append(("at", String(at))) }
        if !compare.isEmpty { pairs.append(("compare", compare.joined(separator: ","))) }
        return pairs
    }

    /// How the order is named in addresses.
    var sortText: String { priority?.rawValue ?? sort.rawValue }

    /// As it stands after the question mark of an address, encoded; empty for all defaults.
    package var text: String {
        pairs.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }.joined(separator: "&")
    }

    private static func shortID(_ text: String) -> String? {
        (4...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
            ? text : nil
    }
}

extension PageQuery.Source {
    private static let feedMark = "feed:"
    /// In characters.
    private static let nameMax = 100

    /// As it stands in addresses and forms.
    package var text: String {
        switch self {
        case .wishes: "wishes"
        case .viewed: "viewed"
        case .feed(let name): Self.feedMark + name
        }
    }

    package init?(_ text: String) {
        switch text {
        case "wishes": self = .wishes
        case "viewed": self = .viewed
        case let text where text.hasPrefix(Self.feedMark):
            self = .feed(String(text.dropFirst(Self.feedMark.count).prefix(Self.nameMax)))
        default: return nil
        }
    }
}
