import ArgumentParser
import CaravanNode
import TripModel

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

/// A new quantity: so many (3), or so many more or less (+2, -1).
enum NewQuantity: ExpressibleByArgument, Equatable {
    case exactly(Int64)
    case step(Int64)

    init?(argument: String) {
        guard let value = Int64(argument) else { return nil }
        if argument.hasPrefix("+") || argument.hasPrefix("-") {
            guard value != 0 else { return nil }
            self = .step(value)
        } else {
            self = .exactly(value)
        }
    }

    var action: ItemAction {
        switch self {
        case .exactly(let count): .setQuantity(count)
        case .step(let step): .changeQuantity(by: step)
        }
    }
}
