/// Text out of the little HTML that listings, calendars and maps hold.
enum PlainText {
    /// The text with line breaks for what begins or ends a line in HTML, and without any other tag. O(n).
    static func ofHTML(_ html: String) -> String {
        guard html.utf8.contains(where: { $0 == 0x3C || $0 == 0x26 }) else { return html }
        var text = ""
        var rest = Substring(html)
        while let start = rest.firstIndex(of: "<") {
            text += rest[..<start]
            rest = rest[start...]
            let tag = rest.dropFirst().prefix { $0 != ">" && $0 != "<" }
            let isTag = tag.first.map { $0.isLetter || $0 == "/" } ?? false
            guard isTag, tag.utf8.count <= tagBytes, tag.endIndex < rest.endIndex, rest[tag.endIndex] == ">" else {
                text += "<"
                rest = rest.dropFirst()
                continue
            }
            let name = tag.lowercased().prefix { $0 == "/" || $0.isLetter }
            if lineBreaks.contains(String(name)) { text += "\n" }
            rest = rest[rest.index(after: tag.endIndex)...]
        }
        return withoutEntities(text + rest)
    }

    private static let lineBreaks: Set<String> = ["br", "br/", "/p", "li", "/div", "/tr"]

    /// What is longer was meant as text.
    private static let tagBytes = 200

    /// The text with the characters that its entities stand for. O(n).
    static func withoutEntities(_ text: String) -> String {
        guard text.utf8.contains(0x26) else { return text }
        var decoded = ""
        var rest = Substring(text)
        while let start = rest.firstIndex(of: "&") {
            decoded += rest[..<start]
            rest = rest[start...]
            if let (character, length) = entity(rest) {
                decoded += character
                rest = rest.dropFirst(length)
            } else {
                decoded += "&"
                rest = rest.dropFirst()
            }
        }
        return decoded + rest
    }

    /// The character that an entity at the beginning of a text stands for, and how many characters it takes.
    static func entity(_ text: Substring) -> (character: String, length: Int)? {
        guard text.first == "&" else { return nil }
        let name = text.dropFirst().prefix(10).prefix { $0 != ";" }
        guard name.endIndex < text.endIndex, text[name.endIndex] == ";",
            let character = character(String(name), named: names)
        else { return nil }
        return (character, name.count + 2)
    }

    /// The character of "amp", "#38" or "#x26"; nil for what is no entity.
    static func character(_ name: String, named names: [String: String]) -> String? {
        guard name.first == "#" else { return names[name] }
        let isHexadecimal = name.dropFirst().first.map { $0 == "x" || $0 == "X" } ?? false
        let digits = name.dropFirst(isHexadecimal ? 2 : 1)
        guard !digits.isEmpty, digits.first != "+", digits.first != "-",
            let scalar = UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init), scalar != "\0"
        else { return nil }
        return String(scalar)
    }

    /// Those of HTML that programs write where they could write the character.
    private static let names = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "ndash": "–", "mdash": "—",
        "hellip": "…", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "bull": "•", "middot": "·", "deg": "°",
        "euro": "€", "pound": "£", "copy": "©", "reg": "®", "trade": "™", "times": "×", "agrave": "à", "aacute": "á",
        "acirc": "â", "atilde": "ã", "auml": "ä", "ccedil": "ç", "egrave": "è", "eacute": "é", "ecirc": "ê",
        "euml": "ë", "iacute": "í", "ntilde": "ñ", "oacute": "ó", "ocirc": "ô", "otilde": "õ", "ouml": "ö",
        "uacute": "ú", "uuml": "ü", "szlig": "ß", "Auml": "Ä", "Eacute": "É", "Ouml": "Ö", "Uuml": "Ü",
    ]
}
