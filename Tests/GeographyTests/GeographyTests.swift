import Foundation
import TestTiers
import Testing
import TripFixtures
import TripPage

@testable import Geography

@Suite struct GeographyTests {
    static let coastFile = "/usr/local/share/caravan/coast"
    static let townFile = "/usr/share/libtimezonemap/ui/cities15000.txt"
    static let hasCoasts = FileManager.default.fileExists(atPath: coastFile)
    static let hasTowns = FileManager.default.fileExists(atPath: townFile)
    static let lisbon = Land.Point(latitude: 38.71, longitude: -9.14)

    /// Whether a point is on land, by how often a way to the north pole crosses the rings.
    private func isLand(_ latitude: Double, _ longitude: Double, _ land: Land) -> Bool {
        var crossings = 0
        for coast in land.coasts {
            let ring = coast.map { direction in
                let east = (atan2(direction.y, direction.x) * 180 / .pi - longitude).remainder(dividingBy: 360)
                return (north: asin(direction.z) * 180 / .pi, east: east)
            }
            for (a, b) in zip(ring, ring.dropFirst() + ring.prefix(1)) where abs(a.east - b.east) < 180 {
                guard (a.east <= 0) != (b.east <= 0) else { continue }
                if a.north - a.east / (b.east - a.east) * (b.north - a.north) > latitude { crossings += 1 }
            }
        }
        return crossings % 2 == 1
    }

    @Test(
        "land and sea are where they are, lakes and islands in lakes too", .tags(.slow),
        .enabled(if: hasCoasts, "skipped: Scripts/coast was not run"),
        arguments: [
            (38.75, -9.2, true), (38.6, -9.6, false), (38.69, -9.14, false), (39.5, -8.3, true), (40.2, -8.1, true),
            (50.08, 14.43, true), (47.7, -88.0, false), (48.0, -88.9, true), (37.77, -25.4, true), (37.5, -25.4, false),
            (-16.85, -179.97, true), (-16.8, 179.99, false), (51.5, -0.1, true), (46.45, 6.6, false),
        ])
    func landAndSea(latitude: Double, longitude: Double, expected: Bool) async {
        let land = await Geography(townFile: "/nowhere/towns", patience: .seconds(100)).land(around: [
            Land.Point(latitude: latitude, longitude: longitude)
        ])
        #expect(isLand(latitude, longitude, land) == expected)
    }

    @Test(
        "two continents fit in a land of bounded size", .tags(.slow),
        .enabled(if: hasCoasts && hasTowns, "skipped: coasts or towns are not installed"))
    func continents() async {
        let newYork = Land.Point(latitude: 40.7, longitude: -74)
        let land = await Geography(patience: .seconds(100)).land(around: [Self.lisbon, newYork])
        #expect(isLand(40.2, -8.1, land) && isLand(41.5, -75, land) && !isLand(40, -40, land))
        #expect(land.coasts.reduce(0) { $0 + $1.count } < 50_000)
        #expect((300...600).contains(land.towns.count))
    }

    @Test(
        "towns around a place are named, greatest first", .tags(.slow),
        .enabled(if: hasTowns, "skipped: libtimezonemap-data is not installed"))
    func namedTowns() async {
        let land = await Geography(coastFiles: [], patience: .seconds(100)).land(around: [Self.lisbon])
        #expect(land.towns.first?.name == "Lisbon" && land.towns.contains { $0.name == "Setúbal" })
        #expect(!land.towns.contains { $0.name == "Paris" })
    }

    @Test("where nothing is installed, and for no places, the land is empty")
    func nothing() async {
        let bare = Geography(townFile: "/nowhere/towns", coastFiles: ["/nowhere/coast"])
        #expect(await bare.land(around: [Self.lisbon]) == Land())
        #expect(await Geography().land(around: []) == Land())
        #expect(await Geography().land(around: [Land.Point(latitude: .nan, longitude: 500)]) == Land())
    }

    @Test("a broken table of towns gives the towns of its whole lines")
    func brokenTable() async throws {
        let lines = [
            "", "\t\t\t", "1\tName\tx\tx\t95\t0\t" + String(repeating: "\t", count: 9),
            "1\tNoPopulation\tx\tx\t38.7\t-9.1\tP\tP\tPT\t\t\t\t\t\tmany\t\t",
            "1\tnan\tx\tx\tnan\tnan\tP\tP\tPT\t\t\t\t\t\t5\t",
            "1\tGood\tx\tx\t38.7\t-9.1\tP\tP\tPT\t\t\t\t\t\t20000\t\t", "1\t\u{FFFD}\u{0}\tx\tx\t38.7",
        ]
        try await withFile([0xFF, 0xFE, 0x0A] + Array(lines.joined(separator: "\n").utf8)) { file in
            let land = await Geography(townFile: file, coastFiles: [file]).land(around: [Self.lisbon])
            #expect(land.towns.map(\.name) == ["Good"] && land.coasts.isEmpty)
        }
    }

