/// What was measured in a run: plain numbers, for a report to draw. Equal runs have equal measurements.
///
/// Times are steps from the run's beginning; in runs of nodes, milliseconds of the run's own time. All lists are bounded: a
/// run that is longer is measured less often, and of more changes every second, fourth, … is kept.
public struct Measurements: Hashable, Sendable {
    /// The state of the whole at one moment.
    public struct Sample: Hashable, Sendable {
        /// When.
        public var time: UInt64
        /// Different sets of events known to the replicas that run: 1 when all agree.
        public var divergence: Int
        /// Events that exist anywhere; of nodes, changes.
        public var changeCount: Int
        /// Replicas that run.
        public var runningNodes: Int
        /// Bytes sent and not yet arrived.
        package var bytesUnderWay: Int
        /// Bytes that arrived since the sample before.
        package var bytesDelivered: Int

        /// All of it.
        package init(
            time: UInt64, divergence: Int, changeCount: Int, runningNodes: Int, bytesUnderWay: Int, bytesDelivered: Int
        ) {
            self.time = time
            self.divergence = divergence
            self.changeCount = changeCount
            self.runningNodes = runningNodes
            self.bytesUnderWay = bytesUnderWay
            self.bytesDelivered = bytesDelivered
        }
    }

    /// A fault that lasted: a partition, a clogged link, a replica that was off.
    public struct Interval: Hashable, Sendable {
        /// The fault's name, as in `--faults`.
        public var fault: String
        /// What it did to the replicas.
        package var trouble: Timeline.Trouble
        /// When it began.
        public var start: UInt64
        /// The run's end where nothing ended it.
        public var end: UInt64
        /// The replicas that it concerned, ascending.
        public var nodes: [Int]

        /// All of it.
        package init(fault: String, trouble: Timeline.Trouble, start: UInt64, end: UInt64, nodes: [Int]) {
            self.fault = fault
            self.trouble = trouble
            self.start = start
            self.end = end
            self.nodes = nodes
        }
    }

    /// How one change spread.
    package struct Spread: Hashable, Sendable {
        /// The node that wrote it.
        package var author: Int
        /// When.
        package var written: UInt64
        /// Bytes of its sealed form.
        package var size: Int
        /// Nodes that came to hold it, the author not counted.
        package var reached: Int
        /// Bytes that crossed the network for it, its share of every message's overhead and repetitions included,
        /// divided by `reached`.
        package var bytesPerNode: Double
        /// Links that it crossed on its way to a node: the mean and the greatest over all nodes.
        package var hopsMean: Double
        /// The greatest over all nodes.
        package var hopsMax: Int
        /// From its being written to the last node's holding it; nil where some node never did.
        package var convergence: UInt64?

        /// All of it.
        package init(
            author: Int, written: UInt64, size: Int, reached: Int, bytesPerNode: Double, hopsMean: Double, hopsMax: Int,
            convergence: UInt64?
        ) {
            self.author = author
            self.written = written
            self.size = size
            self.reached = reached
            self.bytesPerNode = bytesPerNode
            self.hopsMean = hopsMean
            self.hopsMax = hopsMax
            self.convergence = convergence
        }
    }

    /// What one node did to the network.
    package struct Traffic: Hashable, Sendable {
        /// What left it.
        package var bytesSent = 0
        /// What arrived at it.
        package var bytesReceived = 0
        /// Pieces that left it.
        package var messagesSent = 0
        /// Pieces that arrived at it.
        package var messagesReceived = 0
        /// Changes that it wrote, and that came from others.
        package var changesWritten = 0
        /// Changes that came from others.
        package var changesReceived = 0
        /// How often it dialled.
        package var connectionsDialled = 0
        /// How often it was started.
        package var starts = 0

        /// Nothing yet.
        package init() {}
    }

    /// The greatest values seen at any node at any time, beside the bounds that must hold.
    package struct Maximum: Hashable, Sendable {
        /// What was counted, in words for people.
        package var name: String
        /// The greatest seen.
        package var value: Int
        /// Nil where nothing bounds it but memory.
        package var bound: Int?

        /// All of it.
        package init(name: String, value: Int, bound: Int?) {
            self.name = name
            self.value = value
            self.bound = bound
        }
    }

    /// In the order of time; at most `samplesMax`.
    public var samples: [Sample] = []
    /// In the order of their ends; at most `intervalsMax`.
    public var intervals: [Interval] = []
    /// In the order in which they were written; at most `spreadsMax`.
    package var spreads: [Spread] = []
    /// By the nodes' numbers.
    package var traffic: [Traffic] = []
    /// One for each thing that is bounded.
    package var maxima: [Maximum] = []
    /// When faults ended and healing began; nil where the run broke a law before.
    public var healing: UInt64?
    /// The run's whole length.
    public var duration: UInt64 = 0

    /// The most samples kept.
    public static let samplesMax = 2_048
    /// The most intervals kept.
    public static let intervalsMax = 4_096
    /// The most changes whose spreading is kept.
    package static let spreadsMax = 4_096

    /// Nothing yet.
    public init() {}

    /// Notes a fault that lasted, as long as there is room.
    package mutating func add(_ fault: some SimulatedFault, from start: UInt64, to end: UInt64, _ nodes: [Int]) {
        guard intervals.count < Self.intervalsMax else { return }
        intervals.append(
            Interval(fault: fault.rawValue, trouble: fault.trouble, start: start, end: end, nodes: nodes))
    }
}
