/// Reads a WebDAV server's list (RFC 4918, 14.16) without a general XML reader: no entities, no document types, nothing nested
/// without bound. It needs only the texts of each
/// response's own `href`, and a quota.
enum MultistatusReader {
    private static let depthMax = 32

    /// The `href`s in the order of the answer, up to a number of them; nil if the bytes are no such list.
    static func references(in bytes: [UInt8], most: Int) -> [String]? {
        texts(at: [response, href], in: bytes, most: most)
    }

    /// What a quota leaves; nil if none is told.
    static func freeBytes(in bytes: [UInt8]) -> Int64? {
        let path = ["response", "propstat", "prop", "quota-available-bytes"].map { Array($0.utf8)[...] }
        return texts(at: path, in: bytes, most: 1)?.first.flatMap { Int64($0) }
    }

    /// The texts of the elements at a path below the list itself.
    private static func texts(at path: [ArraySlice<UInt8>], in bytes: [UInt8], most: Int) -> [String]? {
        func isThere(_ open: [ArraySlice<UInt8>]) -> Bool { open.count == path.count + 1 && open[1...] == path[...] }
        var reader = Scanner(bytes: bytes)
        var references: [String] = []
        var open: [ArraySlice<UInt8>] = []
        var text: [UInt8] = []
        var sawList = false
        while let token = reader.next() {
            switch token {
            case .text(let part): if isThere(open) { text += part }
            case .start(let name):
                guard open.count < depthMax else { return nil }
                if open.isEmpty {
                    guard name == multistatus, !sawList else { return nil }
                    sawList = true
                }
                open.append(name)
                text = []
            case .empty(let name): guard !open.isEmpty, !name.isEmpty else { return nil }
            case .end(let name):
                let isText = isThere(open)
                guard open.popLast() == name else { return nil }
                guard isText else { continue }
                guard references.count < most else { return references }
                references.append(String(decoding: text.filter { !$0.isBlank }, as: UTF8.self))
            }
        }
        return sawList && open.isEmpty && reader.isWellFormed ? references : nil
    }

    // Properties have `href`s too: of users, of locks. They name nothing in the list.
    private static let response = Array("response".utf8)[...]
    private static let href = Array("href".utf8)[...]
    private static let multistatus = Array("multistatus".utf8)[...]

    private enum Token {
        case text(ArraySlice<UInt8>)
        /// Names are without the part that says which namespace is meant.
        case start(ArraySlice<UInt8>)
        case empty(ArraySlice<UInt8>)
        case end(ArraySlice<UInt8>)
    }

    private struct Scanner {
        let bytes: [UInt8]
        var position = 0
        private(set) var isWellFormed = true

        init(bytes: [UInt8]) { self.bytes = bytes }

        mutating func next() -> Token? {
            while isWellFormed, position < bytes.count {
                if bytes[position] != UInt8(ascii: "<") { return .text(untilTag()) }
                if starts(with: "<!--") {
                    skip(past: "-->")
                } else if starts(with: "<?") {
                    skip(past: "?>")
                } else if starts(with: "<![CDATA[") {
                    position += 9
                    let start = position
                    skip(past: "]]>")
                    if isWellFormed { return .text(bytes[start..<position - 3]) }
                } else {
                    return tag()
                }
            }
            return nil
        }

        /// A tag; nil, and no longer well-formed, for a document type and whatever else begins with `<!`.
        private mutating func tag() -> Token? {
            position += 1
            let start = position
            var quote: UInt8?
            while position < bytes.count {
                let byte = bytes[position]
                if let open = quote {
                    if byte == open { quote = nil }
                } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                    quote = byte
                } else if byte == UInt8(ascii: ">") {
                    break
                } else if byte == UInt8(ascii: "<") {
                    break
                }
                position += 1
            }
            guard position < bytes.count, bytes[position] == UInt8(ascii: ">") else { return fail() }
            var inside = bytes[start..<position]
            position += 1
            let isEnd = inside.first == UInt8(ascii: "/")
            if isEnd { inside.removeFirst() }
            let isEmpty = !isEnd && inside.last == UInt8(ascii: "/")
            if isEmpty { inside.removeLast() }
            let whole = inside.prefix { !$0.isBlank }
            guard let first = whole.first, first != UInt8(ascii: "!") else { return fail() }
            let name = whole.lastIndex(of: UInt8(ascii: ":")).map { whole[($0 + 1)...] } ?? whole
            return isEnd ? .end(name) : isEmpty ? .empty(name) : .start(name)
        }

        private mutating func fail() -> Token? {
            isWellFormed = false
            return nil
        }

        private func starts(with text: StaticString) -> Bool {
            bytes[position...].starts(with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        }

        private mutating func skip(past text: StaticString) {
            while position < bytes.count, !starts(with: text) { position += 1 }
            position += text.utf8CodeUnitCount
            if position > bytes.count { isWellFormed = false }
        }

        private mutating func untilTag() -> ArraySlice<UInt8> {
            let start = position
            position = bytes[start...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
            return bytes[start..<position]
        }
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 32 || (9...13).contains(self) }
}
