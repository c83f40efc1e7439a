import Testing

/// Every type against every law.
@Suite struct LawTests {
    @Test func countersObeyTheLaws() throws {
        try LawChecker.run(GCounterSpecimen.self, seed: 1, steps: 640)
        try LawChecker.run(PNCounterSpecimen.self, seed: 2, steps: 640)
    }

    @Test func setsObeyTheLaws() throws {
        try LawChecker.run(AddWinsSetSpecimen.self, seed: 3, steps: 1280)
    }

    @Test func registersObeyTheLaws() throws {
        try LawChecker.run(MVRegisterSpecimen.self, seed: 4, steps: 1280)
    }
}
