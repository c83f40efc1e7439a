public import Convergence
import ConvergenceExample

/// C-Set: an element is there while its count is above 0; an add raises the count to 1 where it was done, a remove lowers it to
/// 0 (Aslan, Molli, Skaf-Molli, Weiss: *C-Set: a commutative replicated data type for semantic stores*, 2011). All steps
/// are sums, so replicas converge. But what two people lowered at once is lowered twice, and an add of somebody who knew of
/// one of them alone is lost: an anomaly told by Bieniusa et al., *An optimized conflict-free replicated set*, 2012.
public struct CountingSet: OperationBased {
    public struct Step: Sendable {
        let element: String
        let amount: Int
    }

    public var log: CausalLog<Step>
    private var counts: [String: Int] = [:]

    public init(birth: Birth) { log = CausalLog(birth) }

    public static func randomAction(using generator: inout SeededGenerator) -> SetAction { .random(using: &generator) }

    public func prepare(_ action: SetAction) -> Step? {
        switch action {
        case .add(let element):
            let count = counts[element, default: 0]
            return count > 0 ? nil : Step(element: element, amount: 1 - count)
        case .remove(let element):
            let count = counts[element, default: 0]
            return count > 0 ? Step(element: element, amount: -count) : nil
        }
    }

    public mutating func deliver(_ delivery: Delivery<Step>) {
        counts[delivery.operation.element, default: 0] += delivery.operation.amount
    }

    public var view: [String] { counts.filter { $0.value > 0 }.keys.sorted() }

    public var stateDescription: String? {
        counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    }

    public static func check(_ observation: Observation<Self>) -> Violation? {
        SetSpecification.check(
            observation.view, before: observation.previous, of: observation.history, policy: .either, meaning: \.effect)
    }
}
