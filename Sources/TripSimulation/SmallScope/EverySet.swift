import ChangeLog
import Convergence
import DeltaCRDT

/// All sets of statements that anybody could craft over four people, after an honest beginning: the founder opens an invite for two
/// and admits somebody by it. Everybody who was introduced in a statement's past may write anything there that means something by names.
///
/// Each person has one device and one invite. People are named by their parent and a number, so that sets that differ by the names of
/// two siblings alone come once, or twice at most.
package struct EverySet {
    struct Act: Hashable {
        let author: UInt8
        let kind: Kind
        /// The person, or the opener of the invite.
        let subject: UInt8
        /// By number, ascending, with the past of each.
        let past: [UInt32]
    }

    enum Kind: UInt8 {
        case found, open, close, admit, remove
    }

    /// A statement that may come next to a set.
    struct Candidate {
        let author: Int
        let kind: Kind
        let subject: Int
        /// By the indices of the set.
        let past: UInt64
    }

    static let peopleMax = 4
    private(set) var acts: [Act] = []
    private var numbers: [Act: UInt32] = [:]
    /// Of each act what it is up to the names of siblings.
    private var weights: [UInt64] = []
    /// Of each person, whose invite they came by, and as which of those who did.
    private(set) var people: [(parent: Int?, ordinal: Int)] = [(nil, 0), (0, 0)]
    private var personWeights: [UInt64] = [1, 2]

    package init() {
        number(Act(author: 0, kind: .found, subject: 0, past: []))
        number(Act(author: 0, kind: .open, subject: 0, past: [0]))
        number(Act(author: 0, kind: .admit, subject: 1, past: [0, 1]))
    }

    /// The numbers of the beginning's acts.
    var beginning: [UInt32] { [0, 1, 2] }

    @discardableResult
    mutating func number(_ act: Act) -> UInt32 {
        if let number = numbers[act] { return number }
        let number = UInt32(acts.count)
        numbers[act] = number
        acts.append(act)
        weights.append(
            weight(Int(act.author), act.kind, Int(act.subject), act.past.reduce(0) { $0 &+ weights[Int($1)] }))
        return number
    }

    private func weight(_ author: Int, _ kind: Kind, _ subject: Int, _ past: UInt64) -> UInt64 {
        SplitMix64.mixed(
            SplitMix64.mixed(past &+ personWeights[author]) ^ personWeights[subject] &* 31 &+ UInt64(kind.rawValue))
    }

    // MARK: - One set

    /// A set as numbers of acts, ascending, each after its past.
    struct Held {
        let numbers: [UInt32]
        var pasts: [UInt64] = []
        /// The people that each act introduces.
        var introduces: [Int?] = []
        var opens: [Int?] = []
        /// Everybody, ascending.
        var people: [Int] = []
    }

    func held(_ numbers: [UInt32]) -> Held {
        var held = Held(numbers: numbers)
        for number in numbers {
            let act = acts[Int(number)]
            held.pasts.append(
                act.past.reduce(0) { $0 | 1 << UInt64(numbers.firstIndex(of: $1) ?? 63) })
            held.introduces.append(act.kind == .found || act.kind == .admit ? Int(act.subject) : nil)
            held.opens.append(act.kind == .open ? Int(act.subject) : nil)
        }
        held.people = Set(held.introduces.compactMap { $0 }).sorted()
        return held
    }

    private func isAbove(_ elder: Int, _ person: Int) -> Bool {
        people[person].parent.map { $0 == elder || isAbove(elder, $0) } ?? false
    }

    /// The statements that may come next, and are not held.
    mutating func following(_ held: Held) -> [Candidate] {
        var pasts: [UInt64] = [1]
        for index in held.numbers.indices.dropFirst() {
            pasts += pasts.filter { $0 & held.pasts[index] == held.pasts[index] }.map { $0 | 1 << UInt64(index) }
        }
        var following: [Candidate] = []
        for past in pasts {
            let indices = held.numbers.indices.filter { past >> UInt64($0) & 1 == 1 }
            let known = Set(indices.compactMap { held.introduces[$0] }).sorted()
            let opened = Set(indices.compactMap { held.opens[$0] }).sorted()
            for author in known {
                for (kind, subject) in says(author, known, opened, held.people)
                where !isHeld(author, kind, subject, past, held) {
                    following.append(Candidate(author: author, kind: kind, subject: subject, past: past))
                }
            }
        }
        return following
    }

    private func isHeld(_ author: Int, _ kind: Kind, _ subject: Int, _ past: UInt64, _ held: Held) -> Bool {
        held.numbers.indices.contains { index in
            let act = acts[Int(held.numbers[index])]
            return held.pasts[index] == past && act.kind == kind && Int(act.author) == author
                && Int(act.subject) == subject
        }
    }

    private mutating func says(
        _ author: Int, _ known: [Int], _ opened: [Int], _ all: [Int]
    ) -> [(Kind, Int)] {
        var says: [(Kind, Int)] = author == 0 ? [] : [(.open, author)]
        for person in all {
            if let parent = people[person].parent, opened.contains(parent) { says.append((.admit, person)) }
        }
        for person in known where person == author || isAbove(author, person) { says.append((.remove, person)) }
        for opener in opened {
            if author == opener || isAbove(author, opener) { says.append((.close, opener)) }
            guard all.count < Self.peopleMax else { continue }
            says.append((.admit, newcomer(by: opener, as: all.count { people[$0].parent == opener })))
        }
        return says
    }

    private mutating func newcomer(by opener: Int, as ordinal: Int) -> Int {
        if let person = people.firstIndex(where: { $0.parent == opener && $0.ordinal == ordinal }) { return person }
        people.append((opener, ordinal))
        personWeights.append(SplitMix64.mixed(personWeights[opener] &+ 7))
        return people.count - 1
    }

    /// A set with one more.
    mutating func adding(_ candidate: Candidate, to held: Held) -> [UInt32] {
        let past = held.numbers.indices.filter { candidate.past >> UInt64($0) & 1 == 1 }.map { held.numbers[$0] }
        let act = Act(
            author: UInt8(candidate.author), kind: candidate.kind, subject: UInt8(candidate.subject), past: past)
        return (held.numbers + [number(act)]).sorted()
    }

    /// Whether of all that nothing else in the set stands on, up to the names of siblings, this one comes last: so that a set, which
    /// can be reached by each of these, is looked at by one.
    func isLast(_ candidate: Candidate, of held: Held) -> Bool {
        var (past, under) = (UInt64(0), candidate.past)
        for index in held.numbers.indices {
            if candidate.past >> UInt64(index) & 1 == 1 { past = past &+ weights[Int(held.numbers[index])] }
            under |= held.pasts[index]
        }
        let own = weight(candidate.author, candidate.kind, candidate.subject, past)
        return held.numbers.indices.allSatisfy { under >> UInt64($0) & 1 == 1 || weights[Int(held.numbers[$0])] <= own }
    }

    // MARK: - As a graph

    /// A set as a graph, and the index that each person has there.
    func graph(of held: Held) -> (graph: SmallGraph, indices: [Int: Int]) {
        var graph = SmallGraph()
        var indices: [Int: Int] = [:]
        for person in held.people { introduce(person, in: &graph, &indices) }
        for index in held.numbers.indices {
            let act = acts[Int(held.numbers[index])]
            graph.changes.append(
                change(Int(act.author), act.kind, Int(act.subject), held.pasts[index], indices))
        }
        return (graph, indices)
    }

    func introduce(_ person: Int, in graph: inout SmallGraph, _ indices: inout [Int: Int]) {
        guard indices[person] == nil else { return }
        let index = indices.count
        indices[person] = index
        let parent = people[person].parent.flatMap { indices[$0] }
        graph.names.persons.append(RosterNames.Person(parent: parent, invite: parent))
        graph.names.devices.append(RosterNames.Device(person: index, isFirst: true))
        graph.names.openers.append(index)
    }

    func change(
        _ author: Int, _ kind: Kind, _ subject: Int, _ past: UInt64, _ indices: [Int: Int]
    ) -> SmallGraph.SmallChange {
        let (writer, other) = (indices[author] ?? 0, indices[subject] ?? 0)
        let says: RosterStatement.Kind =
            switch kind {
            case .found: .found(device: 0)
            case .open: .open(invite: other, uses: subject == 0 ? 2 : 1)
            case .close: .close(invite: other)
            case .admit: .admit(device: other)
            case .remove: .remove(person: other)
            }
        return SmallGraph.SmallChange(device: writer, past: past, kind: says)
    }
}
