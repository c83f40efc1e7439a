import DeltaCRDT
import TestTiers
import Testing

/// Every type against every law, in runs that are short enough for every build. `Scripts/laws` makes long ones.
@Suite struct LawTests {
    @Test("every type obeys every law for a moment") func everyTypeObeysTheLawsForAMoment() throws {
        for trial in Trial.all { try trial.run(0, 160) }
    }

    @Test(.tags(.slow)) func everyTypeObeysTheLaws() throws {
        for trial in Trial.all { try trial.run(0, 1280) }
    }
}
