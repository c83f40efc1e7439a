import Convergence

/// What is measured while a run goes on.
struct Recorder {
    var measurements = Measurements()
    private var lastDelivered = 0
    private var stride = 1
    private var skipped = 0
    var maxima: [String: (value: Int, bound: Int?)] = [:]

    mutating func sample(_ world: World, changes: Int) {
        skipped += 1
        guard skipped >= stride else { return }
        skipped = 0
        if measurements.samples.count >= Measurements.samplesMax {
            measurements.samples = measurements.samples.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
            stride *= 2
        }
        measurements.samples.append(
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
