import TripModel

extension TripPage {
    /// Text that somebody wrote, in which each web address and each mail address is a link. The link shows the whole address,
    /// so it leads where it says. An invite link to another trip is a button for people who can join trips here. O(characters).
    static func prose(_ text: String, mayJoin: Bool = false) -> HTML {
        var pieces: [HTML] = []
        var plain = text.startIndex
        for word in text.split(whereSeparator: \.isWhitespace) {
            guard let (range, link) = pressable(in: word, mayJoin: mayJoin) else { continue }
            pieces.append(.text(String(text[plain..<range.lowerBound])))
            pieces.append(link)
            plain = range.upperBound
        }
        pieces.append(.text(String(text[plain...])))
        return .group(pieces)
    }

    private static let linksMax = 20

    /// The links of a text alone, each once, for a box of text shows none. O(characters).
    static func links(in text: String, mayJoin: Bool = false) -> [HTML] {
        var (links, seen): ([HTML], Set<Substring>) = ([], [])
        for word in text.split(whereSeparator: \.isWhitespace) where links.count < linksMax {
            guard let (range, link) = pressable(in: word, mayJoin: mayJoin), seen.insert(word[range]).inserted
            else { continue }
            links.append(link)
        }
        return links
    }

    /// What of a word leads somewhere, as a link or a button.
    private static func pressable(in word: Substring, mayJoin: Bool) -> (Range<Substring.Index>, HTML)? {
        if mayJoin, let range = InviteText.range(in: word) { return (range, comeAlong(by: String(word[range]))) }
        guard let (range, link) = webLink(in: word) ?? mailLink(in: word) else { return nil }
        return (range, tag(.a, .href(link), .plain(.rel, "noopener noreferrer")) { String(word[range]) })
    }

    private static let joinForm = "come-along"

    private static func comeAlong(by link: String) -> HTML {
        tag(.button, .class("button"), .plain(.form, joinForm), .plain(.name, "link"), .plain(.value, link)) {
            "Come along"
        }
    }

    /// What the buttons in texts send: one form, because a form can't stand within a text. Nothing for people who can't join trips here.
    static func joinForm(_ state: PageState) -> HTML {
        guard state.mayJoin, let you = state.trip.participants.first(where: { $0.id == state.viewer.participant })
        else { return .none }
        return tag(.form, .id(joinForm), .plain(.method, "post"), .action(startPath)) {
            hidden("do", "join")
            hidden("name", you.displayName)
        }
    }

    /// The web address in a word, without what surrounds it: "(see https://a.b/c)." has "https://a.b/c". What begins with
    /// "www." has no scheme.
    private static func webLink(in word: Substring) -> (Range<Substring.Index>, Link)? {
        let start = word.indices.first { index in
            let scheme = word[index...].prefix(8).lowercased()
            return scheme == "https://" || scheme.hasPrefix("http://")
        }
        // Behind a letter "www." is a part of a word.
        let bare = word.firstIndex { $0.isLetter || $0.isNumber }.flatMap {
            word[$0...].prefix(4).lowercased() == "www." ? $0 : nil
        }
        guard let start = start ?? bare else { return nil }
        let closing = ".,;:!?>]\"'’”»" + (word[start...].contains("(") ? "" : ")")
        guard let last = word[start...].lastIndex(where: { !closing.contains($0) }),
            word[last] != "/" || word[start...last].count > 8
        else { return nil }
        let range = start..<word.index(after: last)
        // What stands before "@" looks like where it leads, and isn't.
        guard start != bare || !word[range].contains("@") else { return nil }
        return WebAddress(typed: String(word[range])).map { (range, .web($0)) }
    }

    /// The mail address in a word: "<ana@example.org>," has "ana@example.org".
    private static func mailLink(in word: Substring) -> (Range<Substring.Index>, Link)? {
        guard word.contains("@") else { return nil }
        var start = word.startIndex
        if word.prefix(7).lowercased() == "mailto:" { start = word.index(start, offsetBy: 7) }
        let around = "<>()[]{}\"'’‘“”«».,;:!?"
        guard let first = word[start...].firstIndex(where: { !around.contains($0) }),
            let last = word.lastIndex(where: { !around.contains($0) }), first <= last
        else { return nil }
        let range = first..<word.index(after: last)
        return MailAddress(String(word[range])).map { (range, .mail($0)) }
    }
}
