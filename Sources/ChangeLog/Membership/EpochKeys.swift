import DeltaCRDT

/// The secrets of epochs that a device has: those in boxes that are sealed to it, and those that it was told.
package struct EpochKeys: Sendable {
    private let reader: DeviceSecrets
    private var known: [Bytes16: Epoch] = [:]
    /// Boxes that were found to hold nothing, so that each is tried once.
    private var empty: Set<Int> = []

    package init(of reader: DeviceSecrets) { self.reader = reader }

    /// Epochs besides the newest, and boxes that are tried for each at a time. A device that was restored from a backup is found
    /// only under the epochs that the backup knows.
    private static let olderMax = 63
    private static let triesMax = 8

    /// Takes a secret that the log has no box of: of the founder's first epoch, or what a joiner was answered.
    package mutating func add(secret: Bytes32, using cryptography: some Cryptography) {
        let epoch = Epoch(secret: secret, using: cryptography)
        known[epoch.id] = epoch
    }

    /// The newest epochs whose secrets are here, the newest first. Where the log says of none, those that this device was told; and
    /// while the log doesn't hold this device's admission, those too, for a log that is still coming may not name the newest.
    package mutating func newest(in log: TripLog) -> [Epoch] {
        var begun: [(epoch: Epoch, index: Int)] = []
        // Anybody may begin an epoch again, as often as they like.
        var ids: Set<Bytes16> = []
        for beginning in log.epochs.ranking where ids.insert(beginning.id).inserted {
            if let epoch = epoch(beginning.id, in: log) { begun.append((epoch, beginning.index)) }
        }
        let found = Self.sharedOut(begun, in: log)
        // A secret that no change of the log names is perhaps no epoch's. A device believes in it until it can read the log.
        guard log.device(reader.device.replica) == nil else { return found }
        return found + known.values.filter { !found.contains($0) }.sorted { $0.id < $1.id }
    }

    /// The newest of some epochs and `olderMax` others, in the same order: of each branch right below the founder its newest, then of each
    /// the next. So nobody's epochs crowd out others'.
    private static func sharedOut(_ begun: [(epoch: Epoch, index: Int)], in log: TripLog) -> [Epoch] {
        guard begun.count > olderMax + 1 else { return begun.map { $0.epoch } }
        var counts: [Bytes32?: Int] = [:]
        var turns: [Int] = []
        for one in begun {
            // The founder's own are a branch too.
            let author = log.facts.participant(of: log.graph[one.index].change.replica)
            let branch = author.flatMap { log.line(of: $0).dropFirst().first }
            turns.append(counts[branch, default: 0])
            counts[branch, default: 0] += 1
        }
        let older = begun.indices.dropFirst().sorted { (turns[$0], $0) < (turns[$1], $1) }.prefix(olderMax)
        return ([0] + older.sorted()).map { begun[$0].epoch }
    }

    private mutating func epoch(_ id: Bytes16, in log: TripLog) -> Epoch? {
        if let epoch = known[id] { return epoch }
        var tries = 0
        // The latest first, for it may answer this device's asking.
        for index in log.epochs.grants(of: id).reversed() where tries < Self.triesMax && !empty.contains(index) {
            let statement = log.graph[index].change.statement
            guard let box = statement?.box(of: id, for: reader.device.replica) else { continue }
            tries += 1
            let secret = SealedBox.open(box, with: reader.agreementSecret, using: log.cryptography)
            if let epoch = secret.map({ Epoch(secret: $0, using: log.cryptography) }), epoch.id == id {
                known[id] = epoch
                return epoch
            }
            empty.insert(index)
        }
        return nil
    }
}
