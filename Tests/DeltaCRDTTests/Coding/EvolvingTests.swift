import DeltaCRDT
import Testing

@Suite struct EvolvingTests {
    private struct Place: EvolvingValue {
        var name = ""

        static let fields: [EvolvingField<Place>] = [.init(1, \.name)]
    }

    private struct PlaceWithPrice: EvolvingValue {
        var name = ""
        var price: Int?
        var stars: UInt8 = 3

        static let fields: [EvolvingField<PlaceWithPrice>] = [.init(1, \.name), .init(4, \.price), .init(9, \.stars)]
    }

    private let jie = ReplicaID(high: 1, low: 1)

    @Test("an earlier version reads a value of a later one, edits it, and gives on what it does not know")
    func unknownFieldsAreGivenOn() throws {
        var newer = MVRegister<Evolving<PlaceWithPrice>>()
        newer.set(Evolving(PlaceWithPrice(name: "hut", price: 40)), by: jie)
        var older = try MVRegister<Evolving<Place>>(decoding: newer.encoded())
        var place = try #require(older.values.first)
        #expect(place.name == "hut" && place.hasUnknownFields && older.encoded() == newer.encoded())
        place.name = "large hut"
        older.set(place, by: jie)
        newer.merge(try MVRegister(decoding: older.encoded()))
        #expect(newer.values == [Evolving(PlaceWithPrice(name: "large hut", price: 40))])
        #expect(try #require(newer.values.first).hasUnknownFields == false)
    }

    @Test("a field as nobody wrote it takes no bytes")
    func initialFieldsAreNotWritten() {
        #expect(Evolving(PlaceWithPrice()).encoded() == [0])
        #expect(Evolving(PlaceWithPrice(name: "hut")).encoded() == Evolving(Place(name: "hut")).encoded())
        #expect(Evolving(Place(name: "hut")).encoded() == [1, 1, 4, 3] + Array("hut".utf8))
    }

    @Test("a field that cannot be read, or need not be written, is kept until it is set")
    func unreadableFieldsAreKept() throws {
        // A price of two bytes that are no price, and stars that need not be written.
        for bytes: [UInt8] in [[1, 4, 2, 7, 7], [1, 9, 1, 3]] {
            var place = try Evolving<PlaceWithPrice>(decoding: bytes)
            #expect(place.hasUnknownFields && place.encoded() == bytes && place != Evolving())
            place.name = "hut"
            #expect(place.hasUnknownFields)
            place.price = nil
            place.stars = 3
            #expect(place == Evolving(PlaceWithPrice(name: "hut")))
        }
    }

    @Test("fields out of order, twice or without a number are refused")
    func otherFormsAreRefused() {
        for bytes: [UInt8] in [[2, 4, 2, 1, 80, 1, 2, 1, 65], [2, 1, 2, 1, 65, 1, 2, 1, 65], [1, 0, 1, 0]] {
            #expect(throws: DecodingFailure.notCanonical) { try Evolving<Place>(decoding: bytes) }
        }
        #expect(throws: DecodingFailure.tooLarge) { try Evolving<Place>(decoding: [1, 0x80, 0x80, 4, 1, 0]) }
        #expect(throws: DecodingFailure.tooLarge) { try Evolving<Place>(decoding: [0x7F, 1, 0]) }
    }
}
