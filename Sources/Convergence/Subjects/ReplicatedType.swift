public import DeltaCRDT

/// One replica of a type under test, as a value. It takes actions of people and messages of peers, and returns a view
/// and messages.
///
/// State-based and delta-based types and operation logs all fit. The simulator calls `persist` after every call that
/// may change the replica, and sends or acknowledges only afterwards. A replica must be deterministic: it uses only the
/// time and the random numbers that it is given, and nothing depends on the order of a hash table.
public protocol ReplicatedType: Sendable {
    /// An action of a person.
    associatedtype Action: Sendable & CustomStringConvertible
    /// A message from one replica to another.
    associatedtype Message: Sendable
    /// What people see. Its description must depend only on its value, so sort the elements of a set.
    associatedtype View: Equatable & Sendable & CustomStringConvertible
    /// A record that is written to disk at once.
    associatedtype Record: Sendable = Self

    /// A replica without a past.
    init(birth: Birth)

    /// An action that a person may want to do, in any state.
    static func randomAction(using generator: inout SeededGenerator) -> Action

    /// The actions of ``Simulator/explore(_:isInterrupted:)``, which tries every run: a few that reveal a fault, such as
    /// adding and removing one element. The default is the first three different actions that are drawn.
    static var scopeActions: [Action] { get }

    /// Adapts an action to what the replica shows now, such as an index in a list to the name of the element there. The
    /// adapted action is performed, and is in the history and the trace. The default changes nothing.
    func resolved(_ action: Action) -> Action

    /// Performs an action, at a time in milliseconds by the replica's own clock. Returns the dots that name the operation;
    /// none for a type without dots.
    mutating func perform(_ action: Action, at now: Int64) -> [Dot]

    /// The message to send to a peer now; nil for none.
    mutating func message(to peer: Int, at now: Int64) -> Message?

    /// Takes or refuses a peer's message.
    mutating func receive(_ message: Message, from peer: Int, at now: Int64) -> Reception<Message>

    /// What people see.
    var view: View { get }

    /// Internal state that helps to find a fault, in a few words: a clock, the length of a log. The lines of a trace end
    /// with it. Nil, the default, for nothing. Like ``view``, it must depend only on the value.
    var stateDescription: String? { get }

    /// What a message says, in a few words, for the lines of a trace. Nil, the default, for nothing.
    static func describe(_ message: Message) -> String?

    /// Compares the view with what an omniscient specification derives from the history; nil if they agree.
    static func check(_ observation: Observation<Self>) -> Violation?

    /// What must hold of one replica's state, whatever it has seen: that a cached count is right, that an index names what exists.
    /// Called after every change of a replica. Nil, the default, if it holds. It sees the whole replica; ``check(_:)`` sees the
    /// view, and knows the history.
    func checkInvariants() -> Violation?

    /// How the replica's state is written as bytes, for the laws of its coding. Nil, the default, if it has no coding.
    static var codec: Codec<Self>? { get }

    /// Writes what must outlive a crash. The default writes the whole replica and waits until it is durable.
    func persist(on disk: inout SimulatedDisk<Record>)

    /// The replica that a disk holds, started again.
    static func recover(from disk: SimulatedDisk<Record>, birth: Birth) -> Self

    /// What is left of a record whose write was cut in the middle, for a replica that reads it anyway.
    static func torn(_ record: Record) -> Record

    /// Tells a replica read from disk that it was restarted. The default does nothing.
    mutating func restarted(as birth: Birth)
}

extension ReplicatedType {
    public func resolved(_ action: Action) -> Action { action }
    public var stateDescription: String? { nil }
    public static func describe(_ message: Message) -> String? { nil }
    public static var codec: Codec<Self>? { nil }
    public static func check(_ observation: Observation<Self>) -> Violation? { nil }
    public func checkInvariants() -> Violation? { nil }
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
        guard let stored = disk.records.last(where: { $0.isWhole }) else { return Self(birth: birth) }
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
