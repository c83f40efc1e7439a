package import TripModel

extension [Field: String] {
    /// Notes where something is, as people write it: coordinates and a map's link are its place, words its address.
    package mutating func note(place text: String) {
        let reading = PlaceReading(text)
        if WebAddress(text) == nil, reading.coordinates == nil, let name = reading.name {
            let street = self[.address]
            self[.address] = street.map { $0.hasPrefix(name) ? $0 : "\(name), \($0)" } ?? name
        } else {
            self[.place] = text
            if let name = reading.name { self[.address] = self[.address] ?? name }
        }
    }
}

extension NewItem {
    /// An item of what somebody typed or pasted into the one box: a name, a link, or a name beside a link. A link alone is
    /// called by its domain and the last words of its path. A price and days may follow a name behind commas: "Casa do Rio, €90 a night,
    /// 12–15 June 2026, sleeps 4". Nil for a blank.
    package init?(typed text: String) {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        guard !words.isEmpty, !text.isBlank else { return nil }
        let links = words.compactMap { word in WebAddress(typed: word).map { (word: word, address: $0) } }
        guard links.count == 1, let (link, address) = links.first else {
            let (name, fields) = Self.named(words.joined(separator: " "))
            self.init(title: name, fields: fields)
            return
        }
        let (rest, facts) = Self.named(words.filter { $0 != link }.joined(separator: " "))
        let place = PlaceReading(address.text)
        // A map's link says where it is, and mostly what is there.
        var fields: [Field: String] = [.link: address.withoutTracking.text]
        if let dates = address.stayDates { fields[.dates] = dates }
        if let coordinates = place.coordinates { fields[.place] = coordinates }
        let name = place.coordinates == nil ? nil : place.name
        self.init(title: rest.isBlank ? name ?? address.title : rest, fields: fields.merging(facts) { $1 })
    }

    /// Parts between commas that the days of an item may be: "12 June 2026, 14:30, 2 h".
    private static let datePartsMax = 3

    /// A name, and the price and days behind it. Every other part stays in the name, as does a number without a currency. O(n) in
    /// the characters.
    private static func named(_ text: String) -> (name: String, facts: [Field: String]) {
        var parts = text.split(separator: ", ").map(String.init)
        var facts: [Field: String] = [:]
        // From the end on, for names have commas too.
        var end = parts.count
        while end > 1 {
            if facts[.dates] == nil, let start = startOfDates(in: parts, endingAt: end) {
                facts[.dates] = parts[start..<end].joined(separator: ", ")
                parts.removeSubrange(start..<end)
                end = start
                continue
            }
            end -= 1
            let price = Price(parts[end]).map { $0.currency != nil && $0.remark.isEmpty } ?? false
            if facts[.price] == nil, price { facts[.price] = parts.remove(at: end) }
        }
        return facts.isEmpty ? (text, [:]) : (parts.joined(separator: ", "), facts)
    }

    /// The first of the parts before `end` that are days together, as few as are; nil where they are none. The first part of all is a
    /// name.
    private static func startOfDates(in parts: [String], endingAt end: Int) -> Int? {
        (max(1, end - datePartsMax)..<end).reversed().first { start in
            DateSpan(typed: parts[start..<end].joined(separator: ", ")) != nil
        }
    }

    /// An item of what somebody said of it field by field: its title may be a link, or be left out where there are dates.
    /// Nil where it has none.
    package init?(title: String?, fields: [Field: String], quantity: Int64? = nil, amenities: [String] = []) {
        let typed = title.flatMap { WebAddress(typed: $0) == nil ? nil : NewItem(typed: $0) }
        let span = fields[.dates].flatMap { DateSpan(typed: TextClasses.trimmed($0)) }
        guard let title = typed?.title ?? title ?? span?.words ?? fields[.link].flatMap({ WebAddress($0)?.title })
        else {
            return nil
        }
        var all = (typed?.fields ?? [:]).merging(fields) { $1 }
        if title == span?.words, all[.itemKind] == nil { all[.itemKind] = ItemKind.dates.rawValue }
        self.init(title: title, fields: all, quantity: quantity, amenities: amenities)
    }

