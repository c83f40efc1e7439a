import Foundation
import TestTiers
import Testing
import TripFixtures
import TripPage

@testable import Geography

@Suite struct GeographyTests {
    static let shoreFile = "/usr/share/gmt-gshhg/binned_GSHHS_h.nc"
    static let townFile = "/usr/share/libtimezonemap/ui/cities15000.txt"
    static let hasShores = FileManager.default.fileExists(atPath: shoreFile) && ShoreBins(file: shoreFile) != nil
    static let hasTowns = FileManager.default.fileExists(atPath: townFile)
    static let lisbon = Land.Point(latitude: 38.71, longitude: -9.14)

    /// Whether a point is on land, by how often a way to the north pole crosses the rings.
    private func isLand(_ latitude: Double, _ longitude: Double, _ land: Land) -> Bool {
        var crossings = 0
        for ring in land.areas {
            for (a, b) in zip(ring, ring.dropFirst() + ring.prefix(1)) where abs(a.longitude - b.longitude) < 180 {
                guard (a.longitude <= longitude) != (b.longitude <= longitude) else { continue }
                let part = (longitude - a.longitude) / (b.longitude - a.longitude)
                if a.latitude + part * (b.latitude - a.latitude) > latitude { crossings += 1 }
            }
        }
        return crossings % 2 == 1
    }

    @Test(
        "land and sea are where they are, lakes and islands in lakes too", .tags(.slow),
        .enabled(if: hasShores, "skipped: gmt-gshhg-high or libnetcdf19 is not installed"),
        arguments: [
            (38.75, -9.2, true), (38.6, -9.6, false), (38.69, -9.14, false), (39.5, -8.3, true), (40.2, -8.1, true),
            (50.08, 14.43, true), (47.7, -88.0, false), (48.0, -88.9, true), (37.77, -25.4, true), (37.5, -25.4, false),
            (-16.8, 179.99, true), (-17.9, 179.0, false), (51.5, -0.1, true), (46.45, 6.6, false),
        ])
    func landAndSea(latitude: Double, longitude: Double, expected: Bool) async {
        let land = await Geography(townFile: "/nowhere/towns", patience: .seconds(100)).land(around: [
            Land.Point(latitude: latitude, longitude: longitude)
        ])
        #expect(isLand(latitude, longitude, land) == expected)
    }

    @Test(
        "two continents fit in a land of bounded size", .tags(.slow),
        .enabled(if: hasShores && hasTowns, "skipped: coasts or towns are not installed"))
    func continents() async {
        let newYork = Land.Point(latitude: 40.7, longitude: -74)
        let land = await Geography(patience: .seconds(100)).land(around: [Self.lisbon, newYork])
        #expect(isLand(40.2, -8.1, land) && isLand(41.5, -75, land) && !isLand(40, -40, land))
        #expect(land.areas.reduce(0) { $0 + $1.count } < ShoreBins.keptMax)
        #expect((300...600).contains(land.towns.count))
    }

    @Test(
        "towns around a place are named, greatest first", .tags(.slow),
        .enabled(if: hasTowns, "skipped: libtimezonemap-data is not installed"))
    func namedTowns() async {
        let land = await Geography(shoreFiles: [], patience: .seconds(100)).land(around: [Self.lisbon])
        #expect(land.towns.first?.name == "Lisbon" && land.towns.contains { $0.name == "Setúbal" })
        #expect(!land.towns.contains { $0.name == "Paris" })
    }

    @Test("where nothing is installed, and for no places, the land is empty")
    func nothing() async {
        let bare = Geography(townFile: "/nowhere/towns", shoreFiles: ["/nowhere/shores.nc"])
        #expect(await bare.land(around: [Self.lisbon]) == Land())
        #expect(await Geography().land(around: []) == Land())
        #expect(await Geography().land(around: [Land.Point(latitude: .nan, longitude: 500)]) == Land())
    }

    @Test("broken files are as good as none: cut anywhere, or with bytes changed")
    func brokenFiles() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "geography-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let table = folder.appending(path: "towns")
        let lines = [
            "", "\t\t\t", "1\tName\tx\tx\t95\t0\t" + String(repeating: "\t", count: 9),
            "1\tNoPopulation\tx\tx\t38.7\t-9.1\tP\tP\tPT\t\t\t\t\t\tmany\t\t",
            "1\tnan\tx\tx\tnan\tnan\tP\tP\tPT\t\t\t\t\t\t5\t",
            "1\tGood\tx\tx\t38.7\t-9.1\tP\tP\tPT\t\t\t\t\t\t20000\t\t", "1\t\u{FFFD}\u{0}\tx\tx\t38.7",
        ]
        try (Data([0xFF, 0xFE, 0x0A]) + Data(lines.joined(separator: "\n").utf8)).write(to: table)
        let geography = Geography(townFile: table.path, shoreFiles: [table.path])
        let land = await geography.land(around: [Self.lisbon])
        #expect(land.towns.map(\.name) == ["Good"] && land.areas.isEmpty)

        guard Self.hasShores else { return }
        let whole = try Data(contentsOf: URL(fileURLWithPath: Self.shoreFile))
        for length in [0, 8, 4096, whole.count / 2, whole.count - 1] {
            let cut = folder.appending(path: "cut-\(length).nc")
            try whole.prefix(length).write(to: cut)
            #expect(ShoreBins(file: cut.path) == nil)
        }
    }

    @Test("a look that takes longer than the patience is given up, and no half of a coast is kept")
    func patience() async {
        let land = await Geography(patience: .zero).land(around: [Self.lisbon])
        #expect(land.areas.isEmpty && land.shores.isEmpty)
    }

    @Test("bins whose numbers name what is not there are empty, and trap nothing", .tags(.slow))
    func brokenBins() async throws {
        let surroundings = try #require(Surroundings([Self.lisbon]))
        for seed in 0..<20 {
            var generator = SeededGenerator(seed: UInt64(seed))
            let count = 180 * 90
            let bins = ShoreBins(
                grid: Grid(size: 2, columns: 180, rows: 90),
                firstSegment: (0..<count).map { _ in .random(in: -5...40, using: &generator) },
                segmentCount: (0..<count).map { _ in .random(in: -5...30, using: &generator) },
                cornerLevels: (0..<count).map { _ in .random(in: .min ... .max, using: &generator) },
                segmentHeads: (0..<50).map { _ in .random(in: -2000...9000, using: &generator) },
                firstPoint: (0..<50).map { _ in .random(in: -5...100, using: &generator) },
                eastings: (0..<100).map { _ in .random(in: .min ... .max, using: &generator) },
                northings: (0..<100).map { _ in .random(in: .min ... .max, using: &generator) })
            #expect(bins.shores(around: surroundings, by: .now + .seconds(60)) != nil)
        }
    }
}
