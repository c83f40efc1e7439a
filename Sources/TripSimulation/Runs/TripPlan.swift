import Convergence
import DeltaCRDT

/// All that people do and all that goes wrong in a run of real nodes, decided before it begins: so a part of it is a run
/// too, and can be made smaller.
package struct TripPlan: SimulatedPlan, Hashable {
    /// Something that happens.
    package enum Event: Sendable, Hashable {
        /// A node's person does something; what it is follows from the draw and from what they see.
        case act(node: Int, draw: UInt64)
        /// Something goes wrong at a node, or between it and another, for so many milliseconds where it lasts.
        case fault(TripFault, node: Int, other: Int, duration: UInt64, draw: UInt64)
    }

    /// An event, its time in milliseconds, and its number in the whole plan.
    package struct Step: SimulatedStep, Hashable {
        /// Its place in the whole plan.
        package let number: Int
        /// In milliseconds of the run's own time.
        package let time: UInt64
        /// What happens.
        package let event: Event

        /// Whether a node does or suffers this.
        func names(_ node: Int) -> Bool {
            switch event {
            case .act(let actor, _): actor == node
            case .fault(let fault, let one, let other, _, _):
                one == node || other == node && fault.isBetweenTwo
            }
        }

        package var isFault: Bool {
            if case .fault = event { true } else { false }
        }

        package var withoutFault: Self? { isFault ? nil : self }
    }

    /// What the world's own chances follow from.
    package let seed: UInt64
    /// The nodes that take part, ascending: all of them, but in a run that was made smaller.
    package internal(set) var nodes: [Int]
    /// In the order of their times.
    package var steps: [Step]

    package var participants: [Int] { nodes }

    package func selection(from whole: TripPlan) -> String { "\(TripSelection(self))" }
}

extension TripFault {
    /// Whether it concerns two nodes, each by name.
    var isBetweenTwo: Bool {
        switch self {
        case .stall, .reset, .clog, .missedName, .repeatedName, .alteration, .fork, .carriedFile, .alteredFile,
            .craftedChange, .withheldBody, .retoldChange:
            true
        default: false
        }
    }
}

extension TripPlan {
    /// Every choice follows from the seed. O(steps).
    package static func make(_ conditions: TripConditions, seed: UInt64) -> TripPlan {
        var generator = SeededGenerator(seed: SplitMix64.mixed(seed) ^ 0x7269_7073)
        let faults = conditions.faults.sorted()
        var time: UInt64 = 0
        var steps: [Step] = []
        steps.reserveCapacity(conditions.steps)
        for number in 0..<conditions.steps {
            // People act in bursts.
            time += (generator.oneIn(3) ? generator.below(250) : generator.below(30)) * conditions.pace
            let isFault = !faults.isEmpty && generator.oneIn(UInt64(max(1, conditions.faultInterval)))
            let event = isFault ? fault(faults, conditions, &generator) : act(conditions, &generator)
            steps.append(Step(number: number, time: time, event: event))
        }
        return TripPlan(seed: seed, nodes: Array(0..<conditions.replicas), steps: steps)
    }

    private static func act(_ conditions: TripConditions, _ generator: inout SeededGenerator) -> Event {
        .act(node: generator.number(in: 0...conditions.replicas - 1), draw: generator.next())
    }

    private static func fault(
        _ faults: [TripFault], _ conditions: TripConditions, _ generator: inout SeededGenerator
    ) -> Event {
        let fault = faults[generator.number(in: 0...faults.count - 1)]
        var node = generator.number(in: 0...conditions.replicas - 1)
        if fault == .join, conditions.joinerCount > 0 {
            node = conditions.replicas - 1 - generator.number(in: 0...conditions.joinerCount - 1)
        }
        let other = (node + generator.number(in: 1...conditions.replicas - 1)) % conditions.replicas
        return .fault(
            fault, node: node, other: other, duration: duration(of: fault, &generator) * conditions.pace,
            draw: generator.next())
    }

    private static func duration(of fault: TripFault, _ generator: inout SeededGenerator) -> UInt64 {
        switch fault {
        case .carriedFile, .alteredFile: 500 + generator.below(6_000)
        case .stall: 200 + generator.below(1_500)
        case .partition, .oneWay: 500 + generator.below(generator.oneIn(3) ? 20_000 : 4_000)
        case .clog, .throttle, .fullDisk, .leave, .boxRepeats, .boxReorders, .boxServesOld, .boxServesOthers, .boxFull,
            .boxPartialFile, .boxUnreachable, .missedName, .falseAddress, .lateName, .nameFlood:
            500 + generator.below(8_000)
        default: generator.below(3_000)
        }
    }
}
