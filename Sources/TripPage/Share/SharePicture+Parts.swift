import TripModel

// What both shapes are made of. All of it lies on whole units, so that edges are sharp.
extension SharePicture {
    static func box(
        x: Int, y: Int, width: Int, height: Int, radius: Int, fill: String, stroke: String? = nil, strokeWidth: Int = 2
    ) -> HTML {
        tag(
            .rect, .plain(.x, x), .plain(.y, y), .plain(.width, width), .plain(.height, height), .plain(.rx, radius),
            .plain(.fill, fill), stroke.map { .plain(.stroke, $0) },
            stroke == nil ? nil : .plain(.strokeWidth, strokeWidth))
    }

    static func disc(x: Int, y: Int, radius: Int, fill: String, stroke: String? = nil, strokeWidth: Int = 2) -> HTML {
        tag(
            .circle, .plain(.cx, x), .plain(.cy, y), .plain(.r, radius), .plain(.fill, fill),
            stroke.map { .plain(.stroke, $0) }, stroke == nil ? nil : .plain(.strokeWidth, strokeWidth))
    }

    /// An item's initial on its colour.
    static func initial(_ item: ItemView, x: Int, y: Int, size: Int) -> HTML {
        let hue = ShareColours.hues[TripPage.hue(of: item)]
        let letter = Lettering(size: size / 2, colour: hue.ink, isBold: true, anchor: .middle)
        return .group([
            box(x: x, y: y, width: size, height: size, radius: size / 4, fill: hue.ground),
            letter.line(
                Lettering.plain(TripPage.initial(ofTitle: item.title)), x: x + size / 2,
                y: y + size / 2 + size * 18 / 100),
        ])
    }

    /// Somebody's initials on their colour, with their vote beside it.
    private static func face(_ id: ParticipantID, _ name: String, vote: Vote?, x: Int, y: Int, radius: Int) -> HTML {
        let hue = ShareColours.hues[TripPage.hue(of: id)]
        let initials = Lettering.plain(TripPage.initials(of: name))
        let letters = Lettering(size: radius * 4 / 5, colour: hue.ink, isBold: true, anchor: .middle)
            .shrunk(to: initials, within: radius * 3 / 2, atLeast: radius / 3)
        let badge = max(6, radius * 2 / 5)
        let (badgeX, badgeY) = (x + radius * 7 / 10, y + radius * 7 / 10)
        return .group([
            disc(
                x: x, y: y, radius: radius, fill: hue.ground, stroke: ShareColours.card, strokeWidth: max(2, radius / 8)
            ),
            letters.line(initials, x: x, y: y + letters.size * 36 / 100),
            vote.map { vote in
                .group([
                    disc(
                        x: badgeX, y: badgeY, radius: badge, fill: colour(of: vote), stroke: ShareColours.card,
                        strokeWidth: 2),
                    triangle(vote, x: badgeX, y: badgeY, size: badge, colour: ShareColours.card),
                ])
            } ?? .none,
        ])
    }

    static func colour(of vote: Vote) -> String { vote == .for ? ShareColours.good : ShareColours.bad }

    /// ▲ or ▼, drawn and not written: not every font has them.
    static func triangle(_ vote: Vote, x: Int, y: Int, size: Int, colour: String) -> HTML {
        let (half, rise) = (size * 5 / 8, vote == .for ? -size / 2 : size / 2)
        return tag(
            .polygon, .plain(.points, "\(x - half),\(y - rise) \(x + half),\(y - rise) \(x),\(y + rise)"),
            .plain(.fill, colour))
    }

    /// How many faces fit between two places.
    static func faceCount(from left: Int, to right: Int, radius: Int) -> Int {
        max(1, (right - left - 2 * radius) / (radius * 7 / 4) + 1)
    }

    /// Faces that end at `right`, each a little over the next, the first on top; "+3" where there are more.
    static func faces(
        _ people: [(id: ParticipantID, name: String, vote: Vote?)], right: Int, y: Int, radius: Int, atMost count: Int
    ) -> HTML {
        var pieces: [HTML] = []
        var x = right
        let shown = people.prefix(people.count > count ? count - 1 : count)
        if people.count > shown.count {
            let more = "+\(people.count - shown.count)"
            let letters = Lettering(
                size: radius * 9 / 10, colour: ShareColours.muted, isBold: true, anchor: .end)
            pieces.append(letters.line(more, x: x, y: y + radius / 3))
            x -= letters.width(of: more) + radius / 3
        }
        for person in shown.reversed() {
            pieces.append(face(person.id, person.name, vote: person.vote, x: x - radius, y: y, radius: radius))
            x -= radius * 7 / 4
        }
        return .group(pieces)
    }

    static func voters(_ item: ItemView) -> [(id: ParticipantID, name: String, vote: Vote?)] {
        votes(item).map { ($0.participant, $0.name, $0.word) }
    }

    /// How many voted for an item and how many against: "▲ 3 ▼ 1", that ends at `right`.
    /// - Returns: the drawing, and its width.
    static func tally(_ item: ItemView, right: Int, y: Int, size: Int) -> (HTML, width: Int) {
        let votes = votes(item)
        var pieces: [HTML] = []
        var x = right
        for vote in [Vote.against, .for] {
            let count = votes.count { $0.word == vote }
            if count == 0, vote == .against { continue }
            let colour = count == 0 ? ShareColours.muted : colour(of: vote)
            let letters = Lettering(size: size, colour: colour, isBold: true, anchor: .end)
            pieces.append(letters.line(String(count), x: x, y: y))
            x -= letters.width(of: String(count)) + size / 2
            pieces.append(triangle(vote, x: x, y: y - size * 36 / 100, size: size * 3 / 5, colour: colour))
            x -= size * 8 / 10
        }
        return (.group(pieces), right - x)
    }
}
