import DeltaCRDT
import Testing

/// Every type against every law, in a run that is short enough for every build. `Scripts/laws` makes long ones.
@Suite struct LawTests {
    @Test func everyTypeObeysTheLaws() throws {
        for trial in Trial.all { try trial.run(0, 1280) }
    }
}
