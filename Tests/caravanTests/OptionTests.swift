import ArgumentParser
import Testing
import TripModel

@testable import caravan

struct OptionTests {
    @Test func timesAreReadWithTheirUnits() {
        let expected: [(String, Int64?)] = [
            ("45s", 45_000), ("30m", 1_800_000), ("12h", 43_200_000), ("7d", 604_800_000), ("3650d", 315_360_000_000),
            ("3651d", nil), ("0d", nil), ("-1d", nil), ("7", nil), ("d", nil), ("", nil), ("7w", nil), ("1.5h", nil),
            ("9223372036854775807s", nil), ("99999999999999999999d", nil), ("７d", nil),
        ]
        for (text, milliseconds) in expected {
            #expect(Lifetime(argument: text)?.milliseconds == milliseconds, "\(text)")
        }
    }

    @Test func quantitiesAreReadWithTheirSigns() throws {
        for (text, value) in [
            ("+2", .step(2)), ("2", .exactly(2)), ("-1", .step(-1)), ("0", .exactly(0)), ("+0", nil), ("-", nil),
            ("two", nil), ("", nil),
        ] as [(String, NewQuantity?)] {
            #expect(NewQuantity(argument: text) == value, "\(text)")
        }
        for (arguments, value) in [
            (["4", "-1"], .step(-1)), (["4", "+2"], .step(2)), (["4", "-1", "--trip", "ab"], .step(-1)),
            (["--trip", "ab", "4", "-12"], .step(-12)), (["4", "12", "-q"], .exactly(12)),
        ] as [([String], NewQuantity)] {
            let quantity = try #require(try Caravan.parseAsRoot(["quantity"] + arguments) as? Quantity)
            #expect(quantity.item == "4")
            #expect(quantity.quantity == [value])
        }
    }

    @Test func placesSouthOfTheEquatorAreNoOptions() throws {
        let add = try #require(
            try Caravan.parseAsRoot(["add", "Cape Town", "--place", "-33.9,18.4", "--host", "Thandi"]) as? Add)
        #expect(add.fields.given == [.place: "-33.9,18.4", .host: "Thandi"])
    }

    @Test func peersAreAddresses() throws {
        for text in ["10.0.0.2:4000", "[fe80::1%eth0]:4000", "[::1]:1"] {
            let up = try #require(try Caravan.parseAsRoot(["up", "--peer", text]) as? Up)
            #expect(up.peers.addresses == [text])
        }
        for text in ["10.0.0.2", "10.0.0.2:", "10.0.0.2:0", "10.0.0.2:65536", ":4000", "fe80::1:4000", ""] {
            #expect(throws: (any Error).self, "\(text)") { try Caravan.parseAsRoot(["up", "--peer", text]) }
        }
    }
}
