import ChangeLog
import DeltaCRDT

/// What waits to become durable, in the order in which it was handed to the disk.
struct WriteQueue: Sendable {
    /// Every index below it is durable here.
    private(set) var durableCount: Int
    private var waiting: [Waiting] = []
    private var nextToken: UInt64 = 1
    /// Bytes of changes that wait.
    private(set) var waitingBytes = 0

    /// Something that waits for its token.
    struct Waiting: Sendable {
        let token: UInt64
        /// The first index that is not covered by it.
        let end: Int
        let bytes: Int
        let completion: Completion
    }

    /// What follows once it is durable.
    enum Completion: Sendable {
        /// It came from a peer, and is shown already.
        case none
        /// It was written here, and is shown now.
        case written(Int)
        /// The same, by whoever holds the ticket.
        case authored(ticket: UInt64, index: Int)
        /// Somebody waits to hear that they were let in.
        case admitted(Int, ConnectionID, answer: Message)

        /// The index of a change that was written here.
        var index: Int? {
            switch self {
            case .none: nil
            case .written(let index), .authored(_, let index), .admitted(let index, _, _): index
            }
        }
    }

    init(durableCount: Int) { self.durableCount = durableCount }

    var isEmpty: Bool { waiting.isEmpty }
    var count: Int { waiting.count }

    /// - Returns: the token by which the disk says that it is done.
    mutating func append(before end: Int, bytes: Int, then completion: Completion) -> UInt64 {
        defer { nextToken += 1 }
        waiting.append(Waiting(token: nextToken, end: end, bytes: bytes, completion: completion))
        waitingBytes += bytes
        return nextToken
    }

    /// Takes what is durable by now.
    mutating func take(upTo token: UInt64) -> [Waiting] {
        let count = waiting.partitioningIndex { $0.token > token }
        guard count > 0 else { return [] }
        durableCount = max(durableCount, waiting[count - 1].end)
        // A part of an array shares it, and to remove what it shares would copy the rest.
        let taken = count < waiting.count ? Array(waiting[..<count]) : waiting
        waiting = Array(waiting[count...])
        for one in taken { waitingBytes -= one.bytes }
        return taken
    }

    /// Whether a change was written here and is not durable yet, so that it may not be shown. What this device wrote
    /// before its backup was restored, and others give back, is no such change.
    func isHeldBack(_ index: Int) -> Bool {
        index >= durableCount && waiting.contains { $0.completion.index == index }
    }

    /// - Parameter end: of the log, all of which is durable or waits.
    func checkInvariants(before end: Int) {
        let last = waiting.last?.end ?? durableCount
        precondition(
            last == end && durableCount <= end,
            "\(durableCount) changes are durable and \(waiting.count) writes wait, up to \(last) of \(end)")
        let bytes = waiting.reduce(0) { $0 + $1.bytes }
        precondition(
            waitingBytes == bytes, "\(waiting.count) writes of \(bytes) bytes wait, and \(waitingBytes) are counted")
        var (token, start) = (UInt64(0), durableCount)
        for write in waiting {
            precondition(
                token < write.token && write.token < nextToken && start <= write.end
                    && write.completion.index ?? -1 < write.end,
                "write \(write.token) up to \(write.end) waits after write \(token) up to \(start)")
            (token, start) = (write.token, write.end)
        }
    }
}
