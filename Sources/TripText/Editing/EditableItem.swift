package import TripModel

/// An item as a text to edit: a block for each field, under a line with its name in brackets.
///
///     # Casa do Rio
///
///     [title]
///     Casa do Rio
///
///     [note]
///     By the river.
///     Two bathrooms.
///     # also proposed: in the old town (Noah)
///
/// Lines that begin with `#` are comments. A line of a value that begins so, or with a backslash, or that is a name in
/// brackets, has a backslash before it.
package struct EditableItem: Sendable {
    /// What somebody changed in the text.
    package struct Edit: Hashable, Sendable {
        /// What is written; nil clears a field.
        package var fields: [Field: String?] = [:]
        /// What stood at those fields when the text was made, which is all that is replaced.
        package var shown: [Field: [String]] = [:]
    }

    /// The most bytes of a text that is read: some times what an item's fields may hold.
    package static let bytesMax = 1 << 20

    private let item: ItemView

    package init(_ item: ItemView) {
        self.item = item
    }

    // MARK: - The text

    package var text: String {
        var lines = comment(
            item.title.displayed(limit: 60),
            "Edit the fields, save, and quit the editor. A field with no text under its name is cleared. An empty or",
            "unchanged file changes nothing. Lines that start with # are ignored; to start a line with # or \\, put a",
            "\\ before it.")
        for field in Field.texts {
            lines += ["", heading(field)]
            if let hint = hint(for: field) { lines += comment(hint) }
            let value = shownText(of: field)
            if !value.isEmpty { lines += value.split(separator: "\n", omittingEmptySubsequences: false).map(escaped) }
            for other in item.fields[field]?.alternatives ?? [] {
                let value = other.value.split(separator: "\n").map { String($0).displayed() }
                lines += comment("also proposed: \(value.joined(separator: " / ")) (\(other.authorName.displayed()))")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func comment(_ texts: String...) -> [String] { texts.map { "# " + $0 } }

    private func heading(_ field: Field) -> String { "[\(field.name)]" }

    private func hint(for field: Field) -> String? {
        switch field {
        case .place: "latitude,longitude in degrees: 38.7223,-9.1393, or a map link"
        case .itemKind: ItemKind.allCases.map(\.rawValue).joined(separator: ", ")
        default: field.kind == .flag ? "yes or no" : nil
        }
    }

    /// A field's value as the text has it.
    private func shownText(of field: Field) -> String {
        if field.kind == .flag { return item.fields[field] == nil ? "no" : "yes" }
        return item.fields[field]?.value ?? ""
    }

    private func escaped(_ line: Substring) -> String {
        line.hasPrefix("#") || line.hasPrefix("\\") || name(inBrackets: line) != nil ? "\\" + line : String(line)
    }

    /// The word of a line that is a word in brackets and nothing else.
    private func name(inBrackets line: some StringProtocol) -> String? {
        let trimmed = TextClasses.trimmed(String(line))
        guard trimmed.hasPrefix("["), trimmed.hasSuffix("]"), trimmed.count > 2 else { return nil }
        let name = TextClasses.trimmed(String(trimmed.dropFirst().dropLast()))
        return !name.isEmpty && name.allSatisfy(\.isLetter) ? name.lowercased() : nil
    }

    // MARK: - What was changed

    /// What differs in a text that somebody saved; nil where nothing does, or nothing is there.
    /// - Throws: where the text cannot be understood, with what is wrong and in which line.
    package func edit(saved text: String) throws(TripError) -> Edit? {
        var edit = Edit()
        for (field, saved) in try blocks(text) {
            let value = TextClasses.trimmed(saved)
            guard value != TextClasses.trimmed(shownText(of: field)) else { continue }
            edit.fields.updateValue(try stored(value, field), forKey: field)
            edit.shown[field] = item.fields[field].map { [$0.value] + $0.alternatives.map(\.value) } ?? []
        }
        return edit.fields.isEmpty ? nil : edit
    }

    private func stored(_ text: String, _ field: Field) throws(TripError) -> String? {
        if field == .itemKind, !text.isEmpty {
            guard let kind = ItemKind(named: text) else {
                let kinds = ItemKind.allCases.map(\.rawValue).joined(separator: ", ")
                throw TripError(.malformedValue, "there is no kind \(text.quoted); write one of \(kinds)")
            }
            return kind.rawValue
        }
        guard field.kind == .flag else { return text.isEmpty ? nil : text }
        switch text.lowercased() {
        case "yes", "y", "true": return Field.setValue
        case "no", "n", "false", "": return nil
        default: throw TripError(.malformedValue, "\(field.name) cannot be \(text.quoted); write yes or no")
        }
    }

    /// The text of each field that has a block.
    private func blocks(_ text: String) throws(TripError) -> [Field: String] {
        var blocks: [Field: String] = [:]
        var current: Field?
        for (index, line) in lines(of: text).enumerated() where !line.hasPrefix("#") {
            if let name = name(inBrackets: line) {
                guard let field = Field.texts.first(where: { $0.name == name }) else {
                    throw TripError(
                        .malformedValue,
                        "line \(index + 1): there is no field \(name.quoted); delete the line, or put a \\ before it")
                }
                guard blocks[field] == nil else {
                    throw TripError(
                        .malformedValue, "line \(index + 1): the field \(name.quoted) appears twice; delete one of them"
                    )
                }
                blocks[field] = ""
                current = field
            } else if let field = current {
                blocks[field, default: ""] += (line.hasPrefix("\\") ? line.dropFirst() : line) + "\n"
            } else if !String(line).isBlank {
                throw TripError(
                    .malformedValue,
                    "line \(index + 1): \(String(line).quoted) is not under the name of a field; move it")
            }
        }
        return blocks
    }

    /// The lines of a text, whatever ends them.
    private func lines(of text: String) -> [Substring] {
        var text = text[...]
        if text.unicodeScalars.first == "\u{FEFF}" { text = text.dropFirst() }
        return text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
    }
}