    /// An item of one line of a list: "3 towels", "towels ×3", "10 000 beads", "- [ ] towels". A number that measures stays in the title:
    /// "2 kg rice". Nil for a blank line.
    /// - Parameter isCounted: whether there is one of what bears neither a number nor a box to tick.
    package init?(line: Substring, isCounted: Bool = true) {
        var words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        if let first = words.first, Self.bullets.contains(first) || words.count > 1 && Self.isNumber(first) {
            words.removeFirst()
        }
        var isDone = false
        let hasBox: Bool
        if words.starts(with: ["[", "]"]) {
            words.removeFirst(2)
            hasBox = true
        } else if let first = words.first?.lowercased(), ["[]", "[x]", "☐", "☑"].contains(first) {
            isDone = first == "[x]" || first == "☑"
            words.removeFirst()
            hasBox = true
        } else {
            hasBox = false
        }
        var quantity: Int64? = isCounted || hasBox ? 1 : nil
        if let (count, length) = Self.leadingCount(words) {
            quantity = count
            words.removeFirst(length)
            if words.count > 1, ["x", "×"].contains(words[0].lowercased()) { words.removeFirst() }
        } else if words.count > 1, let count = Self.count(words[words.count - 1], isMarked: true) {
            quantity = count
            words.removeLast()
        }
        let title = words.joined(separator: " ")
        guard !title.isBlank else { return nil }
        self.init(title: title, fields: isDone ? [.done: Field.setValue] : [:], quantity: quantity)
    }

    /// The same, where its title holds a link: that is its link, and its title is what `init(typed:)` makes of the rest.
    package var withLinkOfTitle: NewItem {
        guard let linked = NewItem(typed: title), linked.fields[.link] != nil else { return self }
        var item = self
        item.title = linked.title
        item.fields.merge(linked.fields) { $1 }
        return item
    }

    private static let bullets: Set<String> = ["-", "*", "•", "–", "+"]

    /// "1." and "2)": a number in a list.
    private static func isNumber(_ word: String) -> Bool {
        (2...4).contains(word.utf8.count) && (word.hasSuffix(".") || word.hasSuffix(")"))
            && word.utf8.dropLast().allSatisfy { (0x30...0x39).contains($0) }
    }

    /// The number that a line begins with, and how many words it takes; nil where it begins with none, or is nothing but one.
    private static func leadingCount(_ words: [String]) -> (count: Int64, length: Int)? {
        guard words.count > 1 else { return nil }
        let length = thousands(words)
        guard length < words.count, !units.contains(words[length]) else { return nil }
        guard length > 1 else { return count(words[0], isMarked: false).map { (count: $0, length: 1) } }
        guard let number = Int64(words[..<length].joined()), (1...Limits.quantityStep).contains(number) else {
            return nil
        }
        return (number, length)
    }

    /// How many words the number that a line begins with takes, as 2 in "10 000 beads": a blank parts thousands where what follows it
    /// begins with 0. "2 500 g packs" are two packs.
    private static func thousands(_ words: [String]) -> Int {
        guard isDigits(words[0], 1...3), words[1].first == "0" else { return 1 }
        return 1 + words.dropFirst().prefix { isDigits($0, 3...3) }.count
    }

    /// Units of weight, volume and length. A number before one measures, and counts nothing. "M" is a size.
    package static let units: Set<String> = [
        "kg", "Kg", "g", "mg", "lb", "lbs", "oz", "l", "L", "dl", "cl", "ml", "km", "m", "cm", "mm",
    ]

    private static func isDigits(_ word: String, _ length: ClosedRange<Int>) -> Bool {
        length.contains(word.utf8.count) && word.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// "3", "3x", "×3": a number of at most three digits, with a sign that it counts where that is asked for.
    private static func count(_ word: String, isMarked: Bool) -> Int64? {
        var digits = Substring(word.lowercased())
        var hasMark = false
        for mark in ["x", "×"] where digits.hasPrefix(mark) || digits.hasSuffix(mark) {
            digits = digits.hasPrefix(mark) ? digits.dropFirst() : digits.dropLast()
            hasMark = true
        }
        guard hasMark || !isMarked, (1...3).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int64(digits), count > 0
        else { return nil }
        return count
    }
}
