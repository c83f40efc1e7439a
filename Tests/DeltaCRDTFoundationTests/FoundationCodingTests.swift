import DeltaCRDT
import DeltaCRDTFoundation
import Foundation
import Testing

@Suite struct FoundationCodingTests {
    @Test("identifiers, dates and data are read as they were written")
    func valuesAreReadAsWritten() throws {
        let id = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
        #expect(id.encoded() == (0..<16).map { $0 * 0x11 })
        #expect(try UUID(decoding: id.encoded()) == id)
        let date = Date(timeIntervalSinceReferenceDate: 1.5)
        #expect(date.encoded() == [0, 0, 0, 0, 0, 0, 0xF8, 0x3F])
        #expect(try Date(decoding: date.encoded()) == date)
        #expect(Data([7, 8]).encoded() == [2, 7, 8])
        #expect(try Data(decoding: [2, 7, 8]) == Data([7, 8]))
        #expect(throws: DecodingFailure.truncated) { try UUID(decoding: [1, 2]) }
        #expect(throws: DecodingFailure.tooLarge) { try Data(decoding: [0xFF, 0xFF, 7]) }
        var set = AddWinsSet<UUID>()
        set.insert(id, by: ReplicaID(high: 1, low: 1))
        #expect(try AddWinsSet<UUID>(decoding: set.encoded()) == set)
    }

    private struct Place: Codable, Sendable {
        var name: String
        var stars: Int
        var link: URL?
    }

    @Test("a codable value has one form, and other JSON of it is refused")
    func jsonHasOneForm() throws {
        let place = try JSONCoded(Place(name: "hut", stars: 3, link: URL(string: "https://hut.example/a")))
        let json = #"{"link":"https://hut.example/a","name":"hut","stars":3}"#
        #expect(place.json == Array(json.utf8))
        let read = try JSONCoded<Place>(decoding: place.encoded())
        #expect(read == place && read.value.stars == 3)
        for other in [#"{"stars":3,"name":"hut"}"#, #"{"name":"hut","stars":3.0}"#, #"{"name":"hut", "stars":3}"#] {
            #expect(throws: DecodingFailure.notCanonical) { try JSONCoded<Place>(decoding: other.encoded()) }
        }
        for other in ["{}", "", "[1"] {
            #expect(throws: DecodingFailure.unknown) { try JSONCoded<Place>(decoding: other.encoded()) }
        }
        #expect(throws: EncodingError.self) { try JSONCoded(Double.infinity) }
    }
}
