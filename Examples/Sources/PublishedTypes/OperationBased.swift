public import Convergence
public import DeltaCRDT

/// An operation, its name, and its place in an order that extends causality: Lamport time, then the author's name.
public struct Delivery<Operation: Sendable>: Sendable {
    public let dot: Dot
    public let lamport: UInt64
    public let operation: Operation

    func precedes(_ other: Delivery) -> Bool { (lamport, dot) < (other.lamport, other.dot) }
}

/// Reliable causal broadcast as a value: a replica sends all operations that were delivered to it, in that order, and the receiver
/// delivers the new ones. So each operation is delivered once, after all that its author knew, as papers ask of a network.
public struct CausalLog<Operation: Sendable>: Sendable {
    public private(set) var deliveries: [Delivery<Operation>] = []
    private var known: Set<Dot> = []
    private var lamport: UInt64 = 0
    private var name: ReplicaID
    private var counter: UInt64 = 0

    public init(_ birth: Birth) { name = birth.start }

    /// A restarted replica writes under a new name, because the disk may lack what it wrote under the old one.
    mutating func restart(_ birth: Birth) { (name, counter) = (birth.start, 0) }

    mutating func append(_ operation: Operation) -> Delivery<Operation> {
        counter += 1
        let delivery = Delivery(
            dot: Dot(replica: name, counter: counter), lamport: lamport + 1, operation: operation)
        _ = insert(delivery)
        return delivery
    }

    /// Takes a delivery; false where it came before.
    mutating func insert(_ delivery: Delivery<Operation>) -> Bool {
        guard known.insert(delivery.dot).inserted else { return false }
        deliveries.append(delivery)
        lamport = max(lamport, delivery.lamport)
        return true
    }
}

/// A type by operations: an action is prepared where it is done, and takes effect wherever it is delivered (Shapiro, Preguiça,
/// Baquero, Zawirski: *Conflict-free replicated data types*, 2011).
public protocol OperationBased: ReplicatedType where Message == [Delivery<Operation>] {
    associatedtype Operation: Sendable

    var log: CausalLog<Operation> { get set }

    /// What an action means to everybody, given what is here; nil where it means nothing.
    func prepare(_ action: Action) -> Operation?

    mutating func deliver(_ delivery: Delivery<Operation>)
}

extension OperationBased {
    public mutating func restarted(as birth: Birth) { log.restart(birth) }

    public mutating func perform(_ action: Action, at now: Int64) -> [Dot] {
        guard let operation = prepare(action) else { return [] }
        let delivery = log.append(operation)
        deliver(delivery)
        return [delivery.dot]
    }

    public mutating func message(to peer: Int, at now: Int64) -> [Delivery<Operation>]? { log.deliveries }

    public mutating func receive(
        _ message: [Delivery<Operation>], from peer: Int, at now: Int64
    ) -> Reception<[Delivery<Operation>]> {
        for delivery in message where log.insert(delivery) { deliver(delivery) }
        return .taken()
    }
}
