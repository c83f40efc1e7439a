/// What an action means to a list or a text.
public enum SequenceEffect<Element: Hashable & Sendable>: Sendable {
    /// It inserts elements, in this order, between two that its author saw beside each other; nil for an end.
    case insert([Element], after: Element?, before: Element?)
    /// It removes an element.
    case remove(Element)
}

/// What a list or a text must show: the strong list specification (Attiya, Burckhardt, Gotsman, Morrison, Yang, Zawirski:
/// *Specification and complexity of collaborative text editing*, 2016), as far as one replica can break it. Every element
/// is inserted once, so that it has a name.
public enum SequenceSpecification {
    /// Compares a sequence with its history: each element that was inserted and not removed is shown, once, between those
    /// that its author saw around it, removed ones counted; and what was in one order before still is. Where `interleaving`
    /// is false, runs that people typed at one place at the same time must stay whole. O(elements + events).
    public static func check<Action, Element>(
        _ shown: [Element], before: [Element]?, of history: History<Action>, interleaving: Bool = true,
        meaning: (Action) -> SequenceEffect<Element>?
    ) -> Violation? {
        var inserts: [(element: Element, after: Element?, before: Element?, event: HistoryEvent<Action>)] = []
        var removed: Set<Element> = []
        for event in history.events {
            switch meaning(event.action) {
            case .insert(let elements, let after, let before):
                for (index, element) in elements.enumerated() {
                    inserts.append((element, index == 0 ? after : elements[index - 1], before, event))
                }
            case .remove(let element): removed.insert(element)
            case nil: break
            }
        }
        let all = Set(shown)
        history.look(.shownOnce, shown.count > 1)
        history.look(.nothingInvented, !shown.isEmpty)
        history.look(.observedRemoves, !removed.isEmpty)
        history.look(.nothingLost, inserts.count > removed.count)
        history.look(.nothingVanishes, before?.isEmpty == false)
        history.look(.inPlace, History.areConcurrent(inserts.map { $0.event }))
        if !interleaving { history.look(.noInterleaving, History.areConcurrent(inserts.map { $0.event })) }
        if let violation = contents(shown, all, before, inserts.map { $0.element }, removed) { return violation }
        var order = Order<Element>()
        for insert in inserts {
            if let after = insert.after { order.add(after, insert.element, "\(insert.element) was put after \(after)") }
            if let before = insert.before {
                order.add(insert.element, before, "\(insert.element) was put before \(before)")
            }
        }
        order.add(shown, "is shown")
        if let before { order.add(before, "was shown here") }
        if let circle = order.circle() { return Violation(.inPlace, circle.joined(separator: "; ")) }
        guard !interleaving else { return nil }
        return interleaved(shown, inserts.map { ($0.element, $0.after, $0.event) })
    }

    private static func contents<Element: Hashable>(
        _ shown: [Element], _ all: Set<Element>, _ before: [Element]?, _ inserted: [Element], _ removed: Set<Element>
    ) -> Violation? {
        if all.count < shown.count {
            var seen: Set<Element> = []
            let twice = shown.first { !seen.insert($0).inserted }
            return Violation(.shownOnce, "\(twice.map { "\($0)" } ?? "something") is shown twice in \(shown)")
        }
        if let strange = shown.first(where: { !inserted.contains($0) }) {
            return Violation(.nothingInvented, "\(strange) is shown, and nobody inserted it")
        }
        if let back = shown.first(where: removed.contains) {
            return Violation(.observedRemoves, "\(back) is shown, and was removed")
        }
        if let lost = inserted.first(where: { !all.contains($0) && !removed.contains($0) }) {
            let wasShown = before?.contains(lost) ?? false
            return Violation(
                wasShown ? .nothingVanishes : .nothingLost, "\(lost) is not shown, and nobody removed it")
        }
        return nil
    }

