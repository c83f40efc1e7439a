import DeltaCRDT
import DeltaCRDTFoundation
import Foundation
import Testing

@Suite struct DocumentFileTests {
    private typealias File = DocumentFile<AddWinsSet<String>>
    private let jie = ReplicaID(high: 1, low: 1)

    private func inFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("document-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.appendingPathComponent("list"))
    }

    /// Inserts items into a new file, one at a time; its size before the first of them and after each.
    private func write(_ count: Int, at url: URL) throws -> [Int] {
        let file = try File(at: url)
        var sizes = [try Data(contentsOf: url).count]
        for number in 0..<count {
            try file.update { $0.insert("item \(number)", by: jie) }
            sizes.append(try Data(contentsOf: url).count)
        }
        return sizes
    }

    @Test("what was done is there when the file is opened again")
    func whatWasDoneIsThere() throws {
        try inFolder { url in
            var peer = AddWinsSet<String>()
            do {
                let file = try File(at: url)
                try file.update { $0.insert("tent", by: jie) }
                peer.merge(file.state)
                #expect(try file.merge(peer.insert("stove", by: ReplicaID(high: 2, low: 2))))
                #expect(try !file.merge(peer))
                try file.update { $0.remove("tent") }
            }
            let file = try File(at: url)
            #expect(file.state.elements == ["stove"] && file.lostBytes == 0)
        }
    }

    @Test("a file that was cut off anywhere has every whole delta, and is written on")
    func cutFilesAreRead() throws {
        try inFolder { url in
            let sizes = try write(5, at: url)
            let whole = try Data(contentsOf: url)
            for length in sizes[0]..<whole.count {
                try whole.prefix(length).write(to: url)
                let count = sizes.filter { $0 <= length }.count - 1
                do {
                    let file = try File(at: url)
                    #expect(file.state.count == count && file.lostBytes == length - sizes[count])
                    try file.update { $0.insert("more", by: jie) }
                }
                #expect(try File(at: url).state.count == count + 1)
            }
        }
    }

    @Test(
        "a flipped bit in a delta ends what is believed; in the snapshot or the head it is an error, and the file stays"
    )
    func flippedBitsAreFound() throws {
        try inFolder { url in
            do {
                let file = try File(at: url)
                try file.update { $0.formUnion(["tent", "stove"], by: jie) }
                try file.compact()
                try file.update { $0.insert("rope", by: jie) }
            }
            let whole = try Data(contentsOf: url)
            var (kept, refused) = (0, 0)
            for bit in 0..<whole.count * 8 {
                var bytes = whole
                bytes[bytes.startIndex + bit / 8] ^= 1 << UInt8(bit % 8)
                try bytes.write(to: url)
                do {
                    let file = try File(at: url)
                    #expect(file.state.count == 2 && file.lostBytes > 0)
                    kept += 1
                } catch let failure as DocumentFailure {
                    #expect(failure == .notADocument || failure == .damagedSnapshot)
                    #expect(try Data(contentsOf: url) == bytes)
                    refused += 1
                }
            }
            #expect(kept > 0 && refused > 0)
        }
    }

    @Test("a damaged delta before whole ones is an error, the file stays, and the rest of it can be salvaged")
    func damageIsNoCrash() throws {
        try inFolder { url in
            let sizes = Array(try write(4, at: url).dropFirst())
            let whole = try Data(contentsOf: url)
            for bit in sizes[0] * 8..<sizes[2] * 8 {
                var bytes = whole
                bytes[bytes.startIndex + bit / 8] ^= 1 << UInt8(bit % 8)
                try bytes.write(to: url)
                let damaged = sizes.last { $0 <= bit / 8 } ?? 0
                #expect(throws: DocumentFailure.damagedPart(byte: damaged)) { try File(at: url) }
                #expect(
                    try File.salvage(url).sorted()
                        == (0..<4).filter { sizes[$0] != sizes.first { $0 > bit / 8 } }.map { "item \($0)" })
                #expect(try Data(contentsOf: url) == bytes)
            }
            try whole.write(to: url)
            #expect(try File.salvage(url).count == 4)
        }
    }

    @Test("what is done in a replica's name is written; what came before an error, too")
    func writersAndErrorsAreWritten() throws {
        try inFolder { url in
            do {
                let file = try File(at: url)
                let delta = try file.update(by: jie) { $0.insert("tent") }
                #expect(delta == file.state && file.state.context.versionVector.entries.map(\.replica) == [jie])
                #expect(throws: DecodingFailure.truncated) {
                    try file.update { list in
                        list.insert("stove", by: jie)
                        list.merge(try AddWinsSet(decoding: []))
                    }
                }
            }
            #expect(try File(at: url).state.elements == ["tent", "stove"])
        }
    }

    @Test("the file stays within twice the snapshot, whatever is changed")
    func filesStaySmall() throws {
        try inFolder { url in
            let file = try File(at: url)
            for number in 0..<1000 {
                try file.update { $0.insert("item", by: jie) }
                if number % 100 == 99 { #expect(try Data(contentsOf: url).count < 5000) }
            }
            #expect(try File(at: url).state.elements == ["item"])
        }
    }
}
