import ChangeLog
import Dispatch
import Mailbox
import SyncEngine
import Synchronization

/// Carries what a node asks of one mailbox to it, and what it answers back. Calls block, so they have threads of their own.
///
/// Each request gets one answer. The node waits ever longer for the next attempt at what failed; what a server says of when to come
/// back is kept here.
final class MailboxCourier: Sendable {
    /// How the mailbox is, as far as the last call shows.
    struct Standing: Sendable {
        var problem: MailboxError? { readProblem ?? listProblem ?? putProblem }
        var readProblem: MailboxError?
        /// One slot may have too many names to be listed, and others are.
        var listProblem: MailboxError?
        /// What can't be written can still be read: only what is stored shows that it can be written again.
        var putProblem: MailboxError?
        /// By the wall clock, in milliseconds since 1970.
        var lastReached: Int64?
    }

    let prefix: Bytes16
    private let port: any MailboxPort
    private let queue = DispatchQueue(label: "caravan.mailbox", attributes: .concurrent)
    private let state = Mutex(State())
    private let hear: @Sendable (MailboxAnswer) -> Void
    private let standingChanged: @Sendable () -> Void

    /// The most requests that wait. The node asks for a few at a time: 7 for letters, and 3 for each of 12 invites. One more fails at once.
    static let requestsMax = 64
    /// The most calls at once: as many as a node has under way in one mailbox.
    private static let workersMax = 6
    private static let namesMax = 65_536

    private struct State {
        var standing = Standing()
        var waiting: [MailboxRequest] = []
        var workers = 0
        var putsUnderWay = 0
        var pausedUntil: ContinuousClock.Instant?
        var watch: Task<Void, Never>?
        var hasEnded = false
    }

    /// - Parameters:
    ///   - hear: takes answers and hints, from any thread.
    ///   - standingChanged: called when the mailbox becomes usable, or no longer is, from any thread.
    init(
        prefix: Bytes16, port: any MailboxPort, hear: @escaping @Sendable (MailboxAnswer) -> Void,
        standingChanged: @escaping @Sendable () -> Void
    ) {
        self.prefix = prefix
        self.port = port
        self.hear = hear
        self.standingChanged = standingChanged
    }

    var standing: Standing { state.withLock(\.standing) }

    /// Begins to pass on the mailbox's hints.
    func watch() {
        // A server may be asked, which blocks.
        queue.async { [port, prefix, hear, self] in
            let hints = port.watch(prefix: prefix)
            let watch = Task {
                for await _ in hints { hear(.changed(prefix)) }
            }
            state.withLock { $0.watch = watch }
        }
    }

    func perform(_ request: MailboxRequest) {
        let (isTaken, mustWork) = state.withLock { state in
            guard !state.hasEnded, state.waiting.count < Self.requestsMax else { return (false, false) }
            state.waiting.append(request)
            if case .put = request { state.putsUnderWay += 1 }
            guard state.workers < Self.workersMax else { return (true, false) }
            state.workers += 1
            return (true, true)
        }
        if !isTaken { fail(request) }
        if mustWork { queue.async { self.work() } }
    }

    /// Returns once no put is under way, or at a time.
    func finishPuts(until deadline: ContinuousClock.Instant) async {
        while state.withLock({ $0.putsUnderWay > 0 }), ContinuousClock.now < deadline {
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    func end() {
        let (watch, waiting) = state.withLock { state in
            state.hasEnded = true
            defer { (state.watch, state.waiting) = (nil, []) }
            return (state.watch, state.waiting)
        }
        watch?.cancel()
        port.end()
        waiting.forEach(fail)
    }

    private func work() {
        while let request = next() {
            if isPaused { fail(request) } else { call(request) }
            if case .put = request { state.withLock { $0.putsUnderWay -= 1 } }
        }
    }

    private func next() -> MailboxRequest? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.workers -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
    }

    private var isPaused: Bool { state.withLock { $0.pausedUntil.map { ContinuousClock.now < $0 } ?? false } }

    private func call(_ request: MailboxRequest) {
        do throws(MailboxError) {
            switch request {
            case .list(let slots): guard try list(slots) else { return }
            case .get(let name, let slot):
                let block = try port.get(name, in: slot)
                hear(.block(name, slot, block.flatMap { $0.count <= MailboxBlock.sizeMax ? $0 : nil }))
            case .put(let name, let slot, let bytes):
                try port.put(bytes, in: slot)
                hear(.put(name, slot, .stored))
            case .drop(let names, let slot): try port.drop(names, in: slot)
            }
            succeeded(request)
        } catch {
            if case .put(let name, let slot, _) = request, error.code == .full {
                hear(.put(name, slot, .full))
            } else {
                fail(request)
            }
            failed(request, error)
        }
    }

    /// - Returns: whether all could be listed.
    private func list(_ slots: [MailboxSlot]) throws(MailboxError) -> Bool {
        do throws(MailboxError) {
            for (slot, listing) in zip(slots, try port.list(slots)) { hear(slot, listing) }
            return true
        } catch {
            guard error.code == .full, slots.count > 1 else { throw error }
            // One slot that is too crowded to be listed keeps nobody from reading the others.
            for slot in slots {
                do throws(MailboxError) {
                    for listing in try port.list([slot]) { hear(slot, listing) }
                } catch {
                    guard error.code == .full else { throw error }
                    hear(.listed(slot, nil))
                    failed(.list([slot]), error)
                }
            }
            return false
        }
    }

    private func hear(_ slot: MailboxSlot, _ listing: MailboxListing) {
        hear(.listed(slot, Array(listing.names.prefix(Self.namesMax))))
    }

    private func fail(_ request: MailboxRequest) { request.failures.forEach(hear) }

    private func succeeded(_ request: MailboxRequest) {
        change { standing in
            standing.lastReached = Now.current.wall
            standing.readProblem = nil
            if case .list = request { standing.listProblem = nil }
            if case .put = request { standing.putProblem = nil }
        }
    }

    /// A test has put a block.
    func hasRoomAgain() { state.withLock { $0.standing = Standing(lastReached: $0.standing.lastReached) } }

    private func failed(_ request: MailboxRequest, _ error: MailboxError) {
        guard error.code != .ended else { return }
        if let pause = error.retryAfter {
            // Homes that were sent away together don't come back together.
            let jitter = Double.random(in: 1...1.25)
            state.withLock { $0.pausedUntil = .now + pause * jitter }
        }
        change { standing in
            switch request {
            case .put where error.code != .unreachable: standing.putProblem = error
            case .list where error.code != .unreachable: standing.listProblem = error
            default: standing.readProblem = error
            }
        }
    }

    /// Tells people if the mailbox has another problem than before, or none any more.
    private func change(_ change: (inout Standing) -> Void) {
        let isNews = state.withLock { state in
            let before = state.standing.problem?.message
            change(&state.standing)
            return state.standing.problem?.message != before
        }
        if isNews { standingChanged() }
    }
}
