import TripModel

extension TripPage {
    /// Text that somebody wrote, in which each web address is a link. The link shows the whole address, so it leads where
    /// it says. An invite link to another trip is a button for people who can join trips here. O(characters).
    static func prose(_ text: String, mayJoin: Bool = false) -> HTML {
        var pieces: [HTML] = []
        var plain = text.startIndex
        for word in text.split(whereSeparator: \.isWhitespace) {
            if mayJoin, let range = InviteText.range(in: word) {
                pieces.append(.text(String(text[plain..<range.lowerBound])))
                pieces.append(
                    tag(
                        .button, .class("button"), .plain(.form, joinForm), .plain(.name, "link"),
                        .plain(.value, String(word[range]))
                    ) { "Come along" })
                plain = range.upperBound
                continue
            }
            guard let range = addressRange(in: word), let address = WebAddress(String(word[range])) else { continue }
            pieces.append(.text(String(text[plain..<range.lowerBound])))
            pieces.append(tag(.a, .href(.web(address)), .plain(.rel, "noopener noreferrer")) { address.text })
            plain = range.upperBound
        }
        pieces.append(.text(String(text[plain...])))
        return .group(pieces)
    }

    private static let joinForm = "come-along"

    /// What the buttons in texts send: one form, because a form can't stand within a text. Nothing for people who can't join trips here.
    static func joinForm(_ state: PageState) -> HTML {
        guard state.mayJoin, let you = state.trip.participants.first(where: { $0.id == state.viewer.participant })
        else { return .none }
        return tag(.form, .id(joinForm), .plain(.method, "post"), .action(startPath)) {
            hidden("do", "join")
            hidden("name", you.displayName)
        }
    }

    /// The address in a word, without what surrounds it: "(see https://a.b/c)." has "https://a.b/c".
    private static func addressRange(in word: Substring) -> Range<Substring.Index>? {
        let start = word.indices.first { index in
            let scheme = word[index...].prefix(8).lowercased()
            return scheme == "https://" || scheme.hasPrefix("http://")
        }
        guard let start else { return nil }
        let closing = ".,;:!?>]\"'’”»" + (word[start...].contains("(") ? "" : ")")
        guard let last = word[start...].lastIndex(where: { !closing.contains($0) }),
            word[last] != "/" || word[start...last].count > 8
        else { return nil }
        return start..<word.index(after: last)
    }
}
