import TripService

/// A node's message as the page says it. Messages are written for terminals: they name commands, begin in lower case and
/// have straight apostrophes. The readers of the page may never have seen a terminal.
enum PlainWords {
    /// What the page says in place of a command, or of what is typed in one line there. Of a clause that names another command, nothing is
    /// left.
    private static let clauses: [(command: String, words: String)] = [
        ("and comes from `caravan invite`", ", and your friend copies it on their page"),
        ("create one with `caravan backup FILE`", "choose one that was made under “Devices and backup”"),
        ("make it with `caravan backup FILE`", "this page can’t make one that large"),
        ("ask one to run `caravan up` on this network", "ask one to start Caravan on this network"),
        ("run `caravan up` on the same network as a member", "leave Caravan running on the same network as a member"),
        ("run `caravan join` with a new invite to return", "to return, ask for a new invite"),
        (
            "to return, run `caravan device add` on your first device, and `caravan join LINK` here",
            "to return, add this device again on your first device, under “Devices and backup”"
        ),
        ("to run `caravan members`", "to answer under “Members and invites”"),
        ("revoke one with `caravan invite close`", "cancel one first"),
        ("run `caravan archive --reopen` first", "reopen it under “Sync” first"),
        ("dispute it with `caravan vote --against`", "dispute it instead"),
        ("record another with `caravan settle`", "record another"),
        ("add a code, like 84 EUR", "write a code, like EUR, in Currency"),
        ("try `caravan salvage`, or restore a backup", "restore a backup"),
        // Notations that nobody types on the page.
        (
            "write 2026-06-12, 2026-06-12..15 or 2026-06-12 14:30",
            "write it like 12 June 2026, 12–15 June 2026 or 12 June 2026, 14:30"
        ),
        ("write 2026-06-03 or 2026-06-03 18:00", "write it like 3 June 2026 or 3 June 2026, 18:00"),
        // What the page asks the browser to offer.
        ("choose a JPEG, PNG, WebP, GIF or HEIC file", "choose a JPEG, PNG or WebP file"),
    ]

    static func told(_ message: String) -> String {
        var text = message
        for clause in clauses { text.replace(clause.command, with: clause.words) }
        text.replace(" , ", with: ", ")
        let parts = text.split(separator: "; ", omittingEmptySubsequences: false)
        // What is wrong comes first, and is told in any case.
        text = parts.prefix(1).map(withoutQuotes)[0]
        for part in parts.dropFirst() where !part.contains("`caravan") { text += "; " + withoutQuotes(part) }
        return text.prefix(1).uppercased() + withApostrophes(text).dropFirst()
    }

    private static func withoutQuotes(_ text: Substring) -> String {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .reduce(into: "") { $0 += ($1.offset == 0 ? "" : $1.offset.isMultiple(of: 2) ? "”" : "“") + $1.element }
    }

    /// "can’t" of "can't".
    static func withApostrophes(_ text: String) -> String {
        var told = ""
        var last: Character?
        for (place, character) in zip(text.indices, text) {
            let next = text.index(after: place)
            let isWithin = last?.isLetter == true && next < text.endIndex && text[next].isLetter
            told.append(character == "'" && isWithin ? "’" : character)
            last = character
        }
        return told
    }
}

extension DeviceStatus {
    /// Its label with the page's apostrophes: "Jie’s “Laptop”".
    var words: String { PlainWords.withApostrophes(label) }
    /// The same at the beginning of a line: "Your device “Laptop”".
    var heading: String { words.prefix(1).uppercased() + words.dropFirst() }
}
