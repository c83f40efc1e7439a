import Testing

@testable import CaravanNode

@Suite struct RebuildPaceTests {
    private let start = ContinuousClock.now

    @Test("the first rebuild is done at once")
    func first() {
        var pace = RebuildPace()
        #expect(pace.ask(at: start) == .zero)
        #expect(pace.isDue)
    }

    @Test("a rebuild rests nine times as long as the one before it took")
    func rest() {
        var pace = RebuildPace()
        _ = pace.ask(at: start)
        pace.note(from: start, to: start + .milliseconds(100))
        #expect(!pace.isDue)
        #expect(pace.ask(at: start + .milliseconds(300)) == .milliseconds(700))
    }

    @Test("a rebuild that is due already is not asked for again")
    func askedAlready() {
        var pace = RebuildPace()
        _ = pace.ask(at: start)
        #expect(pace.ask(at: start) == nil)
    }

    @Test("a rebuild is done at once where the rest is over")
    func rested() {
        var pace = RebuildPace()
        _ = pace.ask(at: start)
        pace.note(from: start, to: start + .milliseconds(1))
        #expect(pace.ask(at: start + .milliseconds(11)) == .zero)
    }
}