    // MARK: - Coast files

    /// East and north of the place, in steps of 1/5000 of a degree, and the rank.
    private typealias Ring = [(east: Int, north: Int, rank: Int)]

    /// An island of 4 km in the place, an islet, a headland of no use on the other side of the earth.
    private static let rings: [Ring] = [
        [(-100, -100, 4), (100, -100, 0), (100, 100, 3), (-100, 100, 0)],
        [(200, 200, 0), (210, 200, 0), (210, 210, 0)],
        [(900_000, 0, 1), (900_050, 0, 1), (900_050, 50, 1)],
    ]
    private static let place = Land.Point(latitude: 0, longitude: 0)

    /// What Scripts/coast writes for rings.
    private func encoded(_ rings: [Ring]) -> [UInt8] {
        func number(_ value: Int) -> [UInt8] {
            value < 128 ? [UInt8(value)] : [UInt8(value & 127 | 128)] + number(value >> 7)
        }
        func zigzag(_ value: Int) -> Int { value < 0 ? -2 * value - 1 : 2 * value }
        var bytes = Array("caravan coast 1\n".utf8)
        var first = (east: 0, north: 0)
        for ring in rings {
            var (before, text) = (first, [UInt8]())
            for point in ring {
                text += number(zigzag(point.east - before.east) << 4 | point.rank)
                text += number(zigzag(point.north - before.north))
                before = (point.east, point.north)
            }
            first = (ring[0].east, ring[0].north)
            bytes += number(text.count) + text
        }
        return bytes
    }

    private func withFile(_ bytes: [UInt8], _ body: (String) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "geography-\(UUID().uuidString)")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await body(file.path)
    }

    private func read(
        _ bytes: [UInt8], around places: [Land.Point] = [place], patience: Duration = .seconds(100)
    ) async throws -> [[Sphere.Direction]]? {
        let surroundings = try #require(Surroundings(places))
        var coasts: [[Sphere.Direction]]?
        try await withFile(bytes) { file in
            coasts = CoastFile(file)?.coasts(around: surroundings, by: .now + patience)
        }
        return coasts
    }

    @Test("coasts within reach are read, with all their points near a place, and with those that can be seen elsewhere")
    func withinReach() async throws {
        #expect(try await read(encoded(Self.rings))?.map(\.count) == [4, 3])
        // Between two places 445 km apart, an error of 1 km cannot be seen.
        let places = [-2.0, 2].map { Land.Point(latitude: $0, longitude: 0) }
        #expect(try await read(encoded(Self.rings), around: places)?.isEmpty == true)
        let coarse: Ring = zip(Self.rings[0], [4, 2, 3, 1]).map { ($0.east, $0.north, $1) }
        #expect(try await read(encoded([coarse]), around: places)?.map(\.count) == [3])
    }

    @Test("a coast file that is cut anywhere gives whole rings or no coast, and one with bytes changed traps nothing")
    func brokenCoasts() async throws {
        let whole = encoded(Self.rings)
        for length in 0..<whole.count {
            if let coasts = try await read(Array(whole[..<length])) {
                #expect(coasts.map(\.count) == Array([4, 3].prefix(coasts.count)))
            }
        }
        for seed in 0..<300 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var bytes = whole
            for _ in 0...seed % 8 {
                bytes[.random(in: 16..<whole.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            let coasts = try await read(bytes) ?? []
            #expect(coasts.joined().allSatisfy { abs(Sphere.dot($0, $0) - 1) < 1e-9 })
        }
    }

    @Test("a coast that leaves the earth, or is longer than its file, is none")
    func hostileCoasts() async throws {
        #expect(try await read(encoded([[(0, 450_001, 15), (0, 0, 0), (1, 1, 0)]])) == nil)
        #expect(try await read(encoded([[(3_600_001, 0, 15), (0, 0, 0), (1, 1, 0)]])) == nil)
        #expect(try await read(encoded(Self.rings) + [127, 0]) == nil)
        #expect(try await read(encoded(Self.rings) + [255, 255, 255, 255, 255, 255]) == nil)
        #expect(try await read(encoded(Self.rings) + [0]) == nil)
    }

    @Test("more points than a map may have are no coast", .tags(.slow))
    func tooMany() async throws {
        let ring: Ring = (0...CoastFile.pointsMax).map { (east: $0 % 2, north: $0 % 3, rank: 0) }
        #expect(try await read(encoded([ring])) == nil)
    }

    @Test("a look that takes longer than the patience is given up, and no half of a coast is kept")
    func patience() async throws {
        #expect(try await read(encoded(Self.rings), patience: .zero) == nil)
    }
}