    /// Two runs, each typed by one person one element after the other, of which one is inside the other though neither author
    /// knew of the other's (Weidner, Gentle, Kleppmann: *The art of the Fugue*, 2023).
    private static func interleaved<Action, Element: Hashable>(
        _ shown: [Element], _ inserts: [(element: Element, after: Element?, event: HistoryEvent<Action>)]
    ) -> Violation? {
        /// Of each element, the run that it is of, by its first element; and who typed it.
        var runs: [Element: Element] = [:]
        var events: [Element: HistoryEvent<Action>] = [:]
        for insert in inserts {
            events[insert.element] = insert.event
            let isGoingOn = insert.after.flatMap { events[$0] }?.replica == insert.event.replica
            runs[insert.element] = isGoingOn ? insert.after.flatMap { runs[$0] } ?? insert.element : insert.element
        }
        func areConcurrent(_ one: Element, _ other: Element) -> Bool {
            guard let first = events[one], let second = events[other] else { return false }
            return !first.past.contains(second.number) && !second.past.contains(first.number)
                && first.number != second.number
        }
        let places = Dictionary(uniqueKeysWithValues: shown.enumerated().map { ($1, $0) })
        let members = Dictionary(grouping: shown) { runs[$0] ?? $0 }
        for (run, own) in members.sorted(by: { (places[$0.value[0]] ?? 0) < (places[$1.value[0]] ?? 0) })
        where own.count > 1 {
            let (first, last) = (places[own[0]] ?? 0, places[own[own.count - 1]] ?? 0)
            let strangers = shown[first...last].filter { stranger in
                runs[stranger] != run && own.allSatisfy { areConcurrent($0, stranger) }
            }
            for stranger in strangers {
                let others = members[runs[stranger] ?? stranger] ?? []
                guard others.count > 1,
                    others.contains(where: { (places[$0] ?? 0) < first || (places[$0] ?? 0) > last })
                else { continue }
                return Violation(.noInterleaving, "\(own) and \(others) are mixed in \(shown)")
            }
        }
        return nil
    }
}

/// What is before what, and why.
struct Order<Element: Hashable> {
    /// Says why, if it is asked: most orders have no circle.
    private typealias Reason = () -> String

    private var numbers: [Element: Int] = [:]
    /// Of each number, in the order in which they came.
    private var following: [[(number: Int, reason: Reason)]] = []

    private mutating func number(_ element: Element) -> Int {
        if let number = numbers[element] { return number }
        numbers[element] = following.count
        following.append([])
        return following.count - 1
    }

    mutating func add(_ first: Element, _ second: Element, _ reason: @autoclosure @escaping () -> String) {
        let (first, second) = (number(first), number(second))
        guard !following[first].contains(where: { $0.number == second }) else { return }
        following[first].append((second, reason))
    }

    mutating func add(_ sequence: [Element], _ words: String) {
        for (first, second) in zip(sequence, sequence.dropFirst()) {
            add(first, second, "\(second) \(words) after \(first)")
        }
    }

    /// The reasons of a shortest circle through the first element that is on one; nil where there is an order. Kahn (1962) finds what
    /// is on circles, a search in breadth the shortest. O(elements + reasons).
    func circle() -> [String]? {
        var counts = [Int](repeating: 0, count: following.count)
        for edge in following.joined() { counts[edge.number] += 1 }
        var free = counts.indices.filter { counts[$0] == 0 }
        var isLeft = [Bool](repeating: true, count: following.count)
        while let number = free.popLast() {
            isLeft[number] = false
            for edge in following[number] {
                counts[edge.number] -= 1
                if counts[edge.number] == 0 { free.append(edge.number) }
            }
        }
        return isLeft.indices.filter { isLeft[$0] }.compactMap { shortest(from: $0, among: isLeft) }
            .min { $0.count < $1.count }?.map { $0() }
    }

    private func shortest(from start: Int, among isLeft: [Bool]) -> [Reason]? {
        var reasons: [Int: [Reason]] = [start: []]
        var queue = [start]
        var place = 0
        while place < queue.count {
            let number = queue[place]
            place += 1
            for edge in following[number] where isLeft[edge.number] {
                let path = (reasons[number] ?? []) + [edge.reason]
                if edge.number == start { return path }
                if reasons[edge.number] == nil {
                    reasons[edge.number] = path
                    queue.append(edge.number)
                }
            }
        }
        return nil
    }
}
