import DeltaCRDT

/// Every type of the library, and one made of its stores, on trial.
struct Trial: Sendable {
    let name: String
    /// Runs random histories of at least so many steps in all, from a seed on.
    let run: @Sendable (_ seed: UInt64, _ steps: Int) throws(Violation) -> Void

    private init<S: Specimen>(_ name: String, _ specimen: S.Type) {
        self.name = name
        run = { seed, steps throws(Violation) in try LawChecker.run(S.self, seed: seed, steps: steps) }
    }

    private init(_ name: String, run: @escaping @Sendable (_ seed: UInt64, _ steps: Int) throws(Violation) -> Void) {
        self.name = name
        self.run = run
    }

    static let all = [
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
        Trial("ORMap of Records", RecordSpecimen.self),
        Trial("Text", TextSpecimen.self),
        Trial("Text beside its oracle") { seed, steps throws(Violation) in try TextOracle.run(seed: seed, steps: steps)
        },
        Trial("Text: runs stand whole") { seed, steps throws(Violation) in
            try NonInterleaving.run(Text.self, seed: seed, steps: steps)
        },
        Trial("RichText", FormattingSpecimen<RichText>.self),
        Trial("List", ListSpecimen.self),
        Trial("MovableList", MovableListSpecimen.self),
        Trial("Tree", TreeSpecimen.self),
        Trial("a type of the user's own, of three stores", BoardSpecimen.self),
    ]
}
