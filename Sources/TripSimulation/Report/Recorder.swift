import Convergence

/// What is measured while a run goes on.
struct Recorder {
    private(set) var samples: [Measurements.Sample] = []
    private(set) var intervals: [Measurements.Interval] = []
    private var lastDelivered = 0
    private var stride = 1
    private var skipped = 0
    var healing: UInt64?
    var maxima: [String: (value: Int, bound: Int?)] = [:]

    mutating func note(_ fault: TripFault, from start: UInt64, to end: UInt64, _ nodes: [Int]) {
        guard intervals.count < Measurements.intervalsMax else { return }
        intervals.append(
            Measurements.Interval(fault: fault.rawValue, trouble: fault.trouble, start: start, end: end, nodes: nodes))
    }

    mutating func sample(_ world: World, changes: Int) {
        skipped += 1
        guard skipped >= stride else { return }
        skipped = 0
        if samples.count >= Measurements.samplesMax {
            samples = samples.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
            stride *= 2
        }
        samples.append(
            Measurements.Sample(
                time: world.time, divergence: world.divergence, changeCount: changes,
                runningNodes: world.machines.count(where: \.isRunning), bytesUnderWay: world.bytesUnderWay,
                bytesDelivered: world.deliveredBytes - lastDelivered))
        lastDelivered = world.deliveredBytes
    }

    mutating func note(_ name: String, _ value: Int, bound: Int?) {
        guard value > maxima[name]?.value ?? -1 else { return }
        maxima[name] = (value, bound)
    }
}
