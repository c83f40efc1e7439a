import TripModel

extension TripPage {
    /// How many items without a place are listed.
    static let unplacedMax = 50

    /// The map of a trip's places: a drawing of all, one of each group that is too small in it, and what is drawn as a
    /// list. It needs no tiles and no internet; land and towns are drawn where they are known. Fragment `map`.
    package static func mapView(_ state: PageState) -> HTML {
        let layout = MapLayout(state)
        return tag(.section, .id("map"), .class("map"), .aria(.label, "Map")) {
            if layout.drawn.isEmpty {
                tag(.p, .class("hint")) {
                    "Nothing has a place yet. Add a map link or coordinates, like 38.7118,-9.1365, and it appears here."
                }
            } else {
                tag(.div, .class("map-figures")) { MapFigures(layout.drawn, state).html }
                placeList(layout, state)
                if layout.notDrawn > 0 {
                    tag(.p, .class("map-note")) {
                        "The map shows the \(layout.drawn.count) most wanted. \(layout.notDrawn) more have a place."
                    }
                }
            }
            unplacedList(layout.unplaced, state)
            if !layout.drawn.isEmpty { credits(state.land, mayInstall: !state.viewer.isGuest) }
        }
    }

    // MARK: - Drawings

    /// A small drawing of where an item is, for its expanded card; nil where it has no place, or no land is known around it.
    static func placeCrop(_ item: ItemView, _ state: PageState) -> HTML? {
        let land = state.land
        guard let place = MapPlace(item), !land.coasts.isEmpty || !land.towns.isEmpty else { return nil }
        let figure = MapFigure(
            title: item.title, state: state, marks: [.item(place, isLeading: false)],
            kilometresMin: MapFigures.kilometresMinAlone, height: 150)
        return tag(.div, .class("map-crop")) {
            figure.drawing(label: "\(item.title) on a map", landBytesMax: 6_000)
        }
    }

    // MARK: - Lists

    private static func placeList(_ layout: MapLayout, _ state: PageState) -> HTML {
        tag(.ol, .class("map-places")) {
            for place in layout.drawn {
                tag(.li) {
                    tag(.a, .class("map-name"), .href(.page(state.address(opening: place.item)))) {
                        tag(.span, .class("map-number", place.mood)) { "\(place.item.number)" }
                        tag(.span, .class("map-title")) {
                            tag(.span, .plain(.dir, "auto")) { place.item.title }
                            tag(.small, .class("map-where")) { whereabouts(place, layout, state.land) }
                        }
                    }
                    placeLinks(place)
                }
            }
        }
    }

    /// "1.2 km from Casa do Rio · 3 km from Sintra".
    private static func whereabouts(_ place: MapPlace, _ layout: MapLayout, _ land: Land) -> String {
        var parts: [String] = []
        if let neighbour = layout.neighbours[place.item.id] {
            parts.append(
                neighbour.kilometres < 0.01
                    ? "at \(neighbour.title.displayed(limit: 40))"
                    : "\(RoundLength.text(neighbour.kilometres)) from \(neighbour.title.displayed(limit: 40))")
        }
        // What is nearest has the greatest dot product.
        let town = land.towns.lazy.map { ($0.name, Sphere.direction(of: $0.point)) }
            .max { Sphere.dot($0.1, place.direction) < Sphere.dot($1.1, place.direction) }
        if let town {
            let distance = Sphere.distance(town.1, place.direction)
            if distance < 100 {
                // Only one point of it is known, so it isn't known whether the place is in it.
                parts.append(distance < 1 ? "near \(town.0)" : "\(RoundLength.text(distance)) from \(town.0)")
            }
        }
        return parts.joined(separator: " · ")
    }

    private static func placeLinks(_ place: MapPlace) -> HTML {
        let text = place.item.fields[.place]?.value ?? ""
        let title = place.item.title
        return tag(.span, .class("map-links")) {
            tag(
                .a, .href(.place(latitude: place.point.latitude, longitude: place.point.longitude)),
                .aria(.label, "\(text), open \(title) in a map app")
            ) { short(place.point) }
            tag(
                .button, .plain(.type, "button"), .class("map-copy"), .data(.copy, text),
                .plain(.title, "copy coordinates"), .aria(.label, "copy the coordinates of \(title)")
            ) { "copy" }
        }
    }

    /// With four digits after the point: 11 m.
    private static func short(_ point: Land.Point) -> String {
        [point.latitude, point.longitude].map { degrees in
            let parts = Int((abs(degrees) * 10_000).rounded()).quotientAndRemainder(dividingBy: 10_000)
            let rest = String(parts.remainder + 10_000).dropFirst()
            return "\(degrees < 0 ? "−" : "")\(parts.quotient).\(rest)"
        }
        .joined(separator: ", ")
    }

    private static func unplacedList(_ items: [ItemView], _ state: PageState) -> HTML {
        guard !items.isEmpty else { return .none }
        return tag(.div, .class("map-unplaced")) {
            tag(.h2) { "No place yet" }
            tag(.ul) {
                for item in items.prefix(unplacedMax) {
                    tag(.li) {
                        tag(.span, .plain(.dir, "auto")) { item.title }
                        if state.mayEdit(item) {
                            " "
                            tag(
                                .a, .href(.page(state.address(opening: item, editing: true))),
                                .aria(.label, "Add a place for \(item.title)")
                            ) { "add a place" }
                        }
                    }
                }
            }
            if items.count > unplacedMax {
                tag(.p, .class("map-note")) { "and \(items.count - unplacedMax) more" }
            }
        }
    }

    // MARK: - Credits

    private static func credits(_ land: Land, mayInstall: Bool) -> HTML {
        let isLandKnown = !land.coasts.isEmpty
        var missing: [String] = []
        if !isLandKnown { missing.append("coasts (run Scripts/coast of Caravan’s source)") }
        if land.towns.isEmpty { missing.append("towns (install Debian’s libtimezonemap-data)") }
        return tag(.p, .class("map-credits")) {
            if isLandKnown { "Coasts: GSHHG, LGPL. " }
            if !land.towns.isEmpty { "Towns: GeoNames, CC BY 4.0. " }
            if mayInstall, !missing.isEmpty, !land.isAwaited {
                "For a fuller map without internet, add \(missing.joined(separator: " and "))."
            }
        }
    }
}
