@testable import ChangeLog

/// Few changes, with their pasts as bits.
struct SmallGraph: CausalOrder {
    struct SmallChange {
        let device: Int
        let past: UInt64
        let kind: RosterStatement.Kind?
    }

    var names = RosterNames()
    var changes: [SmallChange] = []

    func hasSeen(_ place: Int, by later: Int) -> Bool {
        place == later || changes[later].past >> UInt64(place) & 1 == 1
    }

    var statements: [RosterStatement] {
        changes.enumerated().compactMap { place, change in
            change.kind.map { RosterStatement(place: place, author: change.device, kind: $0) }
        }
    }

    /// The same changes, in another order of arrival in which each follows its past.
    func arriving(in order: [Int]) -> SmallGraph {
        var new = Array(repeating: 0, count: changes.count)
        for (place, old) in order.enumerated() { new[old] = place }
        var graph = SmallGraph(names: names)
        graph.changes = order.map { old in
            let change = changes[old]
            var past: UInt64 = 0
            for place in changes.indices where change.past >> UInt64(place) & 1 == 1 { past |= 1 << UInt64(new[place]) }
            var kind = change.kind
            if case .end(let device, let last?) = kind { kind = .end(device: device, last: new[last]) }
            return SmallChange(device: change.device, past: past, kind: kind)
        }
        return graph
    }
}

/// Documentation/Rules.md, section 4, sentence by sentence, with no thought of speed and nothing of `Roster`.
struct NaiveRoster {
    let graph: SmallGraph
    private(set) var settled: Set<Int> = []
    private let isAnythingCut: Bool

    init(_ graph: SmallGraph, isAnythingCut: Bool = true) {
        self.graph = graph
        self.isAnythingCut = isAnythingCut
        while let person = graph.names.persons.indices.first(where: { !settled.contains($0) && isToSettle($0) }) {
            settled.insert(person)
        }
    }

    private func person(_ place: Int) -> Int { graph.names.devices[graph.changes[place].device].person }

    private func isPast(_ place: Int, of later: Int) -> Bool { place != later && graph.hasSeen(place, by: later) }

    private func isAbove(_ elder: Int, _ person: Int) -> Bool {
        guard let parent = graph.names.persons[person].parent else { return false }
        return parent == elder || isAbove(elder, parent)
    }

    // MARK: - Cut, and count

    func counts(_ place: Int) -> Bool {
        settled.contains(person(place)) && belongs(graph.changes[place].device) && !isCut(place)
    }

    /// - Parameter asked: further devices of which it is asked already: what two say of each other alone says nothing.
    private func belongs(_ device: Int, asked: Set<Int> = []) -> Bool {
        guard !graph.names.devices[device].isFirst, !asked.contains(device) else { return !asked.contains(device) }
        return graph.changes.indices.contains { place in
            guard case .admit(device) = graph.changes[place].kind else { return false }
            return person(place) == graph.names.devices[device].person
                && belongs(graph.changes[place].device, asked: asked.union([device])) && !isCutByRemoval(place)
                && !isCutByEnd(place)
        }
    }

    private func isCut(_ place: Int) -> Bool { isCutByRemoval(place) || isCutByEnd(place) || isCutByFarewell(place) }

    private func isCutByRemoval(_ place: Int) -> Bool {
        isAnythingCut
            && (removals(of: person(place)) + (host(of: person(place)).map { removals(of: $0) } ?? []))
                .contains { !isPast(place, of: $0) }
    }

    private func host(of person: Int) -> Int? {
        graph.names.persons[person].isGuest ? graph.names.persons[person].parent : nil
    }

    func removals(of removed: Int) -> [Int] {
        graph.changes.indices.filter { place in
            guard case .remove(removed) = graph.changes[place].kind else { return false }
            return isAbove(person(place), removed) && counts(place)
        }
    }

