import DeltaCRDT
import DeltaCRDTFoundation
import Foundation
import Observation
import Testing

@Suite struct StateCodingTests {
    private struct Saved: Codable, Equatable {
        var replica = ReplicaID(high: 0xAB, low: 2)
        var list = AddWinsSet<String>()
        var count = PNCounter()
    }

    @Test("a structure of an application holds states and names, and is Codable")
    func statesAreCodable() throws {
        var saved = Saved()
        saved.list.insert("tent", by: saved.replica)
        saved.count.add(3, by: saved.replica)
        let json = try JSONEncoder().encode(saved)
        #expect(String(decoding: json, as: UTF8.self).contains("\"00000000000000ab0000000000000002\""))
        #expect(try JSONDecoder().decode(Saved.self, from: json) == saved)
    }

    private struct Document: Codable, Equatable {
        var text = Text()
        var note = RichText()
        var list = List<String>()
        var movable = MovableList<String>()
        var tree = Tree()
        var votes = VoteCounter<String, UUID>()
        var cursor: SequenceAnchor?
        var causal: Causal<DotTable<String>>?
        var asked: [RangeSummary] = []
        var entries: EntrySummary?
    }

    @Test("so are texts, lists, trees, votes and cursors")
    func sequencesAreCodable() throws {
        let jie = ReplicaID(high: 1, low: 1)
        var document = Document()
        document.text.insert("Lisbon, 日本", at: 0, by: jie)
        document.text.remove(0..<3)
        document.note.insert("Lisbon", at: 0, by: jie)
        document.note.mark(0..<2, "bold", by: jie)
        document.list.append("tent", by: jie)
        document.movable.insert(contentsOf: ["tent", "stove"], at: 0, by: jie)
        document.movable.move(from: 0, to: 1, by: jie)
        let root = document.tree.insert(under: nil, by: jie).node
        document.tree.insert(under: root, by: jie)
        document.votes.cast(.for, on: "tent", by: UUID())
        document.cursor = document.text.anchor(at: 2, staying: .before)
        var set = AddWinsSet<String>()
        set.insert("tent", by: jie)
        document.causal = set.causal
        document.asked = [set.answer(to: StateSummary()).question]
        document.entries = GSet(["tent"]).summary()
        let read = try JSONDecoder().decode(Document.self, from: JSONEncoder().encode(document))
        #expect(read == document && read.text.string == "bon, 日本" && read.movable.elements == ["stove", "tent"])
        #expect(read.text.position(of: try #require(read.cursor)) == 2)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Text.self, from: Data(#""FAEB""#.utf8)) }
    }

    @Test("bytes that can't be read are an error that says the type and the byte")
    func errorsSayWhere() throws {
        let json = Data(#"["FAEB"]"#.utf8)
        do {
            _ = try JSONDecoder().decode([AddWinsSet<String>].self, from: json)
            Issue.record("read")
        } catch DecodingError.dataCorrupted(let context) {
            #expect(context.debugDescription == "AddWinsSet<String>: tooLarge at byte 2 of 3")
            #expect(context.underlyingError as? DecodingFailure == .tooLarge)
        }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(ReplicaID.self, from: Data(#""12""#.utf8)) }
        #expect(ReplicaID.random() != ReplicaID.random())
    }

    @Test("a view hears of a change, and each reader gets all that was done, joined where it was slow")
    @MainActor func changesAreTold() async {
        let jie = ReplicaID(high: 1, low: 1)
        let list = ObservedState<AddWinsSet<String>>()
        let changes = list.changes()
        nonisolated(unsafe) var isTold = false
        withObservationTracking {
            _ = list.state.count
        } onChange: {
            isTold = true
        }
        list.update { $0.insert("tent", by: jie) }
        #expect(isTold && list.state.elements == ["tent"])
        list.update(by: jie) { $0.insert("stove") }
        var peer = list.state
        list.merge(peer.insert("rope", by: ReplicaID(high: 2, low: 2)))
        var iterator = changes.makeAsyncIterator()
        let delta = await iterator.next()
        #expect(delta?.elements == ["tent", "stove"])
        let reader = Task { @MainActor in
            var others = changes.makeAsyncIterator()
            return await others.next()
        }
        await Task.yield()
        list.update { $0.remove("tent") }
        let removal = await reader.value
        #expect(removal?.isEmpty == true && removal?.context.isEmpty == false)
    }
}
