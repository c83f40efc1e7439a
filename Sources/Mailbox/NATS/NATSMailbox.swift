package import ChangeLog
package import SyncEngine
import Synchronization

/// A mailbox in one stream of a NATS server with JetStream, or of a cluster of them.
///
/// A block is a message on the subject `cv.<prefix>.<tag>`, whose `Nats-Msg-Id` is the block's name. The server forgets it
/// after 90 days. All services that are used name the prefix, so a server can permit one user one prefix.
package final class NATSMailbox: MailboxPort {
    private let url: MailboxURL
    private let certificates: String?
    private let limits: MailboxPortLimits
    private let library: NATSLibrary
    private let state = Mutex(State())
    /// Held while a connection is made or a watch is begun, which takes a while; `end()` doesn't wait for it.
    private let connecting = Mutex(())

    private struct State {
        var hasEnded = false
        var connection: NATSConnection?
        var prefix: Bytes16?
        var hasStream = false
        var watchers: [(prefix: Bytes16, hints: MailboxHints)] = []
        /// Where the blocks that were listed last are in the stream.
        var places: [MailboxSlot: [BlockName: UInt64]] = [:]
    }

    private static let watchersMax = 16
    private static let slotsRememberedMax = 512
    /// The most names that are asked for at once.
    private static let batchMax = 500
    /// Bytes beside a block in a message: its header.
    private static let headerBytes = 256

    init(_ url: MailboxURL, certificates: String?, limits: MailboxPortLimits) throws(MailboxError) {
        guard let library = NATSLibrary.loaded else { throw NATSLibrary.isMissing }
        self.library = library
        self.url = url
        self.certificates = certificates
        self.limits = limits
    }

    package func put(_ block: [UInt8], in slot: MailboxSlot) throws(MailboxError) {
        guard block.count <= limits.blockBytes else { throw .tooLarge(block.count, most: limits.blockBytes) }
        let connection = try connection(for: slot.prefix)
        guard block.count + Self.headerBytes <= connection.maximumPayload else {
            throw MailboxError(
                .full,
                "\(url.host) takes at most \(connection.maximumPayload) bytes; ask who runs it to set max_payload to 4 MB"
            )
        }
        try ensureStream(connection, slot)
        let answer = try connection.publish(
            block, to: Self.subject(slot), header: ("Nats-Msg-Id", BlockName(of: block).description),
            within: limits.callTimeout)
        let acknowledgement = try answer.map { message throws(MailboxError) in try self.answer(message) }
        guard let acknowledgement, acknowledgement.error == nil, acknowledgement.seq ?? 0 > 0 else {
            state.withLock { $0.hasStream = false }
            throw problem(acknowledgement?.error)
        }
    }

    package func list(_ slots: [MailboxSlot]) throws(MailboxError) -> [MailboxListing] {
        guard let first = slots.first else { return [] }
        let connection = try connection(for: first.prefix)
        var places: [MailboxSlot: [BlockName: UInt64]] = [:]
        var listings = slots.map { _ in MailboxListing() }
        let indices = Dictionary(slots.enumerated().map { (Self.subject($1), $0) }) { first, _ in first }
        // One consumer for all slots, or for the one.
        let subject = slots.count == 1 ? Self.subject(first) : "\(MailboxSlot.root(of: first.prefix)).*"
        let most = limits.namesPerListing * slots.count
        let isWhole = try consume(connection, subject, headersOnly: true, most: most) { message in
            guard let index = indices[message.subject] else { return }
            guard let name = BlockName(message.header("Nats-Msg-Id") ?? ""),
                let place = JetStream.sequence(acknowledgedBy: message.reply)
            else {
                listings[index].foreign += 1
                return
            }
            if places[slots[index], default: [:]].count >= limits.namesPerListing {
                listings[index].isWhole = false
            } else {
                places[slots[index], default: [:]][name] = place
            }
        }
        for index in slots.indices {
            listings[index].names = places[slots[index]].map { $0.keys.sorted() } ?? []
            if !isWhole { listings[index].isWhole = false }
        }
        state.withLock { [places] state in
            if state.places.count + places.count > Self.slotsRememberedMax { state.places = [:] }
            for slot in slots { state.places[slot] = places[slot] }
        }
        return listings
    }

    package func get(_ name: BlockName, in slot: MailboxSlot) throws(MailboxError) -> [UInt8]? {
        func place() -> UInt64? { state.withLock { $0.places[slot]?[name] } }
        var known = place()
        if known == nil {
            _ = try list([slot])
            known = place()
        }
        guard let known else { return nil }
        let connection = try connection(for: slot.prefix)
        var block: [UInt8]?
        try consume(connection, Self.subject(slot), from: known, headersOnly: false, most: 1) { message in
            if message.count <= limits.blockBytes { block = message.bytes }
        }
        if let block, BlockName(of: block) == name { return block }
        // It is gone, or elsewhere.
        state.withLock { $0.places[slot]?[name] = nil }
        return nil
    }

    /// Does nothing: a right to delete a prefix's messages would be one to delete everybody's. They expire.
    package func drop(_ names: [BlockName], in slot: MailboxSlot) throws(MailboxError) {}

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
                connection.hint(hints, of: "\(MailboxSlot.root(of: prefix)).*")
            }
            hints.give()
        }
        return hints.stream
    }

    package func end() {
        let (connection, watchers) = state.withLock { state in
            defer { (state.connection, state.watchers) = (nil, []) }
            state.hasEnded = true
            return (state.connection, state.watchers)
        }
        connection?.close()
        for watcher in watchers { watcher.hints.finish() }
    }

    private static func subject(_ slot: MailboxSlot) -> String { "\(MailboxSlot.root(of: slot.prefix)).\(slot.tag)" }

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
        let connection = try NATSConnection(
            library, url, certificates: certificates, inbox: "_INBOX.\(prefix)", limits: limits)
        let watchers = state.withLock { state in
            guard !state.hasEnded else { return nil as [MailboxHints]? }
            (state.connection, state.prefix, state.hasStream) = (connection, prefix, false)
            return state.watchers.filter { $0.prefix == prefix }.map(\.hints)
        }
        guard let watchers else { throw .ended }
        for hints in watchers {
            connection.hint(hints, of: "\(MailboxSlot.root(of: prefix)).*")
            hints.give()
        }
        return connection
    }

    /// Makes the stream on a server that has none. Somebody may listen to the subject, so that a message without a stream
    /// isn't refused.
    private func ensureStream(_ connection: NATSConnection, _ slot: MailboxSlot) throws(MailboxError) {
        guard !state.withLock(\.hasStream) else { return }
        let name = NATSConnection.randomName()
        let found = try consumer(connection, name, Self.subject(slot), headersOnly: true)
        if found.error == nil {
            connection.send("$JS.API.CONSUMER.DELETE.\(JetStream.stream).\(name)")
        } else if found.error?.errCode == JetStream.Code.streamNotFound {
            let configuration = JetStream.StreamConfiguration(maxMsgsPerSubject: limits.namesPerListing)
            let message = try connection.request(
                "$JS.API.STREAM.CREATE.\(JetStream.stream)", JetStream.encoded(configuration),
                within: limits.callTimeout)
            let made = try message.map { message throws(MailboxError) in try answer(message) }
            guard let made, made.error == nil || made.error?.errCode == JetStream.Code.streamNameInUse else {
                throw problem(made?.error)
            }
        } else {
            throw problem(found.error)
        }
        state.withLock { $0.hasStream = true }
    }

    private func consumer(
        _ connection: NATSConnection, _ name: String, _ subject: String, from start: UInt64? = nil, headersOnly: Bool
    ) throws(MailboxError) -> JetStream.Answer {
        let request = JetStream.ConsumerRequest(
            config: JetStream.ConsumerConfiguration(name, of: subject, from: start, headersOnly: headersOnly))
        let message = try connection.request(
            "$JS.API.CONSUMER.CREATE.\(JetStream.stream).\(name).\(subject)", JetStream.encoded(request),
            within: limits.callTimeout)
        guard let message else { throw hasNoJetStream }
        return try answer(message)
    }

    /// Hands over the messages of a subject, from one on.
    /// - Returns: false if there are more than `most`.
    @discardableResult
    private func consume(
        _ connection: NATSConnection, _ subject: String, from start: UInt64? = nil, headersOnly: Bool, most: Int,
        _ body: (NATSMessage) -> Void
    ) throws(MailboxError) -> Bool {
        let name = NATSConnection.randomName()
        let made = try consumer(connection, name, subject, from: start, headersOnly: headersOnly)
        if made.error?.errCode == JetStream.Code.streamNotFound { return true }
        guard made.error == nil else { throw problem(made.error) }
        defer { connection.send("$JS.API.CONSUMER.DELETE.\(JetStream.stream).\(name)") }
        let pending = Int(clamping: made.numPending ?? 0)
        var rest = min(pending, most)
        let deadline = ContinuousClock.now + limits.callTimeout
        while rest > 0 {
            let batch = min(rest, Self.batchMax)
            var got = 0
            var hasMore = true
            try connection.requestMany(
                "$JS.API.CONSUMER.MSG.NEXT.\(JetStream.stream).\(name)",
                JetStream.encoded(JetStream.NextRequest(batch: batch)), within: deadline - ContinuousClock.now
            ) { message in
                // The server says that there is no more, or that it is asked too much.
                if message.count == 0, message.header("Status") != nil {
                    hasMore = false
                    return false
                }
                body(message)
                got += 1
                return got < batch
            }
            guard hasMore else { break }
            rest -= got
        }
        return pending <= most
    }

    private func answer(_ message: NATSMessage) throws(MailboxError) -> JetStream.Answer {
        guard message.count <= limits.answerBytes,
            let answer = JetStream.decoded(message.bytes)
        else { throw hasNoJetStream }
        return answer
    }

    private func problem(_ error: JetStream.Answer.Problem?) -> MailboxError {
        guard let error else { return hasNoJetStream }
        let words = error.description.map { String($0.prefix(200)) } ?? "\(error.code)"
        let code = error.errCode ?? 0
        if JetStream.Code.full.contains(code) {
            return MailboxError(.full, "the mailbox at \(url.host) is full (\(words)); ask who runs it for more space")
        }
        if JetStream.Code.notEnabled.contains(code) { return hasNoJetStream }
        let isPassing = error.code >= 500
        return MailboxError(
            isPassing ? .unreachable : .refused,
            "\(url.host) refuses (\(words)); \(isPassing ? "try again later" : "ask who runs it")")
    }

    private var hasNoJetStream: MailboxError {
        MailboxError(
            .refused, "\(url.host) has no JetStream for this user; ask who runs it to turn it on (nats-server -js)")
    }
}
