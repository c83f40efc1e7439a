/// Something that must hold in every run. A type under test may bring laws of its own.
public struct Law: Hashable, Sendable, CustomStringConvertible {
    /// One word, for programs.
    public let name: String
    /// The law, as a sentence.
    public let description: String

    /// A law of your own.
    public init(_ name: String, _ description: String) {
        self.name = name
        self.description = description
    }

    /// Checked for every type whenever a replica has changed; for nodes now and then, and at the end.
    public static let convergence = Law("convergence", "Replicas that know the same show the same.")
    /// Checked for every type, after all faults have ended.
    public static let delivery = Law("delivery", "Once the network is whole, everybody hears of everything.")
    /// Checked for every type, at every crash.
    public static let durability = Law("durability", "What was acknowledged is durable where it was done.")
    /// Checked for every type, by repeating the first seeds and every run that breaks a law. A run that can't be repeated
    /// can't be shrunk.
    public static let determinism = Law("determinism", "The same plan gives the same run.")
    /// Checked by the specifications.
    public static let nothingLost = Law("nothing-lost", "What somebody did, and nobody undid, is shown.")
    /// Checked by ``SetSpecification``.
    public static let nothingVanishes = Law(
        "nothing-vanishes", "What was shown stays until somebody removes it.")
    /// Checked by ``SetSpecification`` and ``RegisterSpecification``.
    public static let nothingInvented = Law("nothing-invented", "What is shown was done by somebody.")
    /// Checked by ``SetSpecification`` where adds win.
    public static let addWins = Law("add-wins", "An add wins over a concurrent remove.")
    /// Checked by ``SetSpecification`` and ``RegisterSpecification``.
    public static let observedRemoves = Law(
        "observed-removes", "What was removed by somebody who saw it does not come back by itself.")
    /// Checked for every type that names its dots, wherever two uses of one meet.
    public static let uniqueDots = Law("unique-dots", "No dot names two things.")
    /// Checked for every type that names its dots, when a replica creates a dot.
    public static let ownHand = Law("own-hand", "A replica makes only its own dots.")
    /// For types whose items have parts. Such a type checks the law itself.
    public static let wholeItems = Law("whole-items", "What comes back comes back whole.")
    /// Checked by ``CounterSpecification``.
    public static let everyActCounts = Law("every-act-counts", "A counter shows the sum of what people did.")
    /// Checked by ``SequenceSpecification``.
    public static let inPlace = Law(
        "in-place", "An element stays between those that its author saw around it, and orders never change.")
    /// Checked by ``SequenceSpecification`` and ``TreeSpecification``.
    public static let shownOnce = Law("shown-once", "What was put in once is shown once.")
    /// Checked by ``SequenceSpecification`` where it is asked to.
    public static let noInterleaving = Law(
        "no-interleaving", "What two people type at one place at the same time is not mixed.")
    /// Checked by ``TreeSpecification``.
    public static let rooted = Law("rooted", "Nothing is in itself, or in what is not there.")
    /// Checked in histories that don't record who received what: ``RecordedHistory``.
    public static let oneOrder = Law("one-order", "There is one order in which the later write of two wins everywhere.")

    /// Checked for every type with a ``ReplicatedType/codec``, whenever a replica has changed.
    public static let readability = Law("readability", "What can be written can be read.")
    /// Checked for every type with a ``ReplicatedType/codec``, on a copy that reads altered bytes and then acts.
    public static let staysReadable = Law(
        "stays-readable", "Whoever took a state that was forged can still be read, whatever they do.")
    /// Checked for every type with a ``ReplicatedType/codec`` whose states can be compared, whenever a replica has changed.
    public static let oneForm = Law("one-form", "States that are equal are written in the same bytes.")

    /// The laws of this library.
    public static let all = [
        convergence, delivery, durability, determinism, nothingLost, nothingVanishes, nothingInvented, addWins,
        observedRemoves,
        uniqueDots, ownHand, wholeItems, everyActCounts, inPlace, shownOnce, noInterleaving, rooted, oneOrder,
        readability, staysReadable, oneForm,
    ]
}

/// A law that did not hold.
public struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which one.
    public let law: Law
    /// What was seen and what was expected, in a line.
    public let finding: String

    /// For the check of a type under test.
    public init(_ law: Law, _ finding: String) {
        self.law = law
        self.finding = finding
    }

    public var description: String { "\(law.name): \(finding)" }
}
