import DeltaCRDT
import Glibc

/// Ends the program with a message.
func fail(_ message: String, _ status: Int32) -> Never {
    let bytes = Array((message + "\n").utf8)
    _ = write(2, bytes, bytes.count)
    exit(status)
}

/// An editing trace as `Benchmarks/text.py` writes it: numbers and texts, each number ended by a blank.
struct Trace {
    struct Patch {
        let position: Int
        let removed: Int
        let inserted: String
    }

    struct Transaction {
        let agent: Int
        let parents: [Int]
        let patches: [Patch]
    }

    let agents: Int
    let transactions: [Transaction]
    let end: String

    init(_ path: String) {
        var bytes: [UInt8] = []
        guard let file = fopen(path, "rb") else {
            fail("TextBench: cannot read \(path)", 66)
        }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count <= 0 { break }
            bytes += buffer[..<count]
        }
        var place = 0
        func number() -> Int {
            var value = 0
            while bytes[place] != UInt8(ascii: " ") {
                value = value * 10 + Int(bytes[place]) - 48
                place += 1
            }
            place += 1
            return value
        }
        func text() -> String {
            let count = number()
            defer { place += count }
            return String(decoding: bytes[place..<place + count], as: UTF8.self)
        }
        agents = number()
        transactions = (0..<number()).map { _ in
            let agent = number()
            let parents = (0..<number()).map { _ in number() }
            let patches = (0..<number()).map { _ in
                let (position, removed) = (number(), number())
                return Patch(position: position, removed: removed, inserted: text())
            }
            return Transaction(agent: agent, parents: parents, patches: patches)
        }
        end = text()
    }

    static func writer(_ agent: Int) -> ReplicaID {
        ReplicaID(high: 0x9E37_79B9_7F4A_7C15 &* UInt64(agent + 1), low: UInt64(agent))
    }
}

extension Text {
    /// Positions of the traces are those of ASCII.
    @discardableResult
    mutating func apply(_ patch: Trace.Patch, by writer: ReplicaID) -> Text {
        if patch.removed == 0 { return insert(patch.inserted, at: patch.position, by: writer) }
        let range = patch.position..<patch.position + patch.removed
        return patch.inserted.isEmpty ? remove(range) : replace(range, with: patch.inserted, by: writer)
    }
}
