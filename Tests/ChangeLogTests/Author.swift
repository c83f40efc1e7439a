import ChangeLog
import DeltaCRDT
import Sodium

/// Content that nobody reads.
struct AnyContent: ContentReading {
    private final class Unread: ReadContent {}

    func read(_ content: [UInt8]) -> any ReadContent { Unread() }
}

/// A deterministic stand-in for entropy.
struct Counter: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }
}

/// A device with its own copy of a log.
struct Author {
    static let cryptography = {
        guard let cryptography = try? SodiumCryptography() else { preconditionFailure("libsodium has no randomness") }
        return cryptography
    }()
    let secrets: DeviceSecrets
    var log: TripLog

    static func secrets(_ number: UInt64) -> DeviceSecrets {
        var generator = Counter(state: number)
        return DeviceSecrets(
            signingSeed: .random(using: &generator), agreementSecret: .random(using: &generator),
            using: cryptography)
    }

    /// The founder of a trip.
    static func founder() throws -> Author {
        let secrets = secrets(1)
        var generator = Counter(state: 99)
        let log = try TripLog.found(
            by: secrets, name: "Jie", epochSecret: .random(using: &generator), wallTime: 0,
            cryptography: cryptography, contents: AnyContent())
        var author = Author(secrets: secrets, log: log)
        author.log.reader = secrets
        return author
    }

    /// Lets somebody in, who then holds the same log.
    mutating func admit(_ number: UInt64) throws -> Author {
        let secrets = Author.secrets(number)
        let admission = Admission(device: secrets.device, name: "Guest \(number)", invite: nil, sealedSecrets: [])
        _ = try log.author(.membership(.admit(admission)), wallTime: 0, as: self.secrets)
        var author = Author(secrets: secrets, log: log)
        author.log.reader = secrets
        return author
    }

    /// A founder, a host whom they let in, and a guest whom the host did. The founder holds all of it.
    static func threeGenerations() throws -> (founder: Author, host: Author, guest: Author) {
        var founder = try Author.founder()
        var host = try founder.admit(2)
        let guest = try host.admit(3)
        founder.receive(from: host)
        return (founder, host, guest)
    }

    /// The same change with a signature that is none: what follows it vouches for it by its hash.
    static func unsigned(_ signed: SignedChange, _ log: TripLog) throws -> [UInt8] {
        guard let epoch = log.newestEpoch else { throw Refusal.unknownEpoch }
        return SignedChange.make(
            signed.change, signingSeed: secrets(10_000).signingSeed, epoch: epoch, using: cryptography
        ).sealed
    }

    /// Takes a participant out, with a new epoch for all who remain.
    @discardableResult
    mutating func remove(_ other: Author, epoch number: UInt64 = 7) throws -> Epoch {
        var generator = Counter(state: number)
        let epoch = Epoch(secret: .random(using: &generator), using: Author.cryptography)
        let participant = other.secrets.device.participant
        let remaining = log.membership.allMembers.map(\.device).filter { $0.participant != participant }
        let grant = EpochGrant(epoch, to: remaining, using: &generator, Author.cryptography)
        _ = try log.author(
            .membership(.remove(participant: participant, epoch: grant)), wallTime: 0, as: secrets)
        log.recount()
        return epoch
    }

    @discardableResult
    mutating func write(_ content: [UInt8] = [1], operations: Int = 1) throws -> SignedChange {
        try log.author(.content(content), operationCount: operations, wallTime: 0, as: secrets)
    }

    /// Takes everything that another holds.
    @discardableResult
    mutating func receive(from other: Author) -> Received {
        log.receive(other.log.changes.map(\.sealed))
    }
}
