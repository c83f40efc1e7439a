import TripModel

/// A pin on a drawing: an item with its number, or places that are one from far away.
struct MapPin {
    enum Mark {
        case item(MapPlace, isLeading: Bool)
        case group(MapGroup, name: String)

        var directions: [Sphere.Direction] {
            switch self {
            case .item(let place, _): [place.direction]
            case .group(let group, _): group.places.map(\.direction)
            }
        }

        var isGroup: Bool {
            if case .group = self { true } else { false }
        }
    }

    let mark: Mark
    let pin: Pin

    /// What other texts keep off.
    var box: Box {
        let half = pin.radius + (mark.isGroup ? 4 : 1)
        return Box(
            left: pin.position.x - half, top: pin.position.y - half, right: pin.position.x + half,
            bottom: pin.position.y + half)
    }

    /// From where a pin stands to where it belongs.
    var leader: HTML {
        tag(.g, .class("map-leader"), .aria(.hidden, "true")) {
            tag(
                .line, .plain(.x1, decimal(pin.position.x)), .plain(.y1, decimal(pin.position.y)),
                .plain(.x2, decimal(pin.spot.x)), .plain(.y2, decimal(pin.spot.y)))
            tag(.circle, .plain(.cx, decimal(pin.spot.x)), .plain(.cy, decimal(pin.spot.y)), .plain(.r, "2"))
        }
    }

    func html(_ state: PageState) -> HTML {
        switch mark {
        case .item(let place, let isLeading): itemPin(place, isLeading, state)
        case .group(let group, let name): groupPin(group, name)
        }
    }

    private func itemPin(_ place: MapPlace, _ isLeading: Bool, _ state: PageState) -> HTML {
        let item = place.item
        let digits = String(item.number)
        // Digits fill the pin: three are smaller than one.
        let size = min(pin.radius * 1.1, pin.radius * 3 / Double(digits.utf8.count + 1))
        let (x, y) = (pin.position.x, pin.position.y)
        return tag(
            .a, .class(isLeading ? "map-pin \(place.mood) map-leading" : "map-pin \(place.mood)"),
            .href(.page(state.address(opening: item))), .aria(.label, place.label)
        ) {
            tag(.title) { "\(item.title) (\(tally(item.tally)))" }
            tag(.circle, .plain(.cx, decimal(x)), .plain(.cy, decimal(y)), .plain(.r, decimal(pin.radius)))
            tag(.text, .plain(.x, decimal(x)), .plain(.y, decimal(y + size * 0.36)), .plain(.fontSize, decimal(size))) {
                digits
            }
            if isLeading {
                tag(
                    .text, .class("map-star"), .plain(.x, decimal(x + pin.radius * 0.8)),
                    .plain(.y, decimal(y - pin.radius * 0.45)), .plain(.fontSize, decimal(pin.radius)),
                    .aria(.hidden, "true")
                ) { "★" }
            }
        }
    }

    private func groupPin(_ group: MapGroup, _ name: String) -> HTML {
        let (x, y) = (pin.position.x, pin.position.y)
        return tag(.g, .class("map-group")) {
            tag(.title) { "\(name): \(group.places.count) places, drawn larger below" }
            tag(
                .rect, .plain(.x, decimal(x - 19)), .plain(.y, decimal(y - 11)), .plain(.width, 38),
                .plain(.height, 22),
                .plain(.rx, 11))
            tag(.text, .plain(.x, decimal(x)), .plain(.y, decimal(y + 4)), .plain(.fontSize, "11")) {
                "×\(group.places.count)"
            }
        }
    }
}

/// "+3", "0", "−1".
func tally(_ tally: Int) -> String {
    tally > 0 ? "+\(tally)" : tally < 0 ? "−\(tally.magnitude)" : "0"
}

extension PageState {
    /// The page with an item's card expanded.
    func address(opening item: ItemView, editing: Bool = false) -> PagePath {
        var query = PageQuery()
        query.sort = self.query.sort
        query.open = item.shortID
        query.isEditing = editing
        return PagePath(["t", tripID, ""], query: query.pairs, part: "c-" + item.shortID)
    }
}
