package import ChangeLog

extension World {
    /// What a machine's disk holds, which outlives a crash: a log of records with checksums, as `TripStore` keeps one.
    ///
    /// Writes that are asked for while one is under way go into the next together, and are durable together.
    package struct Disk: Sendable {
        /// One change as it was written.
        package struct Record: Sendable {
            package internal(set) var bytes: [UInt8]
            private let checksum: UInt64

            package init(_ bytes: [UInt8]) {
                self.bytes = bytes
                checksum = Self.checksum(of: bytes)
            }

            /// Whether the bytes are those that were written.
            package var isIntact: Bool { checksum == Self.checksum(of: bytes) }

            private static func checksum(of bytes: [UInt8]) -> UInt64 {
                var hash = FastHash(purpose: 0)
                hash.absorb(bytes)
                return hash.words().0
            }
        }

        /// What one effect asked to be written.
        struct Write: Sendable {
            let token: UInt64
            var records: [Record]
            let changes: [SignedChange]
            /// Changes that are stored again after it, with or without their bodies.
            var altered: [SignedChange] = []
        }

        /// How a write ends that power cuts.
        package enum Interruption: String, Sendable {
            /// Nothing of it is there.
            case lost
            /// Half of it is there, and its reader sees that it is not whole.
            case torn
            /// All of it is there, but nothing was altered after it, and nobody was told.
            case unacknowledged
        }

        /// What is durable, oldest first.
        package internal(set) var changes: [Record] = []
        package internal(set) var epochs: [Bytes32] = []
        /// The secrets of the guests that were let in here.
        package internal(set) var guests: [DeviceSecrets] = []
        /// There is no room: every write fails.
        package var isFull = false
        /// What was asked for and is not durable, oldest first.
        var waiting: [Write] = []
        /// How many of those the write under way covers; 0 where none is.
        var underWay = 0
        /// What is left of a write that power cut in the middle.
        package internal(set) var tornTail: [UInt8]?

        package init(changes: [SignedChange] = [], epochs: [Bytes32] = []) {
            self.changes = changes.map { Record($0.record) }
            self.epochs = epochs
        }

        /// Keeps a change with or without its body, as it is now, once all that was asked for before is durable.
        mutating func alter(_ change: SignedChange) {
            if waiting.isEmpty { replace(change) } else { waiting[waiting.count - 1].altered.append(change) }
        }

        private mutating func replace(_ change: SignedChange) {
            guard let index = changes.firstIndex(where: { $0.bytes.starts(with: change.head) }) else { return }
            changes[index] = Record(change.record)
        }

        /// Makes the write under way durable, and gives it back.
        mutating func finishWrite() -> [Write] {
            let done = Array(waiting.prefix(underWay))
            waiting.removeFirst(underWay)
            underWay = 0
            for write in done {
                changes += write.records
                for change in write.altered { replace(change) }
            }
            return done
        }

        /// Loses what was not durable, but for what an interruption leaves of the oldest write. Returns what that was.
        mutating func losePower(_ interruption: Interruption) -> [Write] {
            let first = Array(waiting.prefix(max(underWay, 1)))
            waiting = []
            underWay = 0
            if interruption == .torn, let record = first.last?.records.last {
                tornTail = Array(record.bytes.prefix(record.bytes.count / 2))
            }
            guard interruption == .unacknowledged else { return [] }
            for write in first { changes += write.records }
            return first
        }

        /// Finds what a start can use, as a journal's recovery does: a tail without its end mark was never promised to
        /// anybody, and goes.
        mutating func recover() { tornTail = nil }

        /// Flips one bit of one record. Nothing where there is none.
        package mutating func flip(bit: Int, ofRecord place: Int) {
            guard changes.indices.contains(place), !changes[place].bytes.isEmpty else { return }
            let index = bit / 8 % changes[place].bytes.count
            changes[place].bytes[index] ^= 1 << UInt8(bit % 8)
        }

        /// The first record that is not what was written.
        package var damagedRecord: Int? { changes.firstIndex { !$0.isIntact } }
    }
}
