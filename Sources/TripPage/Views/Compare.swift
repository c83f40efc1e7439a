import TripModel

extension TripPage {
    /// Two or three items side by side, a row a field: the best price is marked, and what differs is bold.
    static func compareView(_ state: PageState) -> HTML {
        let items = state.query.compare.compactMap { id in state.trip.items.first { $0.shortID == id } }
        let target = PageTarget(state)
        return tag(.section, .class("view", "compare"), .aria(.labelledby, "compare-title")) {
            tag(.h2, .id("compare-title")) { "Side by side" }
            if items.count < 2 {
                tag(.p) { "Tick two or three in the ranking to compare them." }
            } else {
                tag(
                    .div, .class("compare-scroll"), .plain(.role, "region"), .aria(.label, "Comparison"),
                    .plain(.tabindex, 0)
                ) {
                    tag(.table) {
                        head(items, state)
                        tag(.tbody) {
                            voteRow(items, state)
                            for row in CardField.rows where items.contains(where: { $0.fields[row.field] != nil }) {
                                fieldRow(row, items, CardFrame(state))
                            }
                        }
                    }
                }
            }
            tag(.a, .class("button"), .href(target.link { $0.view = .ranking })) { "Back to the ranking" }
        }
    }

    private static func head(_ items: [ItemView], _ state: PageState) -> HTML {
        tag(.thead) {
            tag(.tr) {
                tag(.td)
                for item in items {
                    tag(.th, .plain(.scope, "col")) {
                        picture(of: item, inTrip: state.tripID)
                        tag(.a, .href(address(.cards, state: state, open: item.shortID)), .plain(.dir, "auto")) {
                            item.title
                        }
                    }
                }
            }
        }
    }

    private static func voteRow(_ items: [ItemView], _ state: PageState) -> HTML {
        let frame = CardFrame(state)
        return tag(.tr) {
            tag(.th, .plain(.scope, "row")) { "Votes" }
            for item in items {
                tag(.td) {
                    votePill(item, in: frame)
                    faces(of: item, in: frame)
                }
            }
        }
    }

    private static func fieldRow(_ row: CardField, _ items: [ItemView], _ frame: CardFrame) -> HTML {
        let values = items.map { $0.fields[row.field]?.value }
        let differs = Set(values).count > 1
        let best = row.field == .price ? bestPrices(values) : []
        return tag(.tr, .class(differs ? "differs" : "same")) {
            tag(.th, .plain(.scope, "row")) { row.label }
            for (index, value) in values.enumerated() {
                tag(.td, best.contains(index) ? .class("best") : nil) {
                    if let value { row.shown(value, in: frame) } else { tag(.span, .class("facts")) { "—" } }
                    if row.field == .price { each(of: items[index], in: frame) }
                    if best.contains(index) { tag(.span, .class("praise")) { "lowest" } }
                }
            }
        }
    }

    /// Which prices are the lowest, where all that are there are of the same currency and unit, and not all alike.
    static func bestPrices(_ values: [String?]) -> Set<Int> {
        let prices = values.map { $0.map(Price.init) }
        let known = prices.compactMap { $0 ?? nil }
        guard known.count > 1, known.count == prices.count(where: { $0 != nil }),
            known.allSatisfy(known[0].isComparable), let lowest = known.map(\.hundredths).min(),
            known.contains(where: { $0.hundredths != lowest })
        else { return [] }
        return Set(prices.indices.filter { prices[$0]??.hundredths == lowest })
    }
}
