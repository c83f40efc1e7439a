public import DeltaCRDT
public import Observation

/// A replicated state that views follow by Observation, and whose changes others await: one owner for what people do and what comes
/// from peers.
///
/// ```swift
/// @State var board = ObservedState<ORMap<String, Record<Card>>>()
/// board.update(by: jie) { $0["tent"].title.set("Buy a tent") }  // views that read board.state are drawn again
/// for await delta in board.changes() { connection.send(delta.encoded()) }
/// ```
@MainActor
public final class ObservedState<State: SyncableState>: Observable {
    private let registrar = ObservationRegistrar()
    private var value: State
    private var waiting: [Int: AsyncStream<Void>.Continuation] = [:]
    private var pending: [Int: State] = [:]
    private var next = 0

    /// A state as it was saved, or an empty one. Complexity: O(1).
    public init(_ state: State = State()) { value = state }

    /// The state. Views that read it follow it. Complexity: O(1).
    public var state: State {
        registrar.access(self, keyPath: \.state)
        return value
    }

    /// Acts on the state, and returns the delta, which ``changes()`` tells too. Complexity: as ``SyncableState/update(_:)``.
    @discardableResult
    public func update(_ act: (inout State) -> Void) -> State {
        tell(registrar.withMutation(of: self, keyPath: \.state) { value.update(act) })
    }

    /// The same in the name of a replica. Complexity: as ``SyncableState/update(by:_:)``.
    @discardableResult
    public func update(by replica: ReplicaID, _ act: (inout Writer<State>) -> Void) -> State {
        tell(registrar.withMutation(of: self, keyPath: \.state) { value.update(by: replica, act) })
    }

    private func tell(_ delta: State) -> State {
        guard !delta.context.isEmpty else { return delta }
        for (number, continuation) in waiting {
            pending[number, default: State()].merge(delta)
            continuation.yield()
        }
        return delta
    }

    /// Joins what came from a peer, which ``changes()`` does not tell; says whether it changed the state.
    ///
    /// Complexity: as ``DeltaState/merge(_:)``.
    @discardableResult
    public func merge(_ delta: State) -> Bool {
        registrar.withMutation(of: self, keyPath: \.state) { value.merge(delta) }
    }

    /// The deltas of what is done from now on by ``update(_:)``, until the task that awaits them ends. What comes while nobody awaits is
    /// joined to one delta, so that a slow reader gets fewer, and misses nothing.
    public func changes() -> Changes {
        let number = next
        next += 1
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        waiting[number] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { @MainActor in
                self?.waiting[number] = nil
                self?.pending[number] = nil
            }
        }
        return Changes(state: self, number: number, signals: signals)
    }

    private func take(_ number: Int) -> State? { pending.removeValue(forKey: number) }

    /// The deltas of a state.
    public struct Changes: AsyncSequence, Sendable {
        /// A delta.
        public typealias Element = State
        /// It never fails.
        public typealias Failure = Never

        fileprivate let state: ObservedState
        fileprivate let number: Int
        fileprivate let signals: AsyncStream<Void>

        /// Awaits the first.
        public func makeAsyncIterator() -> Iterator {
            Iterator(state: state, number: number, signals: signals.makeAsyncIterator())
        }

        /// Awaits one after the other.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let state: ObservedState
            fileprivate let number: Int
            fileprivate var signals: AsyncStream<Void>.Iterator

            /// The next delta; nil once the task is cancelled.
            public mutating func next() async -> State? {
                while await signals.next() != nil {
                    if let delta = await state.take(number) { return delta }
                }
                return nil
            }

            /// The next delta; nil once the task is cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(Never) -> State? {
                while await signals.next(isolation: actor) != nil {
                    if let delta = await state.take(number) { return delta }
                }
                return nil
            }
        }
    }
}
