/// The rules for a kind of text. Writers and readers apply the same rules: a text that breaks them has no effect.
struct TextRule: Sendable {
    /// What the text is called in messages: "the title".
    let subject: String
    /// The most characters, as `Limits` counts them.
    var characters: Int
    /// True where line breaks and tabs are welcome.
    let isProse: Bool

    /// The most bytes that these can take: what a decoder allows before it looks at the text.
    var bytesMax: Int { characters * Limits.bytesPerCharacter }

    static let tripTitle = TextRule(subject: "the trip's title", characters: Limits.titleCharacters, isProse: false)
    static let name = TextRule(subject: "the name", characters: Limits.nameCharacters, isProse: false)

    static let comment = TextRule(subject: "the comment", characters: Limits.commentCharacters, isProse: true)
    static let option = TextRule(subject: "the option", characters: Limits.optionCharacters, isProse: false)
    static let amenity = TextRule(subject: "the amenity", characters: Limits.amenityCharacters, isProse: false)

    static let note = TextRule(subject: "the note", characters: Limits.noteCharacters, isProse: true)

    /// Whether somebody may insert a text into a note: it is not empty, and has no control characters but line feeds and tabs.
    static func mayStandInNote(_ text: String) -> Bool {
        !text.isEmpty && text.unicodeScalars.allSatisfy { !TextClasses.isControl($0) || $0 == "\n" || $0 == "\t" }
    }

    /// An amenity as it is kept: equal in any case of A to Z, and however many blanks stand in it.
    static func normalizedAmenity(_ text: String) -> String {
        amenity.normalized(text).foldedASCII.split(whereSeparator: { $0.unicodeScalars.allSatisfy(TextClasses.isSpace) }
        )
        .joined(separator: " ")
    }

    static func checkAmenity(_ text: String) throws(TripError) {
        try amenity.check(text)
        guard text.utf8.elementsEqual(text.foldedASCII.utf8), !text.utf8.contains(0x2C) else {
            throw TripError(
                .malformedValue, "\(text.quoted) is not an amenity; use a few lower-case words without a comma")
        }
    }

    static func of(_ field: Field) -> TextRule {
        TextRule(
            subject: "the \(field.name)", characters: field.kind.charactersMax, isProse: field.kind == .prose)
    }

    /// The text as it is kept: no white space at its ends, line breaks as LF; on one line nothing that shows nothing.
    func normalized(_ text: String) -> String {
        guard isProse else { return TextClasses.trimmed(Self.withoutIdle(text)) }
        guard text.utf8.contains(0x0D) else { return TextClasses.trimmed(text) }
        var scalars = String.UnicodeScalarView()
        var afterReturn = false
        for scalar in text.unicodeScalars {
            if scalar == "\r" {
                scalars.append("\n")
            } else if !(afterReturn && scalar == "\n") {
                scalars.append(scalar)
            }
            afterReturn = scalar == "\r"
        }
        return TextClasses.trimmed(String(scalars))
    }

    private static func withoutIdle(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var shown = String.UnicodeScalarView()
        var base: Unicode.Scalar?
        for scalar in text.unicodeScalars where !TextClasses.isIdle(scalar, after: base) {
            shown.append(scalar)
            if !TextClasses.isInvisible(scalar) { base = scalar }
        }
        return String(shown)
    }

    /// Throws unless the text may be kept as it is: not empty, within its bound, trimmed, of allowed characters.
    func check(_ text: String) throws(TripError) {
        guard text.utf8.count <= characters || text.unicodeScalars.count <= characters else {
            throw TripError(
                .textTooLong,
                "\(subject) has \(text.unicodeScalars.count) characters, more than \(characters); shorten it")
        }
        if isPlain(text) { return }
        guard text.unicodeScalars.contains(where: { !TextClasses.isInvisible($0) }) else {
            throw TripError(.emptyText, "\(subject) is empty; write some visible text")
        }
        var base: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if TextClasses.isControl(scalar), !(isProse && (scalar == "\n" || scalar == "\t")) {
                throw TripError(
                    .forbiddenCharacter,
                    isProse
                        ? "\(subject) contains a control character; remove it"
                        : "\(subject) contains a line break or a control character; write it on one line")
            }
            if !isProse, TextClasses.isDirectionOverride(scalar) {
                throw TripError(
                    .forbiddenCharacter, "\(subject) contains a character that changes the writing direction; remove it"
                )
            }
            // A name with one would pass for another's.
            if !isProse, TextClasses.isIdle(scalar, after: base) {
                throw TripError(.forbiddenCharacter, "\(subject) contains an invisible character; remove it")
            }
            if !TextClasses.isInvisible(scalar) { base = scalar }
        }
        guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last,
            !TextClasses.isSpace(first), !TextClasses.isSpace(last)
        else { throw TripError(.malformedValue, "\(subject) starts or ends with white space; trim it") }
    }

    /// Throws if a text on one line has tags outside a flag, which nobody sees, or so many marks on a letter that they cover other
    /// lines. Only those who write ask: readers keep such texts, because earlier versions wrote them. So this may use the standard
    /// library's tables, which differ between versions of Swift.
    func checkTyped(_ text: String) throws(TripError) {
        if isProse || text.utf8.allSatisfy({ $0 < 0x80 }) { return }
        var (marks, isInFlag) = (0, false)
        for scalar in text.unicodeScalars {
            if TextClasses.isTag(scalar) {
                guard isInFlag else {
                    throw TripError(.forbiddenCharacter, "\(subject) contains an invisible character; remove it")
                }
                continue
            }
            isInFlag = scalar == "\u{1F3F4}"
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark: marks += 1
            default: marks = 0
            }
            guard marks <= Limits.marksPerLetter else {
                throw TripError(
                    .forbiddenCharacter,
                    "\(subject) has more than \(Limits.marksPerLetter) marks on one letter; remove some")
            }
        }
    }

    /// Whether a text is of printable ASCII and trimmed, as most are: then no rule but that of its length can forbid it, and
    /// no character has to be looked up.
    private func isPlain(_ text: String) -> Bool {
        let bytes = text.utf8
        guard let first = bytes.first, let last = bytes.last, first > 0x20, last > 0x20 else { return false }
        return bytes.allSatisfy { (0x20...0x7E).contains($0) || isProse && ($0 == 0x0A || $0 == 0x09) }
    }
}

