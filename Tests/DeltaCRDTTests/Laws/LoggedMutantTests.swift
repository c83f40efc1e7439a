import DeltaCRDT
import Testing

/// What a log may get wrong.
private protocol LogFault: SendableMetatype {
    static func altered(_ event: LoggedAct) -> LoggedAct
}

/// A sound type over a log that is not.
private enum FaultyLog<Subject: LoggedSpecimen, Fault: LogFault>: LoggedSpecimen {
    static var empty: Subject.State { Subject.empty }

    static func operation(_ random: inout SplitMix64) -> Subject.Operation { Subject.operation(&random) }

    static func apply(_ operation: Subject.Operation, of event: LoggedAct, to state: inout Subject.State) {
        Subject.apply(operation, of: Fault.altered(event), to: &state)
    }

    static func overwrites(_ later: Subject.Operation, _ earlier: Subject.Operation) -> Bool {
        Subject.overwrites(later, earlier)
    }

    static func view(_ state: Subject.State) -> Subject.View { Subject.view(state) }

    static func kept(_ state: Subject.State) -> [LoggedName] { Subject.kept(state) }

    static func expected(
        _ known: [Event<Subject.Operation>], in history: [Event<Subject.Operation>]
    ) -> Subject.View { Subject.expected(known, in: history) }

    static func survivors(
        _ known: [Event<Subject.Operation>], in history: [Event<Subject.Operation>]
    ) -> [Event<Subject.Operation>] { Subject.survivors(known, in: history) }
}

/// Each law of logged types catches the faults that break it.
@Suite struct LoggedMutantTests {
    private enum AllSeen: LogFault {
        static func altered(_ event: LoggedAct) -> LoggedAct { LoggedAct(id: event.id) { _ in true } }
    }

    private enum NothingSeen: LogFault {
        static func altered(_ event: LoggedAct) -> LoggedAct { LoggedAct(id: event.id) { _ in false } }
    }

    private enum OrderOfArrival: LogFault {
        static func altered(_ event: LoggedAct) -> LoggedAct {
            let name = LoggedName(time: event.id.index, replica: event.id.replica, index: event.id.index)
            return LoggedAct(id: name, isPast: event.isPast)
        }
    }

    /// Of an author's words, the last that arrived.
    private enum LastToArrive: LoggedSpecimen {
        typealias Base = LoggedBallotSpecimen

        static var empty: [UInt64: String] { [:] }
        static func operation(_ random: inout SplitMix64) -> String? { Base.operation(&random) }
        static func apply(_ word: String?, of event: LoggedAct, to words: inout [UInt64: String]) {
            words[event.id.author] = word
        }
        static func overwrites(_ later: String?, _ earlier: String?) -> Bool { false }
        static func view(_ words: [UInt64: String]) -> [UInt64: String] { words }
        static func kept(_ words: [UInt64: String]) -> [LoggedName] { [] }
        static func expected(_ known: [Event<String?>], in history: [Event<String?>]) -> [UInt64: String] {
            Base.expected(known, in: history)
        }
        static func survivors(_ known: [Event<String?>], in history: [Event<String?>]) -> [Event<String?>] { [] }
    }

    /// A register of truth values shows what a flag shows, and keeps what was turned off.
    private enum RegisterAsFlag: TwinSpecimen {
        typealias Twin = EnableWinsFlagSpecimen
        typealias State = LoggedRegisters<Int, Bool, LoggedName>

        static var empty: State { State() }
        static func apply(_ isEnabled: Bool, of event: LoggedAct, to state: inout State) {
            state.write(isEnabled, at: 0, by: event)
        }
        static func view(_ state: State) -> Bool { state.writes.contains { $0.value } }
        static func kept(_ state: State) -> [LoggedName] { state.writes.map { $0.id } }
        static func survivors(_ known: [Event<Bool>], in history: [Event<Bool>]) -> [Event<Bool>] {
            LoggedFlagSpecimen.survivors(known, in: history)
        }
    }

    /// A counter that stops at 0 depends on who takes the last one first.
    private enum CounterThatStops: TwinSpecimen {
        typealias Twin = PNCounterSpecimen

        static var empty: LoggedCounter { LoggedCounter() }
        static func apply(_ step: Int64, of event: LoggedAct, to counter: inout LoggedCounter) {
            counter.add(max(step, -counter.value))
        }
        static func view(_ counter: LoggedCounter) -> Int64 { counter.value }
        static func kept(_ counter: LoggedCounter) -> [LoggedName] { [] }
        static func survivors(_ known: [Event<Int64>], in history: [Event<Int64>]) -> [Event<Int64>] { [] }
    }

    /// A sum that also says what came last is another one for each order of arrival.
    private enum CounterThatRemembers: TwinSpecimen {
        typealias Twin = PNCounterSpecimen

        struct State: Hashable {
            var counter = LoggedCounter()
            var last: Int64?
        }

        static var empty: State { State() }
        static func apply(_ step: Int64, of event: LoggedAct, to state: inout State) {
            state.counter.add(step)
            state.last = step
        }
        static func view(_ state: State) -> Int64 { state.counter.value }
        static func kept(_ state: State) -> [LoggedName] { [] }
        static func survivors(_ known: [Event<Int64>], in history: [Event<Int64>]) -> [Event<Int64>] { [] }
    }

    /// The law that a subject breaks first, from the first of a few seeds that breaks one.
    private func broken(_ subject: (some LoggedSpecimen).Type) -> Law? {
        for seed in UInt64(0)..<8 {
            do throws(Violation) {
                try LoggedChecker.run(subject, seed: seed, steps: 256)
            } catch {
                return error.law
            }
        }
        return nil
    }

    @Test("a log that tells the past wrong is caught under each type that asks for it")
    func wrongPasts() {
        #expect(broken(FaultyLog<LoggedFlagSpecimen, AllSeen>.self) == .specification)
        #expect(broken(FaultyLog<LoggedRegistersSpecimen, AllSeen>.self) == .specification)
        #expect(broken(FaultyLog<LoggedSetSpecimen, AllSeen>.self) == .specification)
        #expect(broken(FaultyLog<LoggedFlagSpecimen, NothingSeen>.self) == .specification)
        #expect(broken(FaultyLog<LoggedRegistersSpecimen, NothingSeen>.self) == .specification)
        #expect(broken(FaultyLog<LoggedSetSpecimen, NothingSeen>.self) == .specification)
    }

    @Test("a log that names events by their arrival is caught under each type that keeps names")
    func wrongNames() {
        #expect(broken(FaultyLog<LoggedFlagSpecimen, OrderOfArrival>.self) != nil)
        #expect(broken(FaultyLog<LoggedRegistersSpecimen, OrderOfArrival>.self) != nil)
        #expect(broken(FaultyLog<LoggedSetSpecimen, OrderOfArrival>.self) != nil)
        #expect(broken(FaultyLog<LoggedBallotSpecimen, OrderOfArrival>.self) != nil)
    }

    @Test("types that look right and are not are caught")
    func impostors() {
        #expect(broken(LastToArrive.self) == .specification)
        #expect(broken(RegisterAsFlag.self) == .keepsSurvivors)
        #expect(broken(CounterThatStops.self) == .specification)
        #expect(broken(CounterThatRemembers.self) == .commutative)
    }
}