    private func isCutByEnd(_ place: Int) -> Bool {
        isAnythingCut
            && graph.changes.indices.contains { end in
                guard case .end(let device, let last) = graph.changes[end].kind, device == graph.changes[place].device,
                    !isCutByRemoval(end)
                else { return false }
                return !(last.map { graph.hasSeen(place, by: $0) } ?? false)
            }
    }

    private func isCutByFarewell(_ place: Int) -> Bool {
        guard isAnythingCut else { return false }
        if case .end = graph.changes[place].kind { return false }
        return farewells(of: person(place)).contains { isPast($0, of: place) }
            || host(of: person(place)).map { farewells(of: $0).contains { isPast($0, of: place) } } ?? false
    }

    /// Whether an earlier one cuts a farewell makes no difference: that one counts.
    func farewells(of leaver: Int) -> [Int] {
        graph.changes.indices.filter { place in
            guard case .remove(leaver) = graph.changes[place].kind, person(place) == leaver, settled.contains(leaver)
            else { return false }
            return belongs(graph.changes[place].device) && !isCutByRemoval(place) && !isCutByEnd(place)
        }
    }

    // MARK: - Settled

    private func admissions(of admitted: Int) -> [Int] {
        graph.changes.indices.filter { place in
            guard case .admit(let device) = graph.changes[place].kind else { return false }
            return graph.names.devices[device].person == admitted && graph.names.devices[device].isFirst
        }
    }

    private func isToSettle(_ someone: Int) -> Bool {
        guard let parent = graph.names.persons[someone].parent else { return true }
        return settled.contains(parent) && admissions(of: someone).contains { lets(in: someone, by: $0) }
    }

    private func lets(in admitted: Int, by place: Int) -> Bool {
        guard counts(place) else { return false }
        if graph.names.persons[admitted].isGuest || isAbove(person(place), admitted) { return true }
        return openings(of: admitted, before: place).contains { counts($0) && isOpen($0, for: admitted, before: place) }
            || admissions(of: admitted).contains { earlier in
                isPast(earlier, of: place) && isAbove(person(place), person(earlier))
                    && openings(of: admitted, before: earlier).contains { isOpen($0, for: admitted, before: earlier) }
            }
    }

    private func openings(of admitted: Int, before place: Int) -> [Int] {
        graph.changes.indices.filter { opening in
            guard case .open(let invite, _) = graph.changes[opening].kind else { return false }
            return invite == graph.names.persons[admitted].invite && isPast(opening, of: place)
        }
    }

    private func isOpen(_ opening: Int, for admitted: Int, before place: Int) -> Bool {
        guard case .open(let invite, let uses) = graph.changes[opening].kind else { return false }
        let opener = graph.names.openers[invite]
        var came: Set<Int> = []
        for other in graph.changes.indices where isPast(other, of: place) {
            let isByOpenerOrAbove = person(other) == opener || isAbove(person(other), opener)
            switch graph.changes[other].kind {
            case .close(invite) where isByOpenerOrAbove: return false
            case .remove(let removed) where !isPast(other, of: opening):
                if removed == person(other) ? removed == opener : isByOpenerOrAbove && isAbove(person(other), removed) {
                    return false
                }
            case .admit(let device) where graph.names.devices[device].isFirst:
                let someone = graph.names.devices[device].person
                if graph.names.persons[someone].invite == invite { came.insert(someone) }
            default: break
            }
        }
        came.remove(admitted)
        return came.count < uses
    }

    // MARK: - Standing

    var standings: [Roster.Standing] {
        let lifted = isAnythingCut ? NaiveRoster(graph, isAnythingCut: false) : self
        return graph.names.persons.indices.map { standing(of: $0, lifted) }
    }

    private func standing(of someone: Int, _ lifted: NaiveRoster) -> Roster.Standing {
        if !removals(of: someone).isEmpty { return .removed }
        if let host = host(of: someone) {
            let hosts = standing(of: host, lifted)
            if hosts != .isIn { return hosts }
        }
        if settled.contains(someone) { return farewells(of: someone).isEmpty ? .isIn : .left }
        return lifted.settled.contains(someone) ? .waits : .neverIn
    }
}
