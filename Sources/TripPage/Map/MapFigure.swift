import TripModel

/// One drawing of places: land, towns, scale bar, pins.
struct MapFigure {
    let title: String
    let state: PageState
    let projection: Projection
    let frame: Frame
    let pins: [MapPin]

    static let width = 360.0
    static let height = 300.0
    static let margin = 40.0
    static let townsMax = 14

    /// - Parameters:
    ///   - marks: what is drawn; never empty.
    ///   - kilometresMin: from side to side.
    init(
        title: String, state: PageState, marks: [MapPin.Mark], kilometresMin: Double,
        height: Double = MapFigure.height
    ) {
        self.title = title
        self.state = state
        let (projection, frame) = Self.view(
            of: marks.flatMap(\.directions), height: height, kilometresMin: kilometresMin)
        self.projection = projection
        self.frame = frame
        // As large as they may be and yet have room beside each other.
        let share = (Self.width * height * 0.3 / Double(max(marks.count, 1)) / .pi).squareRoot()
        let radius = min(max(share, 6), 12)
        let spread = PinSpread.spread(
            marks.map { mark in
                Pin(
                    spot: frame.place(projection.project(Sphere.middle(of: mark.directions))),
                    radius: mark.isGroup ? max(radius, 16) : radius)
            }, width: Self.width, height: height)
        pins = zip(marks, spread).map { MapPin(mark: $0, pin: $1) }
    }

    /// How places are seen together: from above where most of them are.
    static func view(
        of directions: [Sphere.Direction], height: Double = MapFigure.height, kilometresMin: Double
    ) -> (Projection, Frame) {
        let projection = Projection(centre: Sphere.median(of: directions))
        let frame = Frame(
            width: width, height: height, margin: margin, showing: directions.map(projection.project),
            kilometresMin: kilometresMin)
        return (projection, frame)
    }

    /// - Parameter landBytesMax: of the land's path data.
    func html(landBytesMax: Int) -> HTML {
        tag(.figure, .class("map-figure"), .data(.mark, "map")) {
            tag(.figcaption) { title }
            tag(.div, .class("map-tools"), .plain(.role, "group"), .aria(.label, "Look at \(title)")) {
                tool("map-in", "+", "Zoom in")
                tool("map-out", "−", "Zoom out")
                tool("map-whole", "⤢", "Show all of it")
            }
            drawing(label: "\(title): places on a map, north is up", landBytesMax: landBytesMax)
        }
    }

    private func tool(_ mark: String, _ sign: String, _ label: String) -> HTML {
        tag(
            .button, .plain(.type, "button"), .data(.mark, mark), .plain(.title, label), .aria(.label, label)
        ) { sign }
    }

    func drawing(label: String, landBytesMax: Int) -> HTML {
        tag(
            .svg, .class("map-drawing"), .plain(.viewBox, "0 0 \(Int(frame.width)) \(Int(frame.height))"),
            .plain(.role, "group"), .aria(.label, label)
        ) {
            tag(
                .rect, .class(state.land.coasts.isEmpty ? "map-paper" : "map-sea"), .plain(.width, Int(frame.width)),
                .plain(.height, Int(frame.height)))
            tag(.g, .class("map-ground")) {
                LandLayer(land: state.land, projection: projection, frame: frame, bytesMax: landBytesMax).html
                townLabels
                pins.filter(\.pin.isMoved).map(\.leader)
                pins.map { $0.html(state) }
            }
            scaleBar
        }
    }

    // MARK: - Scale

    private var scaleBar: HTML {
        let length = RoundLength.atMost(90 / frame.unitsPerKilometre)
        let end = 10 + length * frame.unitsPerKilometre
        let bottom = frame.height - 10
        return tag(.g, .class("map-scale"), .aria(.hidden, "true")) {
            tag(.path, .plain(.d, "M10 \(decimal(bottom - 4))v4H\(decimal(end))v-4"))
            tag(.text, .plain(.x, "14"), .plain(.y, decimal(bottom - 3))) { RoundLength.text(length) }
        }
    }

    // MARK: - Towns

    /// The greatest first, each where it hides no pin and no other name.
    private var townLabels: HTML {
        var taken = pins.map(\.box)
        taken.append(Box(left: 0, top: frame.height - 26, right: 110, bottom: frame.height))
        var shown: [HTML] = []
        for town in townsInFrame {
            guard shown.count < Self.townsMax else { break }
            let dot = Box(left: town.x - 2, top: town.y - 2, right: town.x + 2, bottom: town.y + 2)
            guard !taken.contains(where: { $0.overlaps(dot) }) else { continue }
            let width = Double(town.name.count) * 5.9 + 2
            // Right of the dot, left of it, above, below.
            let boxes = [
                Box(left: town.x + 4, top: town.y - 6, right: town.x + 4 + width, bottom: town.y + 6),
                Box(left: town.x - 4 - width, top: town.y - 6, right: town.x - 4, bottom: town.y + 6),
                Box(left: town.x - width / 2, top: town.y - 16, right: town.x + width / 2, bottom: town.y - 4),
                Box(left: town.x - width / 2, top: town.y + 4, right: town.x + width / 2, bottom: town.y + 16),
            ]
            guard
                let box = boxes.first(where: { box in
                    box.left > 2 && box.right < frame.width - 2 && box.top > 2 && box.bottom < frame.height - 2
                        && !taken.contains { $0.overlaps(box) }
                })
            else { continue }
            taken += [box, dot]
            // Around its dot: where the drawing is made larger, the name stays as far from that as it is here.
            shown.append(
                tag(.g, .plain(.transform, "translate(\(decimal(town.x)) \(decimal(town.y)))")) {
                    tag(.g) {
                        tag(.circle, .plain(.r, "1.8"))
                        tag(
                            .text, .class("map-town"), .plain(.x, decimal((box.left + box.right) / 2 - town.x)),
                            .plain(.y, decimal(box.bottom - 2.5 - town.y))
                        ) { town.name }
                    }
                })
        }
        return tag(.g, .class("map-towns"), .aria(.hidden, "true")) { shown }
    }

    private var townsInFrame: [(name: String, x: Double, y: Double)] {
        let reach = frame.reach + projection.project(projection.centre).distance(to: frame.middle)
        let cosine = Sphere.cosine(min(reach / Sphere.radius, .pi))
        return state.land.towns.lazy
            .map { ($0, Sphere.direction(of: $0.point)) }
            .filter { Sphere.dot($0.1, projection.centre) >= cosine }
            .map { ($0.0, frame.place(projection.project($0.1))) }
            .filter { frame.contains($0.1, margin: 4) }
            .sorted { ($1.0.population, $0.0.name) < ($0.0.population, $1.0.name) }
            .map { ($0.0.name, $0.1.x, $0.1.y) }
    }
}

/// With at most one digit after the point, and no rounding to "-0".
func decimal(_ value: Double) -> String {
    let tenths = Int((min(max(value, -1e6), 1e6) * 10).rounded())
    let (whole, rest) = abs(tenths).quotientAndRemainder(dividingBy: 10)
    return (tenths < 0 ? "-" : "") + String(whole) + (rest == 0 ? "" : "." + String(rest))
}
