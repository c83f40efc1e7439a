package import TripModel

extension TripPage {
    /// How many items without a place are listed.
    static let unplacedMax = 50

    /// The map of a trip's places: a drawing of all, one of each group that is too small in it, and what is drawn as a
    /// list. It needs no tiles and no internet; land and towns are drawn where they are known. Region `map`.
    package static func mapView(_ state: PageState) -> HTML {
        let layout = MapLayout(state)
        return tag(.section, .id("map"), .class("map"), .aria(.label, "Map")) {
            if layout.drawn.isEmpty {
                tag(.p, .class("map-empty")) {
                    "No item has a place yet. Give one its latitude and longitude, like 38.7118,-9.1365, and it stands here."
                }
            } else {
                tag(.div, .class("map-figures")) { figures(layout, state) }
                placeList(layout, state)
                if layout.notDrawn > 0 {
                    tag(.p, .class("map-note")) {
                        "\(layout.notDrawn) more have a place. The \(layout.drawn.count) most wanted are drawn."
                    }
                }
            }
            unplacedList(layout.unplaced, state)
            if !layout.drawn.isEmpty { credits(state.land) }
        }
    }

    // MARK: - Drawings

    private static func figures(_ layout: MapLayout, _ state: PageState) -> [HTML] {
        let best = layout.drawn.map(\.item.tally).max() ?? 0
        let mark = { (place: MapPlace) in
            MapPin.Mark.item(place, isLeading: best > 0 && place.item.tally == best)
        }
        let parts = layout.groups.filter { $0.places.count > 1 }.prefix(MapLayout.groupsMax)
        guard layout.groups.count > 1 else {
            let name = townName(near: layout.drawn, state.land)
            let title = name.map { "Around \($0)" } ?? "All places"
            // A single place is shown with the land around it.
            let kilometres = layout.drawn.count == 1 ? 24.0 : 1.5
            return [
                MapFigure(title: title, state: state, marks: layout.drawn.map(mark), kilometresMin: kilometres).html
            ]
        }
        let names = parts.map { townName(near: $0.places, state.land) ?? $0.places[0].item.title }
        let all = layout.groups.flatMap { group -> [MapPin.Mark] in
            guard let index = parts.firstIndex(where: { $0.places[0].item.id == group.places[0].item.id }) else {
                return group.places.map(mark)
            }
            return [.group(group, name: names[index])]
        }
        let overview = MapFigure(title: "All places", state: state, marks: all, kilometresMin: 1.5)
        let details = zip(parts, names).map { group, name in
            MapFigure(title: "Around \(name)", state: state, marks: group.places.map(mark), kilometresMin: 1.5)
        }
        return [overview.html] + details.map(\.html)
    }

    /// The greatest town within 12 km of the middle, or else the nearest within 60.
    private static func townName(near places: [MapPlace], _ land: Land) -> String? {
        let middle = Sphere.middle(of: places.map(\.direction))
        let near = land.towns.lazy.map { ($0, Sphere.distance(Sphere.direction(of: $0.point), middle)) }
            .filter { $0.1 < 60 }
        let greatest = near.filter { $0.1 < 12 }.max { $0.0.population < $1.0.population }
        return (greatest ?? near.min { $0.1 < $1.1 })?.0.name
    }

    /// A small drawing of where an item is, for its expanded card; nil where it has no place.
    package static func placeCrop(_ item: ItemView, _ state: PageState) -> HTML? {
        guard let place = MapPlace(item) else { return nil }
        let figure = MapFigure(
            title: item.title, state: state, marks: [.item(place, isLeading: false)], kilometresMin: 24, height: 150,
            hasRings: true)
        return tag(.div, .class("map-crop")) {
            figure.drawing(label: "\(item.title) on a map")
            placeLinks(place)
        }
    }

    // MARK: - Lists

    private static func placeList(_ layout: MapLayout, _ state: PageState) -> HTML {
        tag(.ol, .class("map-places")) {
            for place in layout.drawn {
                tag(.li) {
                    tag(.a, .class("map-name"), .href(.page(state.address(opening: place.item)))) {
                        tag(.span, .class("map-number")) { "\(place.item.number)" }
                        " "
                        tag(.span, .plain(.dir, "auto")) { place.item.title }
                    }
                    tag(.span, .class("map-where")) { whereabouts(place, layout, state.land) }
                    placeLinks(place)
                }
            }
        }
    }

    /// "1.2 km from 2, 3 km from Sintra".
    private static func whereabouts(_ place: MapPlace, _ layout: MapLayout, _ land: Land) -> String {
        var parts: [String] = []
        if let neighbour = layout.neighbours[place.item.id] {
            parts.append(
                neighbour.kilometres < 0.01
                    ? "where \(neighbour.number) is"
                    : "\(RoundLength.text(neighbour.kilometres)) from \(neighbour.number)")
        }
        // What is nearest has the greatest dot product.
        let town = land.towns.lazy.map { ($0.name, Sphere.direction(of: $0.point)) }
            .max { Sphere.dot($0.1, place.direction) < Sphere.dot($1.1, place.direction) }
        if let town {
            let distance = Sphere.distance(town.1, place.direction)
            if distance < 100 {
                parts.append(distance < 1 ? "in \(town.0)" : "\(RoundLength.text(distance)) from \(town.0)")
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
                .aria(.label, "Open the place of \(title) in a map: \(text)")
            ) { text }
            tag(
                .button, .plain(.type, "button"), .class("map-copy"), .data(.copy, text),
                .aria(.label, "Copy the coordinates of \(title)")
            ) { "copy coordinates" }
        }
    }

    private static func unplacedList(_ items: [ItemView], _ state: PageState) -> HTML {
        guard !items.isEmpty else { return .none }
        return tag(.div, .class("map-unplaced")) {
            tag(.h2) { "No place yet" }
            tag(.ul) {
                for item in items.prefix(unplacedMax) {
                    tag(.li) {
                        tag(.span, .plain(.dir, "auto")) { item.title }
                        " "
                        tag(
                            .a, .href(.page(state.address(opening: item, editing: true))),
                            .aria(.label, "Add the place of \(item.title)")
                        ) { "add its place" }
                    }
                }
            }
            if items.count > unplacedMax {
                tag(.p, .class("map-note")) { "and \(items.count - unplacedMax) more" }
            }
        }
    }

    // MARK: - Credits

    private static func credits(_ land: Land) -> HTML {
        let isLandKnown = !land.areas.isEmpty || !land.shores.isEmpty
        var missing: [String] = []
        if !isLandKnown { missing.append("coasts (gmt-gshhg-high and libnetcdf19)") }
        if land.towns.isEmpty { missing.append("towns (libtimezonemap-data)") }
        return tag(.p, .class("map-credits")) {
            if isLandKnown { "Coasts: GSHHG, LGPL. " }
            if !land.towns.isEmpty { "Towns: GeoNames, CC BY 4.0. " }
            if !missing.isEmpty {
                "Debian's packages give \(missing.joined(separator: " and ")) to this map, with no internet."
            }
        }
    }
}
