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
        list.update { $0.insert("stove", by: jie) }
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
