import ChangeLog
import SyncEngine

/// What one consumer has shown of a prefix so far: which blocks there are, and where in the stream.
///
/// While the consumer lives, a list asks it only for what is new. Each consumer is work for all servers of a cluster.
struct StreamIndex {
    let prefix: Bytes16
    let connection: NATSConnection
    let consumer: String
    let started: ContinuousClock.Instant
    private let limits: MailboxPortLimits
    private var places: [MailboxSlot: [BlockName: UInt64]] = [:]
    /// The slots that hold more than a list may show.
    private var full: Set<MailboxSlot> = []
    private var count = 0

    init(_ prefix: Bytes16, _ connection: NATSConnection, consumer: String, limits: MailboxPortLimits) {
        (self.prefix, self.connection, self.consumer, self.limits) = (prefix, connection, consumer, limits)
        started = .now
    }

    /// Whether more of the stream can be remembered.
    var hasRoom: Bool { count < limits.entriesPerListing }

    /// After this time another consumer, perhaps on another server, shows what has gone meanwhile.
    var isOld: Bool { ContinuousClock.now - started > limits.wholeListInterval }

    mutating func take(_ message: NATSMessage, _ acknowledgement: JetStream.Acknowledgement) {
        guard let slot = slot(of: message.subject), hasRoom else { return }
        count += 1
        guard let name = BlockName(message.header("Nats-Msg-Id") ?? "") else { return }
        if places[slot, default: [:]].count < limits.namesPerListing {
            places[slot, default: [:]][name] = acknowledgement.sequence
        } else {
            full.insert(slot)
        }
    }

    /// Forgets a block that was not where it was listed.
    mutating func forget(_ name: BlockName, in slot: MailboxSlot) { places[slot]?[name] = nil }

    func place(of name: BlockName, in slot: MailboxSlot) -> UInt64? { places[slot]?[name] }

    /// Nil if there is more than a list may show.
    func listing(of slot: MailboxSlot) -> MailboxListing? {
        guard hasRoom, !full.contains(slot) else { return nil }
        var listing = MailboxListing()
        listing.names = places[slot].map { $0.keys.sorted() } ?? []
        return listing
    }

    private func slot(of subject: String) -> MailboxSlot? {
        let root = MailboxSlot.root(of: prefix) + "."
        guard subject.hasPrefix(root), let bytes = [UInt8](hexadecimal: String(subject.dropFirst(root.count))),
            let tag = Bytes16(bytes)
        else { return nil }
        return MailboxSlot(prefix: prefix, tag: tag)
    }
}

/// The blocks that a watch brought with its hints, the latest ones: a fetch of one of them needs no server.
struct RecentBlocks {
    private var blocks: [(name: BlockName, bytes: [UInt8])] = []
    private static let countMax = 32
    private static let bytesMax = 4 << 20

    mutating func add(_ name: BlockName, _ bytes: [UInt8]) {
        blocks.append((name, bytes))
        while blocks.count > Self.countMax || blocks.reduce(0, { $0 + $1.bytes.count }) > Self.bytesMax {
            blocks.removeFirst()
        }
    }

    /// A block is fetched once, most of the time.
    mutating func take(_ name: BlockName) -> [UInt8]? {
        guard let place = blocks.firstIndex(where: { $0.name == name }) else { return nil }
        return blocks.remove(at: place).bytes
    }
}

extension MailboxSlot {
    /// Of the messages that are its blocks.
    var subject: String { "\(MailboxSlot.root(of: prefix)).\(tag)" }
}
