import TripService

/// The rows of a table in comma-separated values (RFC 4180), one after the other: fields may stand in quotation marks, and
/// then hold separators, line breaks and doubled quotation marks. Lines end in CRLF, LF or CR.
///
/// Fields are ranges of the bytes, so what nobody asks for is never copied.
struct CSVRows {
    private let bytes: ArraySlice<UInt8>
    private let separator: UInt8
    private var place: Int
    /// The row that was read last, from 1.
    private(set) var number = 0

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        separator = Self.separator(of: bytes)
        place = bytes.startIndex
    }

    /// A field as it stands in the bytes.
    struct Field {
        /// Without the quotation marks around it.
        let range: Range<Int>
        let isQuoted: Bool
    }

    /// The next row that is not blank; nil at the end. O(n) in its bytes.
    mutating func next() throws(ServiceError) -> [Field]? {
        while place < bytes.endIndex {
            number += 1
            let row = try row()
            if row.count > 1 || !row[0].range.isEmpty || row[0].isQuoted { return row }
        }
        return nil
    }

    /// What a field says.
    func text(_ field: Field) throws(ServiceError) -> String {
        let content = bytes[field.range]
        let text: String?
        if field.isQuoted, content.contains(0x22) {
            var single: [UInt8] = []
            single.reserveCapacity(content.count)
            var isSecond = false
            for byte in content {
                isSecond = byte == 0x22 && !isSecond
                if !isSecond { single.append(byte) }
            }
            // The first of two is left out, so the second stands.
            text = String(validating: single, as: UTF8.self)
        } else {
            text = String(validating: content, as: UTF8.self)
        }
        guard let text else { throw problem("the text is not UTF-8; save the table as UTF-8") }
        return text
    }

    func problem(_ what: String) -> ServiceError { ServiceError("row \(number): \(what)") }

    private mutating func row() throws(ServiceError) -> [Field] {
        var fields: [Field] = []
        var at = place
        defer { place = at }
        while true {
            let isQuoted = at < bytes.endIndex && bytes[at] == 0x22
            let start = isQuoted ? at + 1 : at
            let end: Int
            if isQuoted {
                end = try closingQuote(from: start)
                at = end + 1
                guard at == bytes.endIndex || isEnd(bytes[at]) else {
                    throw problem(
                        "there is text after a closing quotation mark; write \"\" for a quotation mark within a text")
                }
            } else {
                at = start
                while at < bytes.endIndex, !isEnd(bytes[at]) { at += 1 }
                end = at
            }
            guard end - start <= ExchangeLimits.fieldBytes else {
                throw problem("a field has more than \(ExchangeLimits.fieldBytes >> 10) KiB")
            }
            guard fields.count < ExchangeLimits.columns else {
                throw problem("more than \(ExchangeLimits.columns) columns; delete some")
            }
            fields.append(Field(range: start..<end, isQuoted: isQuoted))
            guard at < bytes.endIndex else { return fields }
            at += 1
            if bytes[at - 1] == separator { continue }
            if bytes[at - 1] == 0x0D, at < bytes.endIndex, bytes[at] == 0x0A { at += 1 }
            return fields
        }
    }

    private func isEnd(_ byte: UInt8) -> Bool { byte == separator || byte == 0x0A || byte == 0x0D }

    private func closingQuote(from start: Int) throws(ServiceError) -> Int {
        var at = start
        // Looked at no farther than a field may be long: where one mark is missing, the next row's begins to be read as text.
        let bound = min(bytes.endIndex, start + ExchangeLimits.fieldBytes + 2)
        while at < bound {
            if bytes[at] == 0x22 {
                guard at + 1 < bytes.endIndex, bytes[at + 1] == 0x22 else { return at }
                at += 1
            }
            at += 1
        }
        throw problem("a quotation mark is not closed; close it")
    }

    /// What separates fields: a comma, or what programs write where a comma is a decimal point, by what the first row has
    /// most of.
    private static func separator(of bytes: ArraySlice<UInt8>) -> UInt8 {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in bytes.prefix(ExchangeLimits.fieldBytes) {
            if byte == 0x22 { isQuoted.toggle() }
            if isQuoted { continue }
            if byte == 0x0A || byte == 0x0D { break }
            counts[byte, default: 0] += 1
        }
        let comma = UInt8(ascii: ",")
        return [UInt8(ascii: ";"), 0x09].reduce(comma) { (counts[$1] ?? 0) > (counts[$0] ?? 0) ? $1 : $0 }
    }
}
