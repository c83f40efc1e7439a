extension TripPage {
    /// A page for a browser that gets nothing else: what is wrong, what to do, and links on where there are any.
    package static func refusal(_ line: String, ways: [(label: String, path: PagePath)]) -> String {
        let end = line.firstIndex(of: ":")
        let wrong = line[..<(end ?? line.endIndex)]
        let advice = end.map { line[$0...].dropFirst().drop { $0 == " " } } ?? ""
        let html = tag(.html, .plain(.lang, "en"), .plain(.dir, "ltr")) {
            head("Caravan")
            tag(.body) {
                tag(.main, .class("refusal")) {
                    tag(.h1, .plain(.dir, "auto")) { sentence(wrong) }
                    if !advice.isEmpty { tag(.p, .plain(.dir, "auto")) { commands(in: sentence(advice)) } }
                    for (place, way) in ways.enumerated() {
                        tag(.a, .class(place == 0 ? "button primary" : "button"), .href(.page(way.path))) { way.label }
                        " "
                    }
                }
            }
        }
        return "<!DOCTYPE html>" + html.rendered
    }

    /// A text with what stands between backticks as what people type.
    private static func commands(in text: String) -> [HTML] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { place, part in
            place.isMultiple(of: 2) ? .text(String(part)) : tag(.kbd) { String(part) }
        }
    }

    private static func sentence(_ text: Substring) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }
}
