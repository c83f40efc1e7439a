package import TripService

/// The forms in which items come from outside.
package enum ImportFormat: String, CaseIterable, Hashable, Sendable {
    /// A table with a row of column names (RFC 4180).
    case csv
    /// A Reddit listing, an array of objects, or what `caravan list --json` prints.
    case json
    /// An item a line: a link, a name, or both.
    case lines
    /// The link that `ListLink` writes.
    case link

    /// By a file's name; nil where that says nothing.
    package init?(fileName: String) {
        let name = fileName.lowercased()
        let endings: [(String, ImportFormat)] = [
            (".csv", .csv), (".tsv", .csv), (".json", .json), (".txt", .lines), (".md", .lines),
        ]
        guard let format = endings.first(where: { name.hasSuffix($0.0) })?.1 else { return nil }
        self = format
    }

    /// By the first bytes of a text. A table is one whose first row names columns that are known.
    package init(detecting bytes: [UInt8]) {
        let text = bytes.withoutByteOrderMark.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let afterBracket = text.dropFirst().first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if text.first == UInt8(ascii: "{") {
            self = .json
        } else if text.first == UInt8(ascii: "["), afterBracket == UInt8(ascii: "{") {
            self = .json
        } else if text.starts(with: ListLink.prefix.utf8) {
            self = .link
        } else {
            self = ListingTable.isBegun(by: text) ? .csv : .lines
        }
    }

    /// What the bytes hold: all of it, or nothing.
    ///
    /// Complexity: O(n) in the bytes.
    /// - Throws: one line that says where something is wrong, and what.
    package func read(_ bytes: [UInt8]) throws(ServiceError) -> ImportedList {
        guard bytes.count <= ExchangeLimits.bytes else { throw Self.tooLong }
        let list =
            switch self {
            case .csv: try ListingTable.read(bytes)
            case .json: try ListingJSON.read(bytes)
            case .lines: try PastedLines.read(bytes)
            case .link: try ListLink.read(bytes)
            }
        guard !list.entries.isEmpty else {
            throw ServiceError(
                list.hiddenCount == 0
                    ? "it contains nothing to add" : "everything in it is hidden or removed at its source")
        }
        return list
    }

    /// What is said of more than `ExchangeLimits.bytes`.
    package static let tooLong = ServiceError(
        "it is larger than \(ExchangeLimits.bytes >> 20) MiB; import a part of it")
}

extension [UInt8] {
    /// Without the mark that some programs put before UTF-8.
    var withoutByteOrderMark: ArraySlice<UInt8> { starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...] }
}
