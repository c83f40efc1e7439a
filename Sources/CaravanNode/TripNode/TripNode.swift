import AvahiDiscovery
import ChangeLog
import DeltaCRDT
import PeerTransport
import Sodium
import SyncEngine
package import TripModel
import TripRules
package import TripService
import TripStore

/// One trip on this machine. It joins the protocol as a value, the trip as people see it, and the shells that perform the
/// protocol's effects. Callers use it by its service, `TripService`.
///
/// All inputs pass through one bounded inbox and are handled one after the other.
package actor TripNode: TripService {
    package nonisolated let folder: String
    let store: TripStore
    var keys: KeyFile
    /// How the secrets are kept on the disk.
    let lock: KeyLock
    /// How the store keeps what it holds.
    nonisolated let seal: StoreSeal
    /// The bytes of photos.
    let chunks: ChunkStore
    let cryptography: SodiumCryptography
    /// Why nothing can be written here; nil if it can.
    let writingProblem: String?

    var node: SyncNode
    /// What people see of the log.
    var shown: ShownTrip
    var shownNumbers: ShownNumbersFile
    var own: OwnFile
    var entropy = SystemRandomNumberGenerator()
    var peers: PeerMemory
    var readBlocks: BlockMemory
    /// Where those who write in notes were shown last.
    var shownCarets: [ParticipantID: Caret] = [:]
    /// Whether a task is about to reveal answers.
    var isRevealing = false
    /// Which of the photos' chunks are looked for, while this node is online.
    var photoDesk = PhotoDesk()
    /// What the disk lost.
    var losses = LossDesk()

    var connectivity = Connectivity.offline
    /// Nil if a write failed, and the log could not be read again since.
    var writer: StoreWriter?
    /// The last writer's.
    private var generation: StoreWriter.Generation?
    let inbox = Inbox()
    private var pump: Task<Void, Never>?
    private var alarm = Alarm()
    var rebuildPace = RebuildPace()
    private var tickets = Tickets()
    private var turn = Turn()
    private(set) var watchers = Watchers()
    var admission = AdmissionOutcome()
    /// Whether the node handles nothing any more, so nobody may wait for an answer.
    private(set) var isFinished = false

    private static let isStopping = ServiceError("the node is stopping; start it with `caravan up` and try again")
    private static let isUnread = ServiceError(
        .unwritable, "a write failed, and the trip could not be read since; check the disk, then try again")

    init(
        folder: String, store: TripStore, keys: KeyFile, lock: KeyLock, node: SyncNode,
        cryptography: SodiumCryptography, photoSpace: Int, writingProblem: String?, isBesideOwner: Bool
    ) {
        self.folder = folder
        self.store = store
        self.keys = keys
        self.lock = lock
        seal = Self.seal(of: keys, cryptography)
        chunks = ChunkStore(folder: folder, secret: keys.recordKey, quota: photoSpace, using: cryptography)
        shownNumbers = ShownNumbersFile(
            folder: folder, secret: keys.agreementSecret, mayWrite: !isBesideOwner, using: cryptography)
        own = OwnFile(folder: folder, secret: keys.agreementSecret, mayWrite: !isBesideOwner, using: cryptography)
        var node = node
        peers = PeerMemory(store: store, seal: seal, mayWrite: writingProblem == nil)
        peers.restore(&node)
        readBlocks = BlockMemory(
            folder: folder, secret: keys.agreementSecret, mayWrite: writingProblem == nil, using: cryptography)
        readBlocks.restore(&node, of: own.mailboxes.compactMap(\.prefix))
        self.node = node
        self.cryptography = cryptography
        shown = ShownTrip(cryptography: cryptography)
        self.writingProblem = writingProblem
    }

    /// Begins to handle inputs.
    func start() throws(ServiceError) {
        makeWriter()
        findLosses()
        tellOfKeptInvites()
        showAll()
        let inputs = inbox.inputs
        pump = Task { [weak self] in
            for await input in inputs {
                await self?.handle(input)
                await self?.writer?.hasRoom()
            }
        }
    }

    func makeWriter() {
        let (inbox, generation) = (inbox, generation?.next ?? .first)
        self.generation = generation
        writer = StoreWriter(store: store, seal: seal, generation: generation) {
            inbox.deliver(.persisted($0, writer: generation))
        }
    }

    /// Stops handling. Requests that are not durable yet are refused.
    func finish() {
        isFinished = true
        inbox.finish()
        pump?.cancel()
        alarm.cancel()
        tickets.refuseAll(TripNode.isStopping)
        watchers.finish()
    }

    // MARK: - Events in, effects out

    private func handle(_ input: Inbox.Input) {
        switch inbox.took(input) {
        case .event(let event):
            tell(event)
            switch event {
            case .received(let id, let bytes):
                connectivity.network?.intake.handled(bytes.count, on: id)
                admission.hasReachedNode = true
            case .closed(let id): connectivity.network?.intake.ended(id)
            default: break
            }
        case .persisted(let result, let generation):
            guard generation == writer?.generation else { return }
            switch result {
            case .success(let token): tell(.persisted(token: token))
            case .failure(let error): recover(from: ServiceError(error))
            }
        case .discovery(let event): discovered(event)
        case .missed: overwhelmed()
        }
    }

    func tell(_ event: Event) {
        let effects = node.handle(event, at: .current, using: &entropy)
        for (place, effect) in effects.enumerated() {
            do { try perform(effect) } catch {
                // What follows stands on what is not kept. A connection that was given up is nobody's, and ends in any case.
                // This node goes on if no other can take its place.
                for effect in effects[place...] {
                    switch effect {
                    case .close, .wake: try? perform(effect)
                    default: break
                    }
                }
                return recover(from: error)
            }
        }
    }

    private func perform(_ effect: Effect) throws(ServiceError) {
        let network = connectivity.network
        switch effect {
        case .persist(let token, let changes):
            guard let writer else { throw Self.isUnread }
            writer.write(
                changes.map { StoredChange(hash: $0.hash, record: $0.record) }, marks: marks(of: changes), token: token)
        case .alter(let changes):
            // Nobody waits for it: a body that is lost again is asked for again.
            writer?.alter(changes.map { StoredChange(hash: $0.hash, record: $0.record) })
            let gone = changes.reduce(0) { $0 + $1.size - $1.record.count }
            guard gone > FreeMemory.greatBytes else { break }
            // Once they are written, and what they said is shown no more.
            Task {
                try? await Task.sleep(for: .seconds(2))
                FreeMemory.giveBack()
            }
        case .apply(let changes): show(changes)
        case .rebuild(let indices): rebuild(for: indices)
        case .authored(let ticket, let result):
            tickets.redeem(ticket, with: result.mapError { ServiceError(describing: $0) })
        case .storeChunk(let chunk, let bytes): storeChunk(chunk, bytes)
        case .loadChunk(let chunk, let reader): loadChunk(chunk, for: reader)
        case .storeEpoch(let secret): try storeEpoch(secret)
        case .advertise(let names): advertise(names)
        case .renewPort: Task { [weak self] in await self?.renewPort() }
        case .resolve(let instance): network?.discovery?.resolve(instance: instance)
        case .hold(let instance): network?.discovery?.hold(instance: instance)
        case .dial(let connection, let address): network?.transport.dial(address, as: connection)
        case .send(let connection, let bytes): network?.transport.send(bytes, on: connection)
        case .read(let connection, let isRead): network?.intake.read(isRead, connection)
        case .close(let connection): network?.transport.close(connection)
        case .mailbox(let request): ask(request)
        case .wake(let time): alarm.set(for: time) { [weak self] in await self?.ring($0) }
        case .notice(let notice): noticed(notice)
        }
    }

    private func ring(_ time: UInt64) {
        if alarm.isDue(time) { tell(.woke) }
    }

    // MARK: - Actions of people

    /// Writes one change, and returns its hash once it is durable and shown.
    @discardableResult
    func author(
        _ statement: Statement? = nil, content: [UInt8] = [], as author: Author = .own
    ) async throws(ServiceError) -> Bytes32 {
        let subjects = TripContent(content).subjectHashes
        return try await authoring {
            .write(statement, content: content, about: subjects, as: author.guest?.replica, ticket: $0)
        }
    }

    /// Has the protocol write something, and returns the change's hash once it is durable and shown.
    /// - Parameter event: with the ticket under which this waits.
    @discardableResult
    func authoring(_ event: (UInt64) -> Event) async throws(ServiceError) -> Bytes32 {
        guard !isFinished else { throw TripNode.isStopping }
        return try await withCheckedContinuation { continuation in
            tell(event(tickets.issue(to: continuation)))
        }.get()
    }

    /// Refuses requests that are not durable, except those that turn out to be durable after all.
    func refuseWaiting(_ error: ServiceError, except durable: [(ticket: UInt64, hash: Bytes32)]) {
        for (ticket, hash) in durable { tickets.redeem(ticket, with: .success(hash)) }
        tickets.refuseAll(error)
    }

    /// Performs people's actions one after the other.
    func takingTurns<Success: Sendable>(
        _ action: (isolated TripNode) async throws(ServiceError) -> Success
    ) async throws(ServiceError) -> Success {
        if try !turn.take() { await withCheckedContinuation { turn.wait($0) } }
        defer { turn.pass() }
        return try await action(self)
    }

    /// The participant who acts here.
    package var me: ParticipantID { ParticipantID(node.secrets.device.participant) }

    /// Returns once all requests are durable, or after 5 s.
    func drainWriter() async {
        let deadline = ContinuousClock.now + .seconds(5)
        while node.isPersisting, ContinuousClock.now < deadline { try? await Task.sleep(for: .milliseconds(2)) }
    }

    // MARK: - Events for listeners

    package func events() -> AsyncStream<TripEvent> { watchers.add() }

    func tellWatchers(_ event: TripEvent) { watchers.tell(event) }
}
