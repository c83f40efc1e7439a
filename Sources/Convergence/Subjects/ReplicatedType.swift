public import DeltaCRDT

/// One replica of what is under test, as a value: what its people do and what its peers send goes in, what it shows
/// and sends comes out.
///
/// State-based and delta-based types and operation logs all fit. The simulator calls `persist` after every call that
/// may change the replica, and sends or acknowledges only then. A replica must be deterministic: it has no clock, no
/// randomness and no hash order but what it is given.
public protocol ReplicatedType: Sendable {
    /// What a person does.
    associatedtype Action: Sendable & CustomStringConvertible
    /// What goes from replica to replica.
    associatedtype Message: Sendable
    /// What people see. Its description must follow from its value alone: sort what was a set.
    associatedtype View: Equatable & Sendable & CustomStringConvertible
    /// What is written to disk at once.
    associatedtype Record: Sendable = Self

    /// A replica without a past.
    init(birth: Birth)

    /// Something that a person may want to do, whatever the state.
    static func randomAction(using generator: inout SeededGenerator) -> Action

    /// What people do where every run is tried, ``Simulator/explore(_:isInterrupted:)``: the few actions that tell a fault, such as
    /// an add and a remove of one element. The default is the first three different ones that are drawn.
    static var scopeActions: [Action] { get }

    /// What an action is where the replica shows what it shows now: a place in a list, the name of what is there. The history
    /// and the trace have this one, and it is performed. The default leaves it as it was drawn.
    func resolved(_ action: Action) -> Action

    /// Does it, at the replica's own clock's time in milliseconds. Returns the dots that name what was done; none for
    /// a type without dots.
    mutating func perform(_ action: Action, at now: Int64) -> [Dot]

    /// What a peer should hear now; nil for nothing.
    mutating func message(to peer: Int, at now: Int64) -> Message?

    /// Takes, or refuses, what a peer sent.
    mutating func receive(_ message: Message, from peer: Int, at now: Int64) -> Reception<Message>

    /// What people see.
    var view: View { get }

    /// What people do not see and whoever looks for a fault wants to, in a few words: a clock, the length of a log. The
    /// lines of a trace end with it. Nil, the default, for nothing. Like ``view``, it follows from the value alone.
    var stateDescription: String? { get }

    /// What a message says, in a few words, for the lines of a trace. Nil, the default, for nothing.
    static func describe(_ message: Message) -> String?

    /// Compares what is shown with what the omniscient specification says of the history; nil where they agree.
    static func check(_ observation: Observation<Self>) -> Violation?

    /// How the replica's state is written as bytes, for the laws of its coding. Nil, the default, where it is not.
    static var codec: Codec<Self>? { get }

    /// Writes what must outlive a crash. The default writes the whole replica and waits until it is durable.
    func persist(on disk: inout SimulatedDisk<Record>)

    /// The replica that a disk holds, started anew.
    static func recover(from disk: SimulatedDisk<Record>, birth: Birth) -> Self

    /// What is left of a record whose write was cut in the middle, for a replica that reads it anyway.
    static func torn(_ record: Record) -> Record

    /// Tells a replica read from disk that it was started anew. The default does nothing.
    mutating func restarted(as birth: Birth)
}

extension ReplicatedType {
    public func resolved(_ action: Action) -> Action { action }
    public var stateDescription: String? { nil }
    public static func describe(_ message: Message) -> String? { nil }
    public static var codec: Codec<Self>? { nil }
    public static func check(_ observation: Observation<Self>) -> Violation? { nil }
    public static func torn(_ record: Record) -> Record { record }
    public mutating func restarted(as birth: Birth) {}
}

extension ReplicatedType where Record == Self {
    /// Writes the whole replica, and waits until it is durable.
    public func persist(on disk: inout SimulatedDisk<Self>) {
        disk.append(self)
        disk.sync()
    }

    /// The last replica that was wholly written, or one without a past.
    public static func recover(from disk: SimulatedDisk<Self>, birth: Birth) -> Self {
        guard let stored = disk.records.last(where: \.isWhole) else { return Self(birth: birth) }
        var replica = stored.record
        replica.restarted(as: birth)
        return replica
    }
}

/// Who a replica is, and which of its starts this is.
public struct Birth: Hashable, Sendable {
    /// The machine's number, from 0; the same after a restart.
    public let replica: Int
    /// A name that no other start of any machine has, as a random one would be.
    public let start: ReplicaID
    /// Where programs play the replicas.
    let programs: ProgramHost?
}

/// What became of a message.
public struct Reception<Message: Sendable>: Sendable {
    /// How much of what the sender knew came over.
    public enum Extent: String, Sendable {
        /// All of it.
        case all
        /// Some of it, or nobody can tell how much.
        case part
        /// Nothing.
        case nothing
    }

    /// How much of what the sender knew when it sent is known to the replica now.
    public let extent: Extent
    /// What goes back to the sender.
    public let reply: Message?

    /// Whether the replica now knows all that the sender knew when it sent.
    public var isTaken: Bool { extent == .all }

    /// The replica now knows all that the sender knew.
    public static func taken(reply: Message? = nil) -> Self { Self(extent: .all, reply: reply) }

    /// The replica now knows some of what the sender knew: an answer to what it asked before it was restarted, a delta whose
    /// start it lacks. Until it has taken all, it is not held to what it shows, for nobody can say what that should be; that
    /// it comes to know all is still checked in the end.
    public static func part(reply: Message? = nil) -> Self { Self(extent: .part, reply: reply) }

    /// The message brought nothing: a question, or one of no use here.
    public static func ignored(reply: Message? = nil) -> Self { Self(extent: .nothing, reply: reply) }
}
