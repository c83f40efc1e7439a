/// A part of a plan, as text for a command line: the numbers of its nodes, a slash, and the numbers of its steps.
package struct TripSelection: Sendable, Hashable, CustomStringConvertible {
    /// The numbers of its nodes, ascending.
    package let nodes: [Int]
    /// The numbers of its steps, ascending.
    package let steps: [Int]

    /// Numbers in one selection at most.
    private static let countMax = 100_000

    /// The part that a plan is.
    package init(_ plan: TripPlan) {
        nodes = plan.nodes
        steps = plan.steps.map(\.number)
    }

    /// Reads what `description` wrote, as in `0,2/14,90`; nil for anything else.
    package init?(_ text: String) {
        let halves = text.split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2, let nodes = Self.numbers(halves[0]), let steps = Self.numbers(halves[1]) else {
            return nil
        }
        self.nodes = nodes
        self.steps = steps
    }

    private static func numbers(_ text: Substring) -> [Int]? {
        var numbers: [Int] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: text.isEmpty) {
            guard numbers.count < countMax, let number = Int(part), number > numbers.last ?? -1 else { return nil }
            numbers.append(number)
        }
        return numbers
    }

    /// The chosen part of a plan. O(steps).
    package func part(of plan: TripPlan) -> TripPlan {
        let (keptNodes, keptSteps) = (Set(nodes), Set(steps))
        var part = plan
        part.nodes.removeAll { !keptNodes.contains($0) }
        part.steps.removeAll { !keptSteps.contains($0.number) }
        return part
    }

    package var description: String {
        nodes.map(String.init).joined(separator: ",") + "/" + steps.map(String.init).joined(separator: ",")
    }
}
