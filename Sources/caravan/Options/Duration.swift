import ArgumentParser
import CaravanNode

/// A span of time as people write it: 45s, 30m, 12h, 7d.
struct Lifetime: ExpressibleByArgument, Equatable {
    let milliseconds: Int64

    private static let units: [Character: Int64] = ["s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]

    init?(argument: String) {
        guard let unit = argument.last.flatMap({ Lifetime.units[$0] }), let count = Int64(argument.dropLast()),
            count > 0, count <= TripNode.inviteLifetimeMax / unit
        else { return nil }
        milliseconds = count * unit
    }
}

/// A step up or down: +2, 2, -1.
struct Step: ExpressibleByArgument, Equatable {
    let value: Int64

    init?(argument: String) {
        guard let value = Int64(argument), value != 0 else { return nil }
        self.value = value
    }
}
