import Attachments
package import TripModel

/// A trip as one document to keep: its days, cards with photos, questions, costs with receipts, people and history.
///
/// It needs no node and no network, holds no script, and links to the web alone.
package enum ArchivePage {
    /// The document. O(n) for what the state holds, and for the pictures.
    ///
    /// - Parameters:
    ///   - state: whose viewer is no participant, so that there is nothing to press.
    ///   - now: when it is made, in milliseconds since 1970.
    ///   - source: the whole address of a picture, such as a `data:` URL; nil leaves the picture out.
    package static func document(_ state: PageState, now: Int64, source: @escaping (PhotoPath) -> String?) -> String {
        let title = TripPage.title(of: state.trip)
        let costs = state.trip.costs
        var plan = state
        // What is kept has no today: each date has its year.
        plan.now = 0
        plan.trip = state.trip.plan
        let still = Still(trip: state.tripID, source: source)
        let body = tag(.body) {
            tag(.div, .class("page", "archive")) {
                tag(.main) {
                    tag(.h1, .plain(.dir, "auto")) { title }
                    tag(.p, .class("hint")) { "A copy of \(TripPage.momentText(now, state: plan))" }
                    for part in parts(plan, of: state.trip, costs) { still.html(part) }
                }
            }
        }
        let head = tag(.head) {
            tag(.meta, .plain(.charset, "utf-8"))
            tag(.title) { title }
            tag(.meta, .plain(.name, "viewport"), .plain(.content, "width=device-width, initial-scale=1"))
            tag(.meta, .plain(.name, "color-scheme"), .plain(.content, "light dark"))
            tag(.style) { .ready(Markup(style: TripPage.style)) }
        }
        return "<!DOCTYPE html>" + tag(.html, .plain(.lang, "en"), .plain(.dir, "ltr")) { [head, body] }.rendered
    }

    /// A photo of an item in the sizes that are here, from the smallest.
    package struct Photo: Hashable, Sendable {
        package let item: ItemID
        package let paths: [PhotoPath]
    }

    /// The photos of a trip's items, in the order of the items.
    package static func photos(of trip: TripView) -> [Photo] {
        trip.items.flatMap { item in
            item.photos.map { photo in
                Photo(
                    item: item.id,
                    paths: PhotoManifest.Size.allCases.filter { !photo.absent.contains($0) }
                        .map { PhotoPath(photo, of: item, $0) })
            }
        }
    }

    /// - Parameter state: of what is planned; the whole trip has questions and costs too.
    private static func parts(_ state: PageState, of trip: TripView, _ costs: Costs) -> [HTML] {
        var parts: [HTML] = []
        if let note = trip.note {
            let words = tag(.p, .class("prose"), .plain(.dir, "auto")) { TripPage.prose(note.value) }
            parts.append(section("Notes on the trip", words))
        }
        if !state.trip.timeline.days.isEmpty { parts.append(section("Days", TripPage.daysView(state))) }
        if !state.trip.items.isEmpty {
            parts.append(
                section(
                    "Everything proposed",
                    .group(
                        state.trip.items(sortedBy: .votes).map { item in
                            TripPage.expandedCard(item, id: "c-" + item.shortID, state: state).html
                        })))
        }
        let questions = trip.questions
        if !questions.isEmpty {
            parts.append(
                section(
                    "Questions",
                    .group([TripPage.questionsView(state, questions)] + questions.map { pictures(of: $0, state) })))
        }
        if !costs.expenses.isEmpty || !costs.payments.isEmpty {
            let receipts = trip.items.filter(\.isOfCosts).map { pictures(of: $0, state) }
            parts.append(section("Costs", .group([TripPage.costsView(state, costs)] + receipts)))
        }
        parts.append(TripPage.membersView(state))
        let history = TripPage.history(state, of: trip, most: state.history.entries.count).fragments.map(\.html)
        if !history.isEmpty { parts.append(section("History", tag(.ol, .id("history")) { history })) }
        return parts
    }

    /// The photos of an item that has no card here, beneath its title.
    private static func pictures(of item: ItemView, _ state: PageState) -> HTML {
        guard let gallery = TripPage.gallery(of: item, state: state) else { return .none }
        return tag(.figure) {
            tag(.figcaption, .plain(.dir, "auto")) { item.title }
            gallery
        }
    }

    private static func section(_ title: String, _ content: HTML) -> HTML {
        tag(.section, .aria(.label, title)) {
            tag(.h2) { title }
            content
        }
    }
}

/// Markup without what needs a node: controls are left out, links to the page's own addresses are text, and pictures are those of
/// a source.
private struct Still {
    let trip: String
    let source: (PhotoPath) -> String?

    func html(_ piece: HTML) -> HTML {
        switch piece {
        case .text, .ready: piece
        case .group(let pieces): .group(pieces.map(html))
        case .part(_, let inner): html(inner)
        case .element(let tag, let attributes, let content): element(tag, attributes, content.map(html))
        }
    }

    private func element(_ tag: Tag, _ attributes: [Attribute], _ content: [HTML]) -> HTML {
        switch tag {
        case .form, .button, .input, .textarea, .select, .label, .output, .dialog, .script, .template, .noscript:
            return .none
        case .a:
            guard let address = attributes.first(where: { $0.name == .plain(.href) })?.value, !address.hasPrefix("/"),
                !address.hasPrefix("#")
            else { return .element(.span, attributes.filter { $0.name == .plain(.dir) }, content) }
            return .element(.a, attributes.filter { !isOfScript($0) }, content)
        case .img:
            return picture(attributes)
        default:
            return .element(tag, attributes.filter { !isOfScript($0) }, content)
        }
    }

    private func isOfScript(_ attribute: Attribute) -> Bool {
        switch attribute.name {
        case .data, .plain(.draggable), .plain(.tabindex), .plain(.target): true
        case .aria(let name): [.keyshortcuts, .expanded, .current, .live, .pressed].contains(name)
        case .plain: false
        }
    }

    /// The greatest of a picture's sizes that the source has.
    private func picture(_ attributes: [Attribute]) -> HTML {
        let set = attributes.first { $0.name == .plain(.srcset) }?.value ?? ""
        let paths = set.split(separator: ",").compactMap { entry in
            entry.split(separator: " ").first.flatMap { path(String($0)) }
        }
        guard let address = paths.reversed().lazy.compactMap(source).first else { return .none }
        let kept = attributes.filter {
            [.plain(.alt), .plain(.width), .plain(.height), .plain(.loading)].contains($0.name)
        }
        return .element(.img, kept + [.plain(.src, address)], [])
    }

    private func path(_ address: String) -> PhotoPath? {
        let segments = address.split(separator: "/").map(String.init)
        guard segments.count > 3, segments[0] == "t", segments[1] == trip, segments[2] == "photo" else { return nil }
        return PhotoPath(segments.dropFirst(3))
    }
}
