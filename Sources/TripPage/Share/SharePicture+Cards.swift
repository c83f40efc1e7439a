import TripModel

// The wide picture.
extension SharePicture {
    private static let margin = 64

    private static func ground() -> HTML {
        .group([
            box(x: 0, y: 0, width: 1_200, height: 630, radius: 0, fill: ShareColours.paper),
            disc(x: 1_110, y: 20, radius: 230, fill: ShareColours.tint),
            disc(x: 940, y: -70, radius: 120, fill: ShareColours.hues[2].ground),
        ])
    }

    static func listCard(_ view: TripView) -> HTML {
        let items = leading(view, atMost: Shape.card.itemsMax)
        let people = view.participants.filter { !$0.isOut }.map { (id: $0.id, name: $0.displayName, vote: Vote?.none) }
        let facesWidth = min(people.count, 6) * 60 + 30
        let heading = heading(title(of: view), width: 1_200 - 2 * margin - facesWidth)
        let count = proposed(view).count
        let summary = "\(turnout(view)) · \(count) \(count == 1 ? "thing" : "things") proposed"
        return .group([
            ground(), heading.0.line(heading.text, x: margin, y: 112),
            Lettering(size: 26, colour: ShareColours.muted).line(summary, x: margin, y: 158),
            faces(people, right: 1_200 - margin, y: 96, radius: 34, atMost: 6),
            items.isEmpty ? nothingYet(y: 340) : .none,
            .group(
                items.enumerated().map { index, item in
                    row(item, y: 196 + index * 97, isFirst: index == 0 && item.tally > 0)
                }),
            Lettering(size: 19, colour: ShareColours.muted, anchor: .end)
                .line("planned together with Caravan", x: 1_200 - margin, y: 611),
            items.count < count
                ? Lettering(size: 19, colour: ShareColours.muted).line(
                    "and \(count - items.count) more", x: margin, y: 611)
                : .none,
        ])
    }

    /// A title as large as fits on one line.
    private static func heading(_ text: String, width: Int) -> (Lettering, text: String) {
        let letters = Lettering(size: 60, colour: ShareColours.ink, isBold: true)
            .shrunk(to: text, within: width, atLeast: 40)
        return (letters, letters.fitted(text, to: width))
    }

    private static func nothingYet(y: Int) -> HTML {
        Lettering(size: 34, colour: ShareColours.muted, anchor: .middle)
            .line("Nothing proposed yet: be the first", x: 600, y: y)
    }

    private static func row(_ item: ItemView, y: Int, isFirst: Bool) -> HTML {
        let right = 1_200 - margin - 28
        let (tally, tallyWidth) = tally(item, right: right, y: y + 53, size: 32)
        let voters = voters(item)
        let facesWidth = min(voters.count, 5) * 36 + (voters.isEmpty ? 0 : 30)
        let width = right - tallyWidth - facesWidth - 40 - (margin + 100)
        let title = Lettering(size: 29, colour: ShareColours.ink, isBold: true)
        let detail = Lettering(size: 21, colour: ShareColours.muted)
        let facts = facts(item)
        return .group([
            box(
                x: margin, y: y, width: 1_200 - 2 * margin, height: 84, radius: 22, fill: ShareColours.card,
                stroke: isFirst ? ShareColours.accent : ShareColours.line, strokeWidth: isFirst ? 3 : 2),
            initial(item, x: margin + 14, y: y + 14, size: 56),
            title.line(title.fitted(item.title, to: width), x: margin + 90, y: facts.isEmpty ? y + 52 : y + 38),
            facts.isEmpty ? .none : detail.line(detail.fitted(facts, to: width), x: margin + 90, y: y + 67),
            faces(voters, right: right - tallyWidth - 16, y: y + 42, radius: 20, atMost: 5), tally,
        ])
    }

    static func itemCard(_ item: ItemView, _ view: TripView) -> HTML {
        let hue = ShareColours.hues[TripPage.hue(of: item)]
        let (left, right) = (margin + 366, 1_200 - margin)
        let trip = Lettering(size: 24, colour: ShareColours.muted)
        let title = Lettering(size: 50, colour: ShareColours.ink, isBold: true)
        let note = Lettering(size: 26, colour: ShareColours.muted)
        let facts = Lettering(size: 32, colour: ShareColours.accent, isBold: true)
        var pieces = [
            ground(),
            box(x: margin, y: 150, width: 310, height: 310, radius: 40, fill: hue.ground),
            Lettering(size: 170, colour: hue.ink, isBold: true, anchor: .middle)
                .line(Lettering.plain(TripPage.initial(ofTitle: item.title)), x: margin + 155, y: 366),
            trip.line(trip.fitted(self.title(of: view), to: 700), x: margin, y: 96),
        ]
        var y = 196
        for line in title.lines(of: item.title, width: right - left, atMost: 2) {
            pieces.append(title.line(line, x: left, y: y))
            y += 60
        }
        let said = self.facts(item)
        if !said.isEmpty {
            pieces.append(facts.line(facts.fitted(said, to: right - left), x: left, y: y + 4))
            y += 52
        }
        let text = item.fields[.note]?.value ?? ""
        for line in note.lines(of: text, width: right - left, atMost: max(0, (466 - y) / 36)) {
            pieces.append(note.line(line, x: left, y: y + 6))
            y += 36
        }
        let (tally, width) = tally(item, right: right, y: 558, size: 44)
        pieces += [
            tally, faces(voters(item), right: right - width - 24, y: 542, radius: 30, atMost: 8),
            trip.line(turnout(on: item, view), x: margin, y: 552),
        ]
        return .group(pieces)
    }

    /// How many of those who are in voted on an item.
    private static func turnout(on item: ItemView, _ view: TripView) -> String {
        let votes = item.votes.count { !$0.isOut }
        return "\(votes) of \(max(votes, view.participants.count { !$0.isOut })) voted"
    }
}
