import Files
import TripPage

/// GeoNames' table of towns: a line each, its columns divided by tabs; the second is the name, the fifth and sixth are
/// latitude and longitude, the fifteenth is the population.
enum TownTable {
    static let bytesMax = 64 << 20
    /// In kilometres from a place: within it towns of any size are named.
    static let nearness = 100.0
    static let nearMax = 400
    /// Of the greatest towns that are not near, for an overview.
    static let farMax = 200
    static let nameMax = 60

    /// The towns around places, greatest first; what is no line of the table is passed over, and a table that cannot be
    /// read is empty.
    static func towns(in file: String, around surroundings: Surroundings, by deadline: ContinuousClock.Instant) -> [Land
        .Town]
    {
        guard let table = try? WholeFile.read(file, atMost: bytesMax) else { return [] }
        var near: [Land.Town] = []
        var far: [Land.Town] = []
        table.withUnsafeBytes { bytes in
            var start = 0
            var number = 0
            while start < bytes.count {
                let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
                number += 1
                if number % 1024 == 0, ContinuousClock.now > deadline { return }
                if let town = town(of: bytes[start..<end], within: surroundings) {
                    let distance = surroundings.distance(to: Sphere.direction(of: town.point))
                    if distance < nearness { near.append(town) } else { far.append(town) }
                }
                start = end + 1
            }
        }
        let isGreater = { (a: Land.Town, b: Land.Town) in (b.population, a.name) < (a.population, b.name) }
        near.sort(by: isGreater)
        far.sort(by: isGreater)
        return (near.prefix(nearMax) + far.prefix(farMax)).sorted(by: isGreater)
    }

    /// Nil for what is no line of the table, and for what lies elsewhere.
    private static func town(of line: Slice<UnsafeRawBufferPointer>, within surroundings: Surroundings) -> Land.Town? {
        let columns = line.split(separator: UInt8(ascii: "\t"), maxSplits: 15, omittingEmptySubsequences: false)
        guard columns.count > 14, let latitude = Double(text(columns[4])), let longitude = Double(text(columns[5])),
            abs(latitude) <= 90, abs(longitude) <= 180
        else { return nil }
        let point = Land.Point(latitude: latitude, longitude: longitude)
        guard surroundings.isReached(Sphere.direction(of: point)), let population = Int(text(columns[14])) else {
            return nil
        }
        let name = text(columns[1])
        guard (1...nameMax).contains(name.count) else { return nil }
        return Land.Town(name: name, point: point, population: population)
    }

    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}
