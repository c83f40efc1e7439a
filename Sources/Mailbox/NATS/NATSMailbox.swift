package import ChangeLog
import LibC
package import SyncEngine
import Synchronization

/// A mailbox in one stream of a NATS server with JetStream, or of a cluster of them.
///
/// A block is a message on the subject `cv.<prefix>.<tag>`, whose `Nats-Msg-Id` is the block's name. The server forgets it
/// after 90 days. All services that are used name the prefix, so a server can permit one user one prefix.
///
/// A cluster keeps three replicas. If the server that this is connected to is silent or gone, the next one is asked.
package final class NATSMailbox: MailboxPort {
    let servers: [MailboxURL]
    private let certificates: String?
    let limits: MailboxPortLimits
    private let library: NATSLibrary
    let state: Mutex<State>
    /// Held while a connection is made or a watch is begun, which takes a while; `end()` doesn't wait for it.
    private let connecting = Mutex(())

    struct State {
        var hasEnded = false
        var connection: NATSConnection?
        /// The number of the server that is tried first, counted on.
        var first: Int
        /// Of blocks that are being put.
        var bytesUnderWay = 0
        var prefix: Bytes16?
        var hasStream = false
        var watchers: [(prefix: Bytes16, hints: MailboxHints)] = []
        /// What was listed.
        var index: StreamIndex?
        /// Whether a list has it, so that another needs one of its own.
        var isIndexInUse = false
        var recent = RecentBlocks()
        var clockAhead: Duration?
    }

    private static let watchersMax = 16
    /// The most names that are asked for at once.
    private static let batchMax = 500
    /// A replica may be damaged where another is not. Each attempt reads from any of them.
    private static let readsMax = 3
    /// Bytes beside a block in a message: its header.
    private static let headerBytes = 256

    /// - Parameter servers: at least one; all of one cluster.
    init(_ servers: [MailboxURL], certificates: String?, limits: MailboxPortLimits) throws(MailboxError) {
        guard let library = NATSLibrary.loaded else { throw NATSLibrary.isMissing }
        self.library = library
        self.servers = servers
        // So that the members of a trip don't all use the first.
        state = Mutex(State(first: Int.random(in: 0..<servers.count)))
        self.certificates = certificates
        self.limits = limits
    }

    package func put(_ block: [UInt8], in slot: MailboxSlot) throws(MailboxError) {
        guard block.count <= limits.blockBytes else { throw .tooLarge(block.count, most: limits.blockBytes) }
        state.withLock { $0.bytesUnderWay += block.count }
        defer { state.withLock { $0.bytesUnderWay -= block.count } }
        // A server that gets a block twice stores it once, by its name.
        try call(for: slot.prefix, carrying: block.count) { attempt throws(MailboxError) in
            try put(block, in: slot, attempt)
        }
    }

    private func put(_ block: [UInt8], in slot: MailboxSlot, _ attempt: Attempt) throws(MailboxError) {
        let connection = attempt.connection
        guard block.count + Self.headerBytes <= connection.maximumPayload else {
            throw MailboxError(
                .full,
                "\(host) takes at most \(connection.maximumPayload) bytes; ask who runs it to set max_payload to 4 MB"
            )
        }
        try ensureStream(slot, attempt)
        let answer = try connection.publish(
            block, to: slot.subject, header: ("Nats-Msg-Id", BlockName(of: block).description),
            within: attempt.patience)
        guard let answer else {
            // The stream was deleted, or its servers are choosing a leader.
            state.withLock { $0.hasStream = false }
            throw MailboxError(.unreachable, "\(host) stores nothing at the moment; try again later")
        }
        let acknowledgement = try self.answer(answer)
        guard acknowledgement.error == nil, acknowledgement.seq ?? 0 > 0 else {
            state.withLock { $0.hasStream = false }
            throw problem(acknowledgement.error)
        }
    }

    package func list(_ slots: [MailboxSlot]) throws(MailboxError) -> [MailboxListing] {
        guard let first = slots.first else { return [] }
        return try call(for: first.prefix) { attempt throws(MailboxError) in
            try list(slots, first, attempt)
        }
    }

    private func list(
        _ slots: [MailboxSlot], _ first: MailboxSlot, _ attempt: Attempt
    ) throws(MailboxError) -> [MailboxListing] {
        let kept = state.withLock { state -> StreamIndex? in
            guard !state.isIndexInUse, let index = state.index else { return nil }
            guard index.connection === attempt.connection, index.prefix == first.prefix, !index.isOld else {
                state.index = nil
                index.connection.send("$JS.API.CONSUMER.DELETE.\(JetStream.stream).\(index.consumer)")
                return nil
            }
            state.isIndexInUse = true
            return index
        }
        defer { if kept != nil { state.withLock { $0.isIndexInUse = false } } }
        if let kept, let index = try updated(kept, attempt) {
            state.withLock { $0.index = index }
            return try listings(of: slots, in: index)
        }
        // The consumer is gone, or there was none.
        if kept != nil { state.withLock { $0.index = nil } }
        let name = NATSConnection.randomName()
        let made = try consumer(attempt, name, "\(MailboxSlot.root(of: first.prefix)).*", headersOnly: true)
        if made.error?.errCode == JetStream.Code.streamNotFound { return slots.map { _ in MailboxListing() } }
        guard made.error == nil else { throw problem(made.error) }
        let fresh = StreamIndex(first.prefix, attempt.connection, consumer: name, limits: limits)
        let index = made.numPending == 0 ? fresh : try updated(fresh, attempt)
        guard let index else {
            throw MailboxError(.unreachable, "\(host) lists nothing at the moment; try again later")
        }
        let isKept = state.withLock { state in
            guard !state.isIndexInUse || kept != nil else { return false }
            state.index = index
            return true
        }
        if !isKept { attempt.connection.send("$JS.API.CONSUMER.DELETE.\(JetStream.stream).\(name)") }
        return try listings(of: slots, in: index)
    }

    /// An index with what came since it was made; nil if its consumer is gone.
    private func updated(_ old: StreamIndex, _ attempt: Attempt) throws(MailboxError) -> StreamIndex? {
        var index = old
        var (isGone, hasMore) = (false, true)
        while hasMore, !isGone, index.hasRoom {
            var got = 0
            try attempt.connection.requestMany(
                "$JS.API.CONSUMER.MSG.NEXT.\(JetStream.stream).\(index.consumer)",
                JetStream.encoded(JetStream.NextRequest(batch: Self.batchMax)), silence: attempt.patience,
                until: attempt.deadline
            ) { message in
                guard let acknowledgement = JetStream.Acknowledgement(message.reply) else {
                    // The server says that there is no more (404), or that there is nobody who could.
                    (hasMore, isGone) = (false, message.header("Status") != "404" && got == 0)
                    return false
                }
                index.take(message, acknowledgement)
                got += 1
                hasMore = acknowledgement.pending > 0
                return hasMore && got < Self.batchMax
            }
        }
        return isGone ? nil : index
    }

    package func get(_ name: BlockName, in slot: MailboxSlot) throws(MailboxError) -> [UInt8]? {
        if let block = state.withLock({ $0.recent.take(name) }), BlockName(of: block) == name { return block }
        func place() -> UInt64? { state.withLock { $0.index?.place(of: name, in: slot) } }
        var known = place()
        if known == nil {
            _ = try list([slot])
            known = place()
        }
        guard let known else { return nil }
        for _ in 0..<Self.readsMax {
            let block = try call(for: slot.prefix, carrying: limits.blockBytes) {
                attempt throws(MailboxError) -> [UInt8]? in
                try read(at: known, in: slot, attempt)
            }
            if let block, BlockName(of: block) == name { return block }
        }
        // It is gone, or elsewhere.
        state.withLock { $0.index?.forget(name, in: slot) }
        return nil
    }

    /// The message at a place in the stream, or the one that follows.
    private func read(
        at place: UInt64, in slot: MailboxSlot, _ attempt: Attempt
    ) throws(MailboxError) -> [UInt8]? {
        let name = NATSConnection.randomName()
        let made = try consumer(attempt, name, slot.subject, from: place, headersOnly: false)
        if made.error?.errCode == JetStream.Code.streamNotFound { return nil }
        guard made.error == nil else { throw problem(made.error) }
        defer { attempt.connection.send("$JS.API.CONSUMER.DELETE.\(JetStream.stream).\(name)") }
        guard made.numPending ?? 0 > 0 else { return nil }
        var block: [UInt8]?
        try attempt.connection.requestMany(
            "$JS.API.CONSUMER.MSG.NEXT.\(JetStream.stream).\(name)", JetStream.encoded(JetStream.NextRequest(batch: 1)),
            silence: limits.attemptTimeout + time(for: limits.blockBytes), until: attempt.deadline
        ) { message in
            let isMessage = JetStream.Acknowledgement(message.reply) != nil
            if isMessage, message.count <= limits.blockBytes { block = message.bytes }
            return false
        }
        return block
    }

    /// Does nothing: a right to delete a prefix's messages would be one to delete everybody's. They expire.
    package func drop(_ names: [BlockName], in slot: MailboxSlot) throws(MailboxError) {}

    package func holdsAnything(of prefix: Bytes16) throws(MailboxError) -> Bool {
        try call(for: prefix) { attempt throws(MailboxError) in
            let name = NATSConnection.randomName()
            let made = try consumer(attempt, name, "\(MailboxSlot.root(of: prefix)).*", headersOnly: true)
            if made.error?.errCode == JetStream.Code.streamNotFound { return false }
            guard made.error == nil else { throw problem(made.error) }
            attempt.connection.send("$JS.API.CONSUMER.DELETE.\(JetStream.stream).\(name)")
            return made.numPending ?? 0 > 0
        }
    }

    package func watch(prefix: Bytes16) -> AsyncStream<Void> {
        let hints = MailboxHints()
        connecting.withLock { _ in
            let (isKept, connection) = state.withLock { state in
                guard !state.hasEnded, state.watchers.count < Self.watchersMax else {
                    return (false, nil as NATSConnection?)
                }
                state.watchers.append((prefix, hints))
                return (true, state.prefix == prefix ? state.connection : nil)
            }
            guard isKept else { return hints.finish() }
            // Otherwise the next call connects, and watches then.
            if let connection, connection.isOpen {
                hint(hints, prefix, connection)
            }
            hints.give()
        }
        return hints.stream
    }

    package var clockAhead: Duration? { state.withLock(\.clockAhead) }

    package func end() {
        let (connection, watchers) = state.withLock { state in
            defer { (state.connection, state.watchers) = (nil, []) }
            state.hasEnded = true
            return (state.connection, state.watchers)
        }
        connection?.close()
        for watcher in watchers { watcher.hints.finish() }
    }

    /// One attempt of a call.
    struct Attempt {
        let connection: NATSConnection
        /// How long the server may take to answer.
        let patience: Duration
        /// When the call must be over.
        let deadline: ContinuousClock.Instant
    }

    /// How long a slow line takes for some bytes.
    private func time(for bytes: Int) -> Duration { .seconds(1) * (bytes / limits.bytesPerSecondLeast) }

    /// Makes a call. Makes it again, with more patience, if a server gave no answer, or a bad one that passes.
    private func call<Answer>(
        for prefix: Bytes16, carrying blockBytes: Int = 0, _ body: (Attempt) throws(MailboxError) -> Answer
    ) throws(MailboxError) -> Answer {
        let deadline = ContinuousClock.now + min(limits.callTimeout + time(for: blockBytes), limits.blockTimeout)
        var patience = limits.attemptTimeout
        while true {
            let connection = try connection(for: prefix)
            let bytes = state.withLock(\.bytesUnderWay)
            let time = patience + time(for: bytes)
            do throws(MailboxError) {
                return try body(
                    Attempt(
                        connection: connection, patience: min(time, deadline - ContinuousClock.now), deadline: deadline)
                )
            } catch {
                guard error.code == .unreachable, ContinuousClock.now + limits.attemptPause < deadline else {
                    state.withLock { $0.hasStream = false }
                    throw error
                }
                leave(connection)
                // Once may be the server. Twice may be the stream.
                if patience > limits.attemptTimeout { state.withLock { $0.hasStream = false } }
                patience = min(patience * 2, limits.callTimeout)
                usleep(UInt32(limits.attemptPause / .microseconds(1)))
            }
        }
    }

    /// Closes a connection, so that the next call uses the next server.
    private func leave(_ connection: NATSConnection) {
        state.withLock { state in
            guard state.connection === connection else { return }
            state.connection = nil
            state.first += 1
        }
        connection.close()
    }

    /// The connection for a prefix: a new one if there is none, or if it was lost.
    private func connection(for prefix: Bytes16) throws(MailboxError) -> NATSConnection {
        // A call that comes while a connection is made waits for it.
        let result: Result<NATSConnection, MailboxError> = connecting.withLock { _ in
            do throws(MailboxError) {
                return .success(try openConnection(for: prefix))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func openConnection(for prefix: Bytes16) throws(MailboxError) -> NATSConnection {
        let (hasEnded, existing) = state.withLock { ($0.hasEnded, $0.prefix == prefix ? $0.connection : nil) }
        guard !hasEnded else { throw .ended }
        if let existing, existing.isOpen { return existing }
        let connection = try newConnection(for: prefix)
        let watchers = state.withLock { state in
            guard !state.hasEnded else { return nil as [MailboxHints]? }
            (state.connection, state.prefix) = (connection, prefix)
            return state.watchers.filter { $0.prefix == prefix }.map(\.hints)
        }
        guard let watchers else { throw .ended }
        for hints in watchers {
            hint(hints, prefix, connection)
            hints.give()
        }
        return connection
    }

    private func hint(_ hints: MailboxHints, _ prefix: Bytes16, _ connection: NATSConnection) {
        connection.hint(hints, of: "\(MailboxSlot.root(of: prefix)).*") { [weak self] message in
            guard let self, message.count <= limits.blockBytes,
                let name = BlockName(message.header("Nats-Msg-Id") ?? "")
            else { return }
            state.withLock { $0.recent.add(name, message.bytes) }
        }
    }

    /// A connection to the first server that can be reached.
    private func newConnection(for prefix: Bytes16) throws(MailboxError) -> NATSConnection {
        for _ in servers {
            let number = state.withLock(\.first) % servers.count
            do throws(MailboxError) {
                return try NATSConnection(
                    library, servers[number], certificates: certificates, inbox: "_INBOX.\(prefix)",
                    timeout: limits.connectTimeout / servers.count, limits: limits)
            } catch {
                guard error.code == .unreachable, servers.count > 1 else { throw error }
                state.withLock { $0.first += 1 }
            }
        }
        let hosts = servers.map(\.host).joined(separator: ", ")
        throw MailboxError(.unreachable, "cannot reach any of \(hosts); check the addresses and the network")
    }

    func consumer(
        _ attempt: Attempt, _ name: String, _ subject: String, from start: UInt64? = nil, headersOnly: Bool
    ) throws(MailboxError) -> JetStream.Answer {
        let request = JetStream.ConsumerRequest(
            config: JetStream.ConsumerConfiguration(name, of: subject, from: start, headersOnly: headersOnly))
        let message = try attempt.connection.request(
            "$JS.API.CONSUMER.CREATE.\(JetStream.stream).\(name).\(subject)", JetStream.encoded(request),
            within: attempt.patience)
        guard let message else { throw hasNoJetStream }
        let answer = try answer(message)
        if let created = answer.created.flatMap(MailboxClock.seconds(ofRFC3339:)) {
            state.withLock { $0.clockAhead = MailboxClock.ahead(of: created) }
        }
        return answer
    }

    func answer(_ message: NATSMessage) throws(MailboxError) -> JetStream.Answer {
        guard message.count <= limits.answerBytes,
            let answer = JetStream.decoded(message.bytes)
        else { throw hasNoJetStream }
        return answer
    }
}
