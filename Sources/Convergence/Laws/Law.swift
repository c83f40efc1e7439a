/// Something that must hold in every run. A type under test may bring laws of its own.
public struct Law: Hashable, Sendable, CustomStringConvertible {
    /// One word, for programs.
    public let name: String
    /// The law, as a sentence.
    public let description: String

    public init(_ name: String, _ description: String) {
        self.name = name
        self.description = description
    }

    public static let convergence = Law("convergence", "Replicas that know the same show the same.")
    public static let delivery = Law("delivery", "Once the network is whole, everybody hears of everything.")
    public static let durability = Law("durability", "What was acknowledged is durable where it was done.")
    public static let nothingLost = Law("nothing-lost", "What somebody did, and nobody undid, is shown.")
    public static let nothingVanishes = Law(
        "nothing-vanishes", "What was shown stays until somebody removes it.")
    public static let nothingInvented = Law("nothing-invented", "What is shown was done by somebody.")
    public static let addWins = Law("add-wins", "An add wins over a concurrent remove.")
    public static let observedRemoves = Law(
        "observed-removes", "What was removed by somebody who saw it does not come back by itself.")
    public static let uniqueDots = Law("unique-dots", "No dot names two things.")
    public static let ownHand = Law("own-hand", "A replica makes only its own dots.")
    public static let wholeItems = Law("whole-items", "What comes back comes back whole.")
    public static let everyActCounts = Law("every-act-counts", "A counter shows the sum of what people did.")

    /// The laws of this library.
    public static let all = [
        convergence, delivery, durability, nothingLost, nothingVanishes, nothingInvented, addWins, observedRemoves,
        uniqueDots, ownHand, wholeItems, everyActCounts,
    ]
}

/// A law that did not hold.
public struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
    public let law: Law
    /// What was seen and what was expected, in a line.
    public let finding: String

    public init(_ law: Law, _ finding: String) {
        self.law = law
        self.finding = finding
    }

    public var description: String { "\(law.name): \(finding)" }
}