extension Field {
    /// The value as it is kept: trimmed; places, days, numbers, words and links in their one form. What is none of these stays
    /// as it is, and is refused.
    package func normalized(_ value: String) -> String {
        let text = TextRule.of(self).normalized(value)
        switch kind {
        case .place: return PlaceReading(text).coordinates ?? text
        case .dates, .day: return DateSpan(typed: text)?.text ?? text
        case .word: return text.foldedASCII
        case .count: return String(text.drop { $0 == "0" })
        case .link: return WebAddress.completed(text)
        case .person: return text.foldedASCII
        case .heading, .phrase, .prose, .flag, .cost, .question: return text
        }
    }

    /// Throws unless the field may have the value.
    package func check(_ value: String) throws(TripError) {
        // Of too many digits it is a number too large, and no text too long.
        if kind != .count { try TextRule.of(self).check(value) }
        switch kind {
        case .link: try Self.checkLink(value)
        case .place: try Self.checkPlace(value)
        case .flag:
            guard value.utf8.elementsEqual(Self.setValue.utf8) else {
                throw TripError(.malformedValue, "\(name) can only be “\(Self.setValue)” or cleared")
            }
        case .word:
            guard value.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) else {
                throw TripError(
                    .malformedValue,
                    "the \(name) is invalid; write one of \(ItemKind.allCases.map(\.rawValue).joined(separator: ", "))")
            }
        case .dates:
            guard let span = DateSpan(value), span.text.utf8.elementsEqual(value.utf8) else {
                throw TripError(
                    .malformedValue,
                    "the dates are invalid, or the end is before the start; write 2026-06-12, 2026-06-12..15 or 2026-06-12 14:30"
                )
            }
        case .count:
            guard Int(value) != nil || value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                throw TripError(.malformedValue, "\(name) must be a number, such as 3")
            }
            guard value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), value.utf8.first != 0x30,
                let number = Int(value), (1...Limits.countMax).contains(number)
            else {
                throw TripError(.malformedValue, "the number of \(name) must be between 1 and \(Limits.countMax)")
            }
        case .cost:
            guard let cost = Cost(value), self != .payment || cost.payment != nil else {
                throw TripError(.malformedValue, "the \(name) is invalid; see `caravan help cost`")
            }
        case .day:
            guard let span = DateSpan(value), span.text.utf8.elementsEqual(value.utf8), span.isMoment else {
                throw TripError(
                    .malformedValue, "the \(name) date is invalid; write 2026-06-03 or 2026-06-03 18:00")
            }
        case .person:
            guard let person = ParticipantID(value), person.description.utf8.elementsEqual(value.utf8) else {
                throw TripError(.malformedValue, "the \(name) is nobody of this trip; see `caravan members`")
            }
        case .question:
            guard Question(value) != nil else {
                throw TripError(.malformedValue, "the way to answer is invalid; see `caravan ask --help`")
            }
        case .heading, .phrase, .prose: break
        }
    }

    /// Throws if a value of the field's form means nothing there, or hides something. Only those who write ask: readers keep such
    /// values, because earlier versions wrote them.
    package func checkMeaning(_ value: String) throws(TripError) {
        try TextRule.of(self).checkTyped(value)
        if self == .price, Price.isBelowZero(value) {
            throw TripError(.outOfRange, "the price is below 0; write a price of 0 or more")
        }
    }

    /// Only web addresses: other schemes run code or open files when clicked.
    private static func checkLink(_ value: String) throws(TripError) {
        let bytes = value.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        let scheme = ["http://", "https://"].first { bytes.starts(with: $0.utf8) }
        guard let scheme, bytes.count > scheme.utf8.count, !value.unicodeScalars.contains(where: TextClasses.isSpace)
        else {
            throw TripError(.malformedValue, "the link is not a web address; start it with https://, without spaces")
        }
    }

    private static func checkPlace(_ value: String) throws(TripError) {
        let parts = value.utf8.split(separator: 0x2C, omittingEmptySubsequences: false)
        guard parts.count == 2, let latitude = degrees(parts[0]), let longitude = degrees(parts[1]) else {
            throw TripError(
                .malformedValue,
                "the place is neither a latitude and a longitude in degrees nor a map link; write it like 48.8584,2.2945"
            )
        }
        guard abs(latitude) <= 90, abs(longitude) <= 180 else {
            throw TripError(
                .malformedValue,
                "the place is not on Earth; the latitude is between -90 and 90, the longitude between -180 and 180")
        }
    }

    /// Reads an optional minus, one to three digits, and an optional point with one to fifteen digits.
    private static func degrees(_ text: Substring.UTF8View) -> Double? {
        let unsigned = text.first == 0x2D ? text.dropFirst() : text
        let parts = unsigned.split(separator: 0x2E, maxSplits: 1, omittingEmptySubsequences: false)
        let isDigits = { (part: Substring.UTF8View) in part.allSatisfy { (0x30...0x39).contains($0) } }
        guard (1...3).contains(parts[0].count), isDigits(parts[0]) else { return nil }
        if parts.count == 2 { guard (1...15).contains(parts[1].count), isDigits(parts[1]) else { return nil } }
        return Double(Substring(text))
    }
}
