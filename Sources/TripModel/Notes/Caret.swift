import DeltaCRDT

/// Where somebody writes in a note: behind a character, wherever that is once others have edited the note. It is said in messages
/// (Documentation/Protocol.md, section 8), and no change holds it.
package struct Caret: Hashable, Sendable {
    /// The item whose note it is; nil for the note of the trip.
    package let item: ItemID?
    /// The character before it; nil at the beginning.
    let element: NoteEdit.Element?

    init(item: ItemID?, element: NoteEdit.Element?) {
        self.item = item
        self.element = element
    }

    package var bytes: [UInt8] {
        var encoder = CanonicalEncoder()
        encoder.encode(item != nil)
        if let item { encoder.encode(OperationReference.there(item.operation)) }
        encoder.encode(element != nil)
        if let element { encoder.encode(element) }
        return encoder.bytes
    }

    /// Nil for what this version can't read. Bytes at the end belong to a newer one.
    package init?(_ bytes: [UInt8]) {
        var decoder = CanonicalDecoder(bytes)
        do throws(DecodingFailure) {
            var item: ItemID?
            if try decoder.decodeBool() {
                guard case .there(let operation) = try decoder.decodeReference() else { return nil }
                item = ItemID(operation: operation)
            }
            self.init(item: item, element: try decoder.decodeBool() ? try decoder.decodeElement() : nil)
        } catch { return nil }
    }
}

extension String {
    /// How many bytes come before a place that is counted in units of UTF-16. One within a surrogate pair is before the pair.
    func bytes(before offset: Int) -> Int {
        var (units, bytes) = (0, 0)
        for scalar in unicodeScalars {
            units += UTF16.width(scalar)
            guard units <= offset else { break }
            bytes += UTF8.width(scalar)
        }
        return bytes
    }
}
