import TripModel

// The small picture: as few words as will do, for it is seen at the size of a stamp.
extension SharePicture {
    private static func ground(_ hue: ShareColours.Hue) -> HTML {
        .group([
            box(
                x: 4, y: 4, width: 292, height: 292, radius: 44, fill: hue.ground, stroke: ShareColours.card,
                strokeWidth: 8)
        ])
    }

    static func listSticker(_ view: TripView) -> HTML {
        let items = leading(view, atMost: Shape.sticker.itemsMax)
        let hue = items.first.map { ShareColours.hues[TripPage.hue(of: $0)] } ?? ShareColours.hues[5]
        let text = self.title(of: view)
        let title = Lettering(size: 28, colour: hue.ink, isBold: true).shrunk(to: text, within: 246, atLeast: 20)
        let small = Lettering(size: 17, colour: hue.ink)
        return .group([
            ground(hue), title.line(title.fitted(text, to: 246), x: 28, y: 56),
            items.isEmpty ? small.line("Nothing proposed yet", x: 28, y: 150) : .none,
            .group(items.enumerated().map { index, item in line(item, y: 76 + index * 60) }),
            small.line(turnout(view), x: 28, y: 276),
        ])
    }

    private static func line(_ item: ItemView, y: Int) -> HTML {
        let (tally, width) = tally(item, right: 270, y: y + 32, size: 19)
        let room = 270 - width - 4 - 32
        let title = Lettering(size: 19, colour: ShareColours.ink, isBold: true)
            .shrunk(to: item.title, within: room, atLeast: 16)
        return .group([
            box(x: 20, y: y, width: 260, height: 50, radius: 16, fill: ShareColours.card),
            title.line(title.fitted(item.title, to: room), x: 32, y: y + 32), tally,
        ])
    }

    static func itemSticker(_ item: ItemView) -> HTML {
        let hue = ShareColours.hues[TripPage.hue(of: item)]
        let title = Lettering(size: 30, colour: hue.ink, isBold: true)
        let price = Lettering(size: 24, colour: hue.ink)
        var pieces = [ground(hue)]
        var y = 72
        for line in title.lines(of: item.title, width: 244, atMost: 3) {
            pieces.append(title.line(line, x: 28, y: y))
            y += 38
        }
        for field in [Field.price, .host] where y < 200 {
            guard let value = item.fields[field]?.value else { continue }
            pieces.append(price.line(price.fitted(value, to: 244), x: 28, y: y + 2))
            y += 32
        }
        let (tally, width) = tally(item, right: 258, y: 252, size: 30)
        pieces += [
            box(x: 24, y: 214, width: 252, height: 58, radius: 22, fill: ShareColours.card),
            tally,
            faces(
                voters(item), right: 258 - width - 6, y: 243, radius: 19,
                atMost: faceCount(from: 30, to: 258 - width - 6, radius: 19)),
        ]
        return .group(pieces)
    }
}
