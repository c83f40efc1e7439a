import Convergence
import DeltaCRDT

/// A specimen of the laws as a replica of Convergence: the simulator crashes it, restores it from backups, alters its bytes, and loses
/// its messages.
struct SimulatedReplica<S: Specimen>: StateBased {
    typealias State = S.State

    /// What is drawn in a plan. What it means, and in whose name it is done, is known when it is done.
    struct Action: Sendable, CustomStringConvertible {
        let draw: UInt64
        fileprivate var done: Done?

        var description: String { "draw " + String(draw, radix: 16) }
    }

    /// An operation may note what it meant, so each run has its own.
    final class Done: @unchecked Sendable {
        let operation: S.Operation
        let writer: ReplicaID

        init(_ draw: UInt64, by writer: ReplicaID) {
            var random = SplitMix64(seed: draw)
            (operation, self.writer) = (S.operation(&random), writer)
        }
    }

    /// All of the state, so that replicas that know the same must write the same bytes.
    struct View: Equatable, Sendable, CustomStringConvertible {
        let state: S.State

        var description: String {
            var digest = RunDigest()
            for byte in state.encoded() { digest.add(UInt64(byte)) }
            return String(digest.value, radix: 16)
        }
    }

    var state = S.State()
    var writer: ReplicaID
    var view: View { View(state: state) }

    init(birth: Birth) { writer = birth.start }

    static func randomAction(using generator: inout SeededGenerator) -> Action { Action(draw: generator.next()) }

    func resolved(_ action: Action) -> Action { Action(draw: action.draw, done: Done(action.draw, by: writer)) }

    mutating func perform(_ action: Action, at now: Int64) -> [Dot] {
        let done = action.done ?? Done(action.draw, by: writer)
        _ = S.perform(done.operation, on: &state, by: writer)
        return []
    }

    static func check(_ observation: Observation<Self>) -> Convergence.Violation? {
        let known = observation.history.events
        var events: [Event<S.Operation>] = []
        for event in known {
            guard let done = event.action.done else { return nil }
            var (past, covered): (UInt64, UInt64) = (0, 0)
            for earlier in events where event.past.contains(known[earlier.number].number) {
                past |= earlier.bit
                if S.overwrites(done.operation, by: done.writer, earlier) { covered |= earlier.bit }
            }
            events.append(
                Event(
                    number: events.count, replica: done.writer, operation: done.operation, past: past, covered: covered)
            )
        }
        let isExpected = S.view(observation.view.state) == S.expected(events, in: events)
        return isExpected ? nil : Convergence.Violation(asSpecified, "something else follows from what it knows")
    }
}

private let asSpecified = Convergence.Law("as-specified", "What is shown follows from what is known.")

/// Runs every type and every mutant in the simulator, and prints a line for each run, and the shrunk runs of mutants. Returns how many did
/// not do as they should.
func holdSimulations(seeds: UInt64, mutants: Int) -> Int32 {
    var broken: Int32 = 0
    broken += simulate("GCounter", GCounterSpecimen.self, seeds)
    broken += simulate("PNCounter", PNCounterSpecimen.self, seeds)
    broken += simulate("CausalCounter", CausalCounterSpecimen.self, seeds)
    broken += simulate("VoteCounter", VoteCounterSpecimen.self, seeds)
    broken += simulate("GSet", GSetSpecimen.self, seeds)
    broken += simulate("AddWinsSet", AddWinsSetSpecimen.self, seeds)
    broken += simulate("RemoveWinsSet", RemoveWinsSetSpecimen.self, seeds)
    broken += simulate("EnableWinsFlag", EnableWinsFlagSpecimen.self, seeds)
    broken += simulate("DisableWinsFlag", DisableWinsFlagSpecimen.self, seeds)
    broken += simulate("LWWRegister", LWWRegisterSpecimen.self, seeds)
    broken += simulate("MVRegister", MVRegisterSpecimen.self, seeds)
    broken += simulate("LWWMap", LWWMapSpecimen.self, seeds)
    broken += simulate("ORMap", ORMapSpecimen.self, seeds)
    broken += simulate("Text", TextSpecimen.self, seeds)
    broken += simulate("RichText", FormattingSpecimen<RichText>.self, seeds)
    broken += simulate("List", ListSpecimen.self, seeds)
    broken += simulate("MovableList", MovableListSpecimen.self, seeds)
    broken += simulate("Tree", TreeSpecimen.self, seeds)
    broken += simulate("a type of the user's own, of three stores", BoardSpecimen.self, seeds)
    for mutant in Convergence.Mutant.all.prefix(mutants) where !isFound(mutant) { broken += 1 }
    return broken
}

private func simulate<S: Specimen>(_ name: String, _ specimen: S.Type, _ seeds: UInt64) -> Int32 {
    // Events are bits of a word, so a run has no more.
    let simulator = Simulator<SimulatedReplica<S>>(Conditions(steps: 64))
    var (digest, tally) = (RunDigest(), Tally(simulator))
    let failure = simulator.firstFailure(seeds: 1...seeds) { seed, outcome in
        digest.add(outcome.digest)
        tally.add(outcome, seed: seed)
        return false
    }
    print("simulated " + name + ": " + (failure?.description ?? String(digest.value, radix: 16)))
    var page = RunDigest()
    for byte in tally.report(subject: name, command: "", failing: nil).html.utf8 { page.add(UInt64(byte)) }
    print("  the report: " + String(page.value, radix: 16))
    return failure == nil ? 0 : 1
}

/// Whether a planted fault is found by its law. Prints the shrunk run.
private func isFound(_ mutant: Convergence.Mutant) -> Bool {
    guard let found = mutant.find(seeds: 1...20) else {
        print("mutant " + mutant.name + ": not found")
        return false
    }
    print("mutant " + mutant.name + ": " + found.trace)
    print("  replayed by " + found.options)
    return found.law == mutant.laws[0]
}
