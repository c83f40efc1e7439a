/// What a simulation showed, made for people: ``text`` for a terminal, ``html`` to look at.
public struct Report: Sendable {
    /// A fault and how often it happened, or a law and how often it was checked.
    public struct FaultCount: Sendable, Hashable {
        /// The fault's as in `--faults`.
        public var name: String
        /// What it is, in a few words.
        public var meaning: String
        /// Of all runs together.
        public var count: Int

        package init(name: String, meaning: String, count: Int) {
            self.name = name
            self.meaning = meaning
            self.count = count
        }
    }

    /// A law that did not hold, and the least run that shows it.
    public struct Failing: Sendable {
        /// Replicas that do something, everything that happens, and what of it is a fault.
        public typealias Size = (replicas: Int, events: Int, faults: Int)

        /// Which one.
        public var law: Law
        /// What was seen and what was expected.
        public var finding: String
        /// The run's.
        public var seed: UInt64
        /// The step at which the law broke before the run was made small.
        public var failedStep: Int
        /// Of the run as it was drawn.
        public var before: Size
        /// Of the small run.
        public var after: Size
        /// The small run, a line for each thing that happens.
        public var trace: [String]
        /// Faults that happened in the small run.
        package var happened: Set<String> = []
        /// How often the small run left the polite schedule; nil where it was not counted.
        package var deviationCount: Int?
        /// The same drawn; nil where it is not known or cannot be.
        package var diagram: SpaceTime?
        /// A command that runs it again; nil where there is none.
        public var command: String?

        package init(
            law: Law, finding: String, seed: UInt64, failedStep: Int, before: Size, after: Size, trace: [String],
            command: String?
        ) {
            self.law = law
            self.finding = finding
            self.seed = seed
            self.failedStep = failedStep
            self.before = before
            self.after = after
            self.trace = trace
            self.command = command
        }
    }

    /// A number that sums the runs up.
    public struct Headline: Sendable, Hashable {
        /// Its name for programs.
        public var key: String
        /// How many there were.
        public var number: Int
        /// What it counts, for people.
        public var name: String

        package init(_ key: String, _ number: Int, _ name: String) {
            self.key = key
            self.number = number
            self.name = name
        }
    }

    /// What was tested.
    public var subject: String
    /// What repeats the whole.
    public var command: String
    /// Follows from all that every replica showed in every run; nil where nothing was checked, and only measured.
    public var digest: UInt64?
    /// Figures of all runs, the most important first.
    public var headlines: [Headline]
    /// Every kind that was allowed to happen, also those that never did.
    public var faults: [FaultCount]
    /// The laws of this subject, and how often each was checked; empty where that was not counted.
    package var laws: [FaultCount] = []
    /// The laws that were owed, and in how many runs each was at risk; empty where that was not counted.
    package var risks: [FaultCount] = []
    /// The greatest value seen of each bounded quantity.
    package var bounds: [Measurements.Maximum] = []
    /// Nil if every law held.
    public var failing: Failing?
    /// Somebody ended the search early. The report shows the runs up to then.
    public var isInterrupted: Bool
    /// How long it all took in milliseconds, where anybody looked at a clock.
    public var elapsed: Int?
    package var panels: [Panel]

    package init(
        subject: String, command: String, digest: UInt64?, headlines: [Headline], faults: [FaultCount],
        failing: Failing? = nil, isInterrupted: Bool = false, elapsed: Int? = nil, panels: [Panel] = []
    ) {
        self.subject = subject
        self.command = command
        self.digest = digest
        self.headlines = headlines
        self.faults = faults
        self.failing = failing
        self.isInterrupted = isInterrupted
        self.elapsed = elapsed
        self.panels = panels
    }

    /// The figures as people read them, and what they count.
    var figures: [(value: String, name: String)] {
        headlines.map { (Figures.grouped($0.number), $0.name) }
            + (elapsed.map { [(Figures.duration(milliseconds: $0), "taken")] } ?? [])
    }

    /// The first thing that people want to know.
    public var verdict: String {
        guard digest != nil else { return "measured" }
        if let failing { return "\(failing.law.name) is violated" }
        return isInterrupted ? "no violation until it was interrupted" : "no violation"
    }
}

extension Report.Failing {
    /// The small run's size, and how far it is from a polite one.
    var smallSize: String {
        Self.describe(after) + Self.deviations(deviationCount)
    }

    static func deviations(_ count: Int?) -> String {
        count.map { ", with \(Figures.count($0, "deviation")) from the polite schedule" } ?? ""
    }

    /// "4 replicas, 120 events, 41 faults".
    static func describe(_ size: Size) -> String {
        [
            Figures.count(size.replicas, "replica"), Figures.count(size.events, "event"),
            Figures.count(size.faults, "fault"),
        ].joined(separator: ", ")
    }
}

extension Fault {
    /// What it is, in a few words.
    public var meaning: String {
        switch self {
        case .loss: "a message is lost"
        case .duplication: "a message comes twice"
        case .delay: "a message is overtaken by later ones"
        case .partition: "some are cut off, both ways"
        case .oneWay: "some are heard by nobody, and hear"
        case .crash: "a replica stops and starts from its disk"
        case .torn: "power fails in the middle of a write"
        case .backup: "a replica starts from an older disk"
        case .skew: "a clock jumps"
        case .days: "days pass between two steps"
        case .burst: "people act in the same millisecond"
        case .alteration: "a state is read whose bytes were altered"
        }
    }
}
