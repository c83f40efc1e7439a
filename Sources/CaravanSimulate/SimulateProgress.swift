import Console
import Convergence
import LibC
import Synchronization

/// What people see on standard error while runs go on: one line that changes where it is a terminal, else a line now
/// and then.
final class SimulateProgress: Sendable {
    private struct State {
        var last: ContinuousClock.Instant
        var isShown = false
    }

    private let total: UInt64
    private let noun: String
    private let isTerminal: Bool
    private let start = ContinuousClock.now
    private let state: Mutex<State>
    private let isAsked = Atomic<Bool>(false)

    init(_ noun: String, of total: UInt64) {
        self.noun = noun
        self.total = total
        isTerminal = isatty(2) == 1
        // On a terminal something is seen at once.
        state = Mutex(State(last: isTerminal ? .now - .seconds(1) : .now))
        let stopped = Interruption.next().stream
        // Only once: a second signal ends the process at once.
        Task.detached { [weak self] in
            for await _ in stopped { break }
            for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { signal(number, SIG_DFL) }
            self?.isAsked.store(true, ordering: .relaxed)
        }
    }

    /// Whether somebody wants an end.
    var isInterrupted: Bool { isAsked.load(ordering: .relaxed) }

    /// Milliseconds since the beginning.
    var elapsed: Int { Int((ContinuousClock.now - start) / .milliseconds(1)) }

    /// So many are done. Says so at most ten times a second on a terminal; elsewhere after a second, and then every ten.
    func done(_ count: UInt64, detail: String = "") {
        let now = ContinuousClock.now
        state.withLock { state in
            let pause: Duration = isTerminal ? .milliseconds(100) : state.isShown ? .seconds(10) : .seconds(1)
            guard now - state.last >= pause else { return }
            state.last = now
            state.isShown = true
            let elapsed = max(1, elapsed)
            let share = total == 0 ? 100 : min(100, count * 100 / total)
            var line = "\(noun) \(Figures.grouped(Int(clamping: count))) of \(Figures.grouped(Int(clamping: total)))"
            line += ", \(share) %"
            if count > 0, count < total {
                let rest = Double(elapsed) / Double(count) * Double(total - count)
                line += ", \(Figures.duration(milliseconds: Int(min(rest, 1e12)))) to go"
            }
            if !detail.isEmpty { line += " · \(detail)" }
            Output.progress(line, isTerminal: isTerminal)
        }
    }

    /// Says something at once, in a line of its own.
    func say(_ text: String) {
        end()
        Output.note(text)
    }

    /// Takes the changing line away.
    func end() {
        state.withLock { state in
            if isTerminal, state.isShown { Output.progress("", isTerminal: true) }
        }
    }
}
