/// Measures a run of a type under test, where it was asked to. Times are in steps.
struct RunRecorder {
    private(set) var measurements = Measurements()
    private let stride: UInt64
    /// When each machine went down, and by what.
    private var down: [Int: (fault: Fault, since: Int)] = [:]
    private var cut: (fault: Fault, since: Int, members: [Int])?

    init(steps: Int) { stride = UInt64(max(1, steps / Measurements.samplesMax)) }

    /// Writes down how many different sets of events the running machines know.
    mutating func sample(_ divergence: Int, running: Int, events: Int, at time: Int) {
        let sample = Measurements.Sample(
            time: UInt64(time), divergence: divergence, changeCount: events, runningNodes: running, bytesUnderWay: 0,
            bytesDelivered: 0)
        measurements.duration = max(measurements.duration, UInt64(time))
        if let last = measurements.samples.last, last.time / stride == sample.time / stride {
            measurements.samples[measurements.samples.count - 1] = sample
        } else if measurements.samples.count < Measurements.samplesMax {
            measurements.samples.append(sample)
        }
    }

    mutating func stopped(_ machine: Int, by fault: Fault, at time: Int) {
        if down[machine] == nil { down[machine] = (fault, time) }
    }

    mutating func started(_ machine: Int, at time: Int) {
        guard let (fault, since) = down.removeValue(forKey: machine) else { return }
        measurements.add(fault, from: UInt64(since), to: UInt64(max(time, since + 1)), [machine])
    }

    mutating func cutOff(_ members: [Int], by fault: Fault, at time: Int) {
        healed(at: time)
        cut = (fault, time, members)
    }

    mutating func healed(at time: Int) {
        guard let (fault, since, members) = cut else { return }
        cut = nil
        measurements.add(fault, from: UInt64(since), to: UInt64(time), members)
    }

    /// All faults end, and the run goes on.
    mutating func faultsEnd(at time: Int) {
        end(at: time)
        measurements.healing = UInt64(time)
    }

    /// The run ends.
    mutating func end(at time: Int) {
        healed(at: time)
        for machine in down.keys.sorted() { started(machine, at: time) }
    }
}

extension Simulator {
    /// One run, and what was measured in it: how far its replicas were apart, who was down or cut off.
    public func measure(_ plan: Plan<Subject.Action>) -> (outcome: Outcome, measurements: Measurements) {
        var run = start(plan, isTracing: false)
        run.recorder = RunRecorder(steps: plan.steps.count)
        let outcome = run.finish() ?? run.outcome
        run.recorder?.end(at: run.time)
        return (outcome, run.recorder?.measurements ?? Measurements())
    }
}

extension Failure {
    /// A page that shows what broke and how far the replicas were apart in that run; `command` repeats it.
    public func page(subject name: String, command: String) -> Report {
        var tally = Tally(simulator)
        tally.add(outcome, seed: seed)
        var report = tally.report(subject: name, command: command, failing: found.failing(command: replay))
        report.panels = [simulator.measurements(of: plan).divergencePanel(of: "seed \(seed)", in: .count("step"))]
        return report
    }
}
