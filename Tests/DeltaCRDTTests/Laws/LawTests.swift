import DeltaCRDT
import Foundation
import Testing

/// Every type against every law. `DELTACRDT_LAW_STEPS=1000000` runs as many steps of each; use a release build.
@Suite struct LawTests {
    private static var steps: Int {
        ProcessInfo.processInfo.environment["DELTACRDT_LAW_STEPS"].flatMap(Int.init) ?? 1280
    }

    @Test func countersObeyTheLaws() throws {
        try LawChecker.run(GCounterSpecimen.self, seed: 0, steps: Self.steps)
        try LawChecker.run(PNCounterSpecimen.self, seed: 0, steps: Self.steps)
        try LawChecker.run(VoteCounterSpecimen.self, seed: 0, steps: Self.steps)
    }

    @Test func setsObeyTheLaws() throws {
        try LawChecker.run(GSetSpecimen.self, seed: 0, steps: Self.steps)
        try LawChecker.run(AddWinsSetSpecimen.self, seed: 0, steps: Self.steps)
        try LawChecker.run(RemoveWinsSetSpecimen.self, seed: 0, steps: Self.steps)
    }

    @Test func flagsAndRegistersObeyTheLaws() throws {
        try LawChecker.run(EnableWinsFlagSpecimen.self, seed: 0, steps: Self.steps)
        try LawChecker.run(DisableWinsFlagSpecimen.self, seed: 0, steps: Self.steps)
        try LawChecker.run(LWWRegisterSpecimen.self, seed: 0, steps: Self.steps)
        try LawChecker.run(MVRegisterSpecimen.self, seed: 0, steps: Self.steps)
    }

    @Test func mapsObeyTheLaws() throws {
        try LawChecker.run(LWWMapSpecimen.self, seed: 0, steps: Self.steps)
        try LawChecker.run(ORMapSpecimen.self, seed: 0, steps: Self.steps)
    }

    @Test func storesUnderOneContextObeyTheLaws() throws {
        try LawChecker.run(BoardSpecimen.self, seed: 0, steps: Self.steps)
    }
}
