import DeltaCRDT
import DeltaCRDTFoundation
import Foundation
import Observation
import TestTiers
import Testing

/// Texts, lists and trees in files, and as states that views follow.
@Suite struct SequenceFileTests {
    /// Acts that a file keeps, and what is to be read after so many of them.
    struct Subject: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let survivesTornWrites: @Sendable (URL, _ step: Int) throws -> Void
        let findsFlippedBits: @Sendable (URL, _ step: Int) throws -> Void

        init<State: SyncableState & CanonicalCodable>(
            _ name: String, _ state: State.Type, _ acts: [@Sendable (inout State) -> Void]
        ) {
            testDescription = name
            survivesTornWrites = { try SequenceFileTests.surviveTornWrites(acts, at: $0, $1) }
            findsFlippedBits = { try SequenceFileTests.findFlippedBits(acts, at: $0, $1) }
        }
    }

    private static let (jie, noah) = (ReplicaID(high: 1, low: 1), ReplicaID(high: 2, low: 2))

    static let subjects = [
        Subject(
            "Text", Text.self,
            [
                { $0.insert("Évora in June", at: 0, by: jie) }, { $0.remove(0..<2) },
                { $0.insert("E", at: 0, by: noah) },
                { $0.replace(9..<13, with: "May", by: jie) },
            ]),
        Subject(
            "RichText", RichText.self,
            [
                { $0.insert("Évora in June", at: 0, by: jie) }, { $0.mark(0..<6, "bold", by: jie) },
                { $0.unmark(2..<4, "bold", by: noah) },
                { $0.mark(0..<6, "link", value: "x", expanding: .none, by: jie) }, { $0.remove(0..<2) },
            ]),
        Subject(
            "List", List<String>.self,
            [
                { $0.insert(contentsOf: ["tent", "rope", "stove"], at: 0, by: jie) }, { $0.remove(at: 1) },
                { $0.append("map", by: noah) },
            ]),
        Subject(
            "MovableList", MovableList<String>.self,
            [
                { $0.insert(contentsOf: ["museum", "beach", "castle"], at: 0, by: jie) },
                { $0.move(from: 2, to: 0, by: noah) }, { $0.remove(at: 1) },
            ]),
        Subject(
            "Tree", Tree.self,
            [
                { $0.insert(under: nil, by: jie) }, { $0.insert(under: Dot(replica: jie, counter: 1), by: noah) },
                { $0.remove(Dot(replica: jie, counter: 1), by: noah) },
                { $0.move(Dot(replica: noah, counter: 1), under: nil, by: jie) },
            ]),
    ]

    private func inFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sequence-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.appendingPathComponent("document"))
    }

    /// Does the acts in a new file; its size and its state before the first and after each.
    private static func write<State: SyncableState & CanonicalCodable>(
        _ acts: [@Sendable (inout State) -> Void], at url: URL
    ) throws -> [(size: Int, state: State)] {
        try? FileManager.default.removeItem(at: url)
        let file = try DocumentFile<State>(at: url)
        var steps = [(try Data(contentsOf: url).count, file.state)]
        for act in acts {
            let delta = try file.update { act(&$0) }
            #expect(steps[steps.count - 1].1.merging(delta) == file.state && delta != State())
            steps.append((try Data(contentsOf: url).count, file.state))
        }
        return steps
    }

    @Test("a file that was cut off anywhere has every whole change, and is written on", arguments: subjects)
    func tornWrites(subject: Subject) throws { try inFolder { try subject.survivesTornWrites($0, 9) } }

    @Test("the same at every byte", .tags(.slow), arguments: subjects)
    func tornWritesEverywhere(subject: Subject) throws { try inFolder { try subject.survivesTornWrites($0, 1) } }

    private static func surviveTornWrites<State: SyncableState & CanonicalCodable>(
        _ acts: [@Sendable (inout State) -> Void], at url: URL, _ step: Int
    ) throws {
        let steps = try write(acts, at: url)
        #expect(Set(steps.map(\.state)).count == acts.count + 1)
        let whole = try Data(contentsOf: url)
        for length in Array(stride(from: steps[0].size, to: whole.count, by: step)) + [whole.count] {
            try whole.prefix(length).write(to: url)
            let last = steps.lastIndex { $0.size <= length } ?? 0
            do {
                let file = try DocumentFile<State>(at: url)
                #expect(file.state == steps[last].state && file.lostBytes == length - steps[last].size)
                for act in acts[last...] { try file.update { act(&$0) } }
            }
            #expect(try DocumentFile<State>(at: url).state == steps[acts.count].state)
        }
    }

    @Test("a flipped bit is an error or ends what is believed, and is never another text", arguments: subjects)
    func flippedBits(subject: Subject) throws { try inFolder { try subject.findsFlippedBits($0, 37) } }

    @Test("the same for every bit", .tags(.slow), arguments: subjects)
    func everyFlippedBit(subject: Subject) throws { try inFolder { try subject.findsFlippedBits($0, 1) } }

    private static func findFlippedBits<State: SyncableState & CanonicalCodable>(
        _ acts: [@Sendable (inout State) -> Void], at url: URL, _ step: Int
    ) throws {
        let steps = try write(acts, at: url)
        let states = Set(steps.map(\.state))
        let whole = try Data(contentsOf: url)
        var refused = 0
        for bit in stride(from: 0, to: whole.count * 8, by: step) {
            var bytes = whole
            bytes[bytes.startIndex + bit / 8] ^= 1 << UInt8(bit % 8)
            try bytes.write(to: url)
            do {
                let file = try DocumentFile<State>(at: url)
                #expect(states.contains(file.state) && file.lostBytes > 0)
            } catch is DocumentFailure {
                #expect(try Data(contentsOf: url) == bytes)
                refused += 1
            }
        }
        #expect(refused > 0)
    }

    @Test("a file of one type is refused by another, and left as it is")
    func otherTypesAreRefused() throws {
        try inFolder { url in
            _ = try Self.write(
                [{ @Sendable (text: inout Text) in text.insert("Lisbon", at: 0, by: Self.jie) }], at: url)
            let bytes = try Data(contentsOf: url)
            #expect(throws: DocumentFailure.self) { try DocumentFile<List<String>>(at: url) }
            #expect(throws: DocumentFailure.self) { try DocumentFile<Tree>(at: url) }
            #expect(try Data(contentsOf: url) == bytes)
        }
    }

    @Test("what a session brings to a text is in its file") func sessionsWriteFiles() throws {
        try inFolder { url in
            var peer = Text()
            peer.insert("Lisbon", at: 0, by: Self.noah)
            do {
                let file = try DocumentFile<Text>(at: url)
                var (here, there) = (SyncSession<Text>(), SyncSession<Text>())
                try file.update(by: Self.jie) { $0.insert("To ", at: 0) }
                var isQuiet = false
                while !isQuiet {
                    isQuiet = true
                    while let message = here.message(for: file.state) {
                        try there.receive(message, into: &peer)
                        isQuiet = false
                    }
                    while let message = there.message(for: peer) {
                        try file.update { text in try here.receive(message, into: &text) }
                        isQuiet = false
                    }
                }
                #expect(file.state == peer)
            }
            #expect(try DocumentFile<Text>(at: url).state == peer && peer.string.contains("Lisbon"))
        }
    }

    @Test("a view hears of what was typed, and a slow reader gets it as one delta")
    @MainActor func changesAreTold() async {
        let note = ObservedState<Text>()
        let changes = note.changes()
        nonisolated(unsafe) var isTold = false
        withObservationTracking {
            _ = note.state.string
        } onChange: {
            isTold = true
        }
        note.update { $0.insert("Lisbon", at: 0, by: Self.jie) }
        note.update(by: Self.jie) { $0.remove(0..<1) }
        #expect(isTold && note.state.string == "isbon")
        var peer = note.state
        note.merge(peer.insert(" in June", at: 5, by: Self.noah))
        var iterator = changes.makeAsyncIterator()
        let delta = await iterator.next()
        #expect(delta?.string == "isbon" && note.state.string == "isbon in June")
    }
}
