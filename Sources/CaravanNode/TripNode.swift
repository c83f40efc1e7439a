import AvahiDiscovery
package import ChangeLog
import Dispatch
import Glibc
import PeerTransport
import Sodium
package import SyncEngine
import TripModel
import TripRules
import TripStore

/// One trip on this machine, where the parts meet: the protocol as a value, the trip's state, and the shells that
/// perform what the protocol asks for.
///
/// Everything that happens comes through one bounded inbox and is handled one after the other.
package actor TripNode {
    /// What happens outside.
    enum Input: Sendable {
        case event(Event)
        /// From the writer that was made as the so-manieth.
        case persisted(Result<UInt64, StoreError>, writer: Int)
        case discovery(DiscoveryEvent)
    }

    package let folder: String
    let store: TripStore
    var keys: KeyFile
    /// How the secrets are kept on the disk.
    let lock: KeyLock
    /// How the store keeps whom this device met.
    let peerSeal: PeerSeal
    let cryptography: SodiumCryptography

    var node: SyncNode
    var replica = TripReplica()
    var entropy = SystemRandomNumberGenerator()

    // The shells. Nil while the trip is only read and written here.
    var transport: TCPTransport?
    var discovery: AvahiDiscovery?
    var discoveryProblem: String?
    private(set) var discoveryHasAnswered = false
    private var waitingForDiscovery: CheckedContinuation<Void, Never>?
    var discoveryPump: Task<Void, Never>?
    /// Outlives the node as a value, which begins anew after a failed write.
    var whereabouts = Whereabouts()
    /// Resumed when somebody lets this device in, or nobody does.
    var admission: CheckedContinuation<Result<Void, NodeError>, Never>?
    /// How asking to be let in ended, first of all.
    var joinResult: Result<Void, NodeError>?
    var writer: StoreWriter?
    private(set) var writersMade = 0

    private let inbox: AsyncStream<Input>
    /// Keeps what waits in the inbox small.
    let intake = Intake()
    private let inboxContinuation: AsyncStream<Input>.Continuation
    private var pump: Task<Void, Never>?
    private var alarm: (at: UInt64, task: Task<Void, Never>)?

    // Actions of people wait for each other: one is durable and shown before the next begins.
    private var nextTicket: UInt64 = 1
    var waitingForTicket: [UInt64: CheckedContinuation<Result<Bytes32, NodeError>, Never>] = [:]
    private var turn = Turn()
    /// Whether nothing is handled any more, so that nobody may wait for it.
    private var isFinished = false

    var watchers: [UInt64: AsyncStream<TripEvent>.Continuation] = [:]
    private var nextWatcher: UInt64 = 1

    private static let isStopping = NodeError("the node is stopping: do it again once it runs")

    /// The greatest number of inputs that wait.
    private static let inboxLimit = 65_536

    init(
        folder: String, store: TripStore, keys: KeyFile, lock: KeyLock, node: SyncNode,
        cryptography: SodiumCryptography
    ) {
        self.folder = folder
        self.store = store
        self.keys = keys
        self.lock = lock
        peerSeal = PeerSeal(secret: keys.agreementSecret, using: cryptography)
        self.node = node
        self.cryptography = cryptography
        (inbox, inboxContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(TripNode.inboxLimit))
    }

    /// Begins to handle what happens.
    func start() throws(NodeError) {
        makeWriter()
        try showAll()
        let inbox = inbox
        pump = Task { [weak self] in
            for await input in inbox { await self?.handle(input) }
        }
    }

    func makeWriter() {
        writersMade += 1
        let number = writersMade
        let continuation = inboxContinuation
        writer = StoreWriter(store: store) { continuation.yield(.persisted($0, writer: number)) }
    }

    /// Stops handling. What was asked for and is not durable yet is refused.
    func finish() {
        isFinished = true
        inboxContinuation.finish()
        pump?.cancel()
        alarm?.task.cancel()
        for ticket in waitingForTicket.keys.sorted() {
            waitingForTicket.removeValue(forKey: ticket)?.resume(returning: .failure(TripNode.isStopping))
        }
        for watcher in watchers.values { watcher.finish() }
        watchers = [:]
    }

    /// Puts something into the inbox, from any thread. Says whether there was room.
    nonisolated func post(_ input: Input) -> Bool {
        if case .dropped = inboxContinuation.yield(input) { return false }
        return true
    }

    // MARK: - Events in, effects out

    private func handle(_ input: Input) {
        switch input {
        case .event(let event):
            tell(event)
            switch event {
            case .received(let id, let bytes): intake.handled(bytes.count, on: id)
            case .closed(let id): intake.ended(id)
            default: break
            }
        case .persisted(let result, let number):
            // A writer that failed is replaced: what it still says is of a log that was given up.
            guard number == writersMade else { return }
            switch result {
            case .success(let token): tell(.persisted(token: token))
            case .failure(let error): recover(from: NodeError(error.message))
            }
        case .discovery(let event): discovered(event)
        }
    }

    func tell(_ event: Event) {
        let effects = node.handle(event, at: .current, using: &entropy)
        for (place, effect) in effects.enumerated() {
            do { try perform(effect) } catch {
                // What follows stands on what is not kept. A connection that was given up is nobody's, and ends all the same.
                for case .close(let connection) in effects[place...] { transport?.close(connection) }
                return recover(from: error)
            }
        }
    }

    private func perform(_ effect: Effect) throws(NodeError) {
        switch effect {
        case .persist(let token, let changes, let isVerified):
            let stored = zip(changes, isVerified).map {
                StoredChange(hash: $0.0.hash, sealed: $0.0.sealed, isVerified: $0.1)
            }
            writer?.write(stored, token: token)
        case .apply(let changes): show(changes)
        case .rebuild:
            replica = TripReplica()
            try? showAll()
        case .authored(let ticket, let result):
            waitingForTicket.removeValue(forKey: ticket)?.resume(
                returning: result.mapError { NodeError(describing: $0) })
        case .storeEpochs(let secrets): try storeEpochs(secrets)
        case .advertise(let names):
            whereabouts.own = Set(names.map(\.instance))
            discovery?.advertise(names)
        case .resolve(let instance): discovery?.resolve(instance: instance)
        case .dial(let connection, let address): transport?.dial(address, as: connection)
        case .send(let connection, let bytes): transport?.send(bytes, on: connection)
        case .close(let connection): transport?.close(connection)
        case .wake(let time): setAlarm(at: time)
        case .notice(let notice): noticed(notice)
        }
    }

    private func setAlarm(at time: UInt64) {
        if let alarm, alarm.at <= time { return }
        alarm?.task.cancel()
        let now = Now.current.monotonic
        let delay = time > now ? time - now : 0
        alarm = (
            time,
            Task { [weak self] in
                guard (try? await Task.sleep(for: .milliseconds(Int64(delay)))) != nil else { return }
                await self?.ring(time)
            }
        )
    }

    private func ring(_ time: UInt64) {
        guard alarm?.at == time else { return }
        alarm = nil
        tell(.woke)
    }

    // MARK: - Actions of people

    /// Writes one change, and returns once it is durable and shown.
    func author(_ body: ChangeBody, operationCount: Int) async throws(NodeError) {
        try await authoring { .author(body, operationCount: operationCount, ticket: $0) }
    }

    private func authoring(_ event: (UInt64) -> Event) async throws(NodeError) {
        guard !isFinished else { throw TripNode.isStopping }
        let ticket = nextTicket
        nextTicket += 1
        let result = await withCheckedContinuation { continuation in
            waitingForTicket[ticket] = continuation
            tell(event(ticket))
        }
        _ = try result.get()
    }

    /// Takes a participant out of the trip, and returns once that is durable.
    func removeParticipant(_ participant: Bytes16) async throws(NodeError) {
        try await authoring { .remove(participant: participant, ticket: $0) }
    }

    /// Lets one action of people happen after the other.
    func takingTurns<Success: Sendable>(
        _ action: (isolated TripNode) async throws(NodeError) -> Success
    ) async throws(NodeError) -> Success {
        guard turn.waiting.count < 1_024 else { throw NodeError("too much is asked at once: try again in a moment") }
        if turn.isTaken {
            await withCheckedContinuation { turn.waiting.append($0) }
        }
        turn.isTaken = true
        defer {
            turn.isTaken = !turn.waiting.isEmpty
            if !turn.waiting.isEmpty { turn.waiting.removeFirst().resume() }
        }
        return try await action(self)
    }

    private struct Turn {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    // MARK: - What is shown

    private func show(_ changes: [AppliedChange]) {
        for change in changes {
            do {
                try replica.apply(change)
                for watcher in watchers.values { watcher.yield(.changed(change)) }
            } catch {
                // Every change was checked before it was accepted: this is a fault of ours, and said as one.
                for watcher in watchers.values { watcher.yield(.problem(error.message)) }
            }
        }
    }

    func showAll() throws(NodeError) {
        for place in node.log.changes.indices where node.isShown(place) {
            do { try replica.apply(node.log.applied(place)) } catch {
                throw NodeError("the trip in \(folder) cannot be shown: \(error.message)")
            }
        }
    }

    /// The participant who acts here.
    var me: ParticipantID { ParticipantID(node.secrets.device.participant) }

    /// Where the transport accepts connections.
    package internal(set) var listeningPort: UInt16?

    // MARK: - Waiting for shells

    /// Returns once Avahi has said whether it takes orders, or after 5 s.
    func discoveryAnswered() async {
        guard !discoveryHasAnswered else { return }
        let deadline = Task { [weak self] in
            try await Task.sleep(for: .seconds(5))
            await self?.discoveryAnswers()
        }
        await withCheckedContinuation { waitingForDiscovery = $0 }
        deadline.cancel()
    }

    func discoveryAnswers() {
        discoveryHasAnswered = true
        waitingForDiscovery?.resume()
        waitingForDiscovery = nil
    }

    /// Returns once everything that was asked for is durable, or after 5 s.
    func drainWriter() async {
        let deadline = ContinuousClock.now + .seconds(5)
        while node.isPersisting, ContinuousClock.now < deadline { try? await Task.sleep(for: .milliseconds(2)) }
    }

    // MARK: - Watching

    /// What happens from now on. At most 1,024 events wait for a slow reader.
    func events() -> AsyncStream<TripEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: TripEvent.self, bufferingPolicy: .bufferingNewest(1_024))
        guard !isFinished else {
            continuation.finish()
            return stream
        }
        let number = nextWatcher
        nextWatcher += 1
        watchers[number] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { await self?.forget(watcher: number) }
        }
        return stream
    }

    private func forget(watcher: UInt64) { watchers[watcher] = nil }
}

/// Something that people may want to hear of.
package enum TripEvent: Sendable {
    case changed(AppliedChange)
    case notice(Notice)
    case problem(String)
}

extension Now {
    /// The machine's clocks.
    static var current: Now {
        var wall = timespec()
        clock_gettime(CLOCK_REALTIME, &wall)
        return Now(
            monotonic: DispatchTime.now().uptimeNanoseconds / 1_000_000,
            wall: Int64(wall.tv_sec) * 1_000 + Int64(wall.tv_nsec) / 1_000_000)
    }
}
