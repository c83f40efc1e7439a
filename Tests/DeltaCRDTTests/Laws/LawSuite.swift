import DeltaCRDT

/// A type on trial: one of the library, or one made of its stores.
struct Trial: Sendable {
    let name: String
    private let body: @Sendable (_ seed: UInt64, _ steps: Int) throws(Violation) -> UInt64

    init<S: Specimen>(_ name: String, _ specimen: S.Type) {
        self.init(name) { seed, steps throws(Violation) in try LawChecker<S>.run(S.self, seed: seed, steps: steps) }
    }

    init<S: LoggedSpecimen>(_ name: String, logged specimen: S.Type) {
        self.init(name) { seed, steps throws(Violation) in try LoggedChecker<S>.run(S.self, seed: seed, steps: steps) }
    }

    private init(_ name: String, _ body: @escaping @Sendable (_ seed: UInt64, _ steps: Int) throws(Violation) -> UInt64)
    {
        (self.name, self.body) = (name, body)
    }

    /// Runs random histories of at least so many steps in all, from a seed on. Returns a digest of what was written.
    @discardableResult
    func run(_ seed: UInt64, _ steps: Int) throws(Violation) -> UInt64 { try body(seed, steps) }

    /// Those that need no key paths, which Embedded Swift has not: `Scripts/embedded` runs them as WebAssembly.
    static let withoutKeyPaths = [
        Trial("GCounter", GCounterSpecimen.self),
        Trial("PNCounter", PNCounterSpecimen.self),
        Trial("CausalCounter", CausalCounterSpecimen.self),
        Trial("VoteCounter", VoteCounterSpecimen.self),
        Trial("GSet", GSetSpecimen.self),
        Trial("AddWinsSet", AddWinsSetSpecimen.self),
        Trial("RemoveWinsSet", RemoveWinsSetSpecimen.self),
        Trial("EnableWinsFlag", EnableWinsFlagSpecimen.self),
        Trial("DisableWinsFlag", DisableWinsFlagSpecimen.self),
        Trial("LWWRegister", LWWRegisterSpecimen.self),
        Trial("MVRegister", MVRegisterSpecimen.self),
        Trial("LWWMap", LWWMapSpecimen.self),
        Trial("ORMap of ORMaps of AddWinsSets", ORMapSpecimen.self),
        Trial("Text", TextSpecimen.self),
        Trial("Text beside its oracle") { seed, steps throws(Violation) in
            try TextOracle.run(seed: seed, steps: steps)
            return 0
        },
        Trial("Text: runs stand whole") { seed, steps throws(Violation) in
            try NonInterleaving.run(Text.self, seed: seed, steps: steps)
            return 0
        },
        Trial("RichText", FormattingSpecimen<RichText>.self),
        Trial("List", ListSpecimen.self),
        Trial("MovableList", MovableListSpecimen.self),
        Trial("Tree", TreeSpecimen.self),
        Trial("a type of the user's own, of three stores", BoardSpecimen.self),
        Trial("LoggedFlag", logged: LoggedFlagSpecimen.self),
        Trial("LoggedRegisters", logged: LoggedRegistersSpecimen.self),
        Trial("LoggedSet", logged: LoggedSetSpecimen.self),
        Trial("LoggedBallot", logged: LoggedBallotSpecimen.self),
        Trial("LoggedCounter", logged: LoggedCounterSpecimen.self),
    ]
}
