@testable import ChangeLog

/// All sets of statements that anybody could craft over four people, after an honest beginning: the founder opens an invite for two
/// and lets somebody in by it. Whoever was introduced in a statement's past may write anything there that has a meaning by names.
///
/// Each person has one device and one invite, of the same number.
struct EverySet {
    private struct Act: Hashable {
        let author: Int
        let kind: Kind
        let past: [Int]
    }

    private enum Kind: Hashable {
        case found, open
        case close(Int)
        case admit(Int)
        case remove(Int)
    }

    private static let peopleMax = 4
    private var acts: [Act] = []
    private var numbers: [Act: Int] = [:]
    /// Of each person, whose invite they came by, and as which of those who did.
    private var people: [(parent: Int?, ordinal: Int)] = [(nil, 0), (0, 0)]

    /// Calls for each set of so many statements.
    mutating func forEach(ofSize size: Int, _ body: (SmallGraph) -> Void) {
        let beginning = [
            Act(author: 0, kind: .found, past: []), Act(author: 0, kind: .open, past: [0]),
            Act(author: 0, kind: .admit(1), past: [0, 1]),
        ]
        var level: Set<[Int]> = [beginning.map { number($0) }]
        for _ in 0..<size {
            var next: Set<[Int]> = []
            for held in level {
                for more in following(held) where !held.contains(more) { next.insert((held + [more]).sorted()) }
            }
            level = next
        }
        for held in level { body(graph(of: held)) }
    }

    private mutating func number(_ act: Act) -> Int {
        if let number = numbers[act] { return number }
        numbers[act] = acts.count
        acts.append(act)
        return acts.count - 1
    }

    private func introduced(_ held: [Int]) -> [Int] {
        var all: Set<Int> = []
        for act in held {
            switch acts[act].kind {
            case .found: all.insert(0)
            case .admit(let person): all.insert(person)
            default: break
            }
        }
        return all.sorted()
    }

    private func isAbove(_ elder: Int, _ person: Int) -> Bool {
        people[person].parent.map { $0 == elder || isAbove(elder, $0) } ?? false
    }

    /// The statements that may come next, whether they are held or not.
    private mutating func following(_ held: [Int]) -> [Int] {
        var pasts = [[0]]
        for act in held.dropFirst() {
            pasts += pasts.filter { Set($0).isSuperset(of: acts[act].past) }.map { $0 + [act] }
        }
        var following: [Int] = []
        let all = introduced(held)
        for past in pasts {
            for author in introduced(past) {
                for kind in kinds(author, past, all) {
                    following.append(number(Act(author: author, kind: kind, past: past)))
                }
            }
        }
        return following
    }

    private mutating func kinds(_ author: Int, _ past: [Int], _ all: [Int]) -> [Kind] {
        let opened = Set(past.filter { acts[$0].kind == .open }.map { acts[$0].author })
        var kinds: [Kind] = author == 0 ? [] : [.open]
        for person in all {
            if let parent = people[person].parent, opened.contains(parent) { kinds.append(.admit(person)) }
            if person == author || isAbove(author, person) { kinds.append(.remove(person)) }
        }
        for opener in opened.sorted() {
            if author == opener || isAbove(author, opener) { kinds.append(.close(opener)) }
            guard all.count < Self.peopleMax else { continue }
            kinds.append(.admit(newcomer(by: opener, as: all.count { people[$0].parent == opener })))
        }
        return kinds
    }

    private mutating func newcomer(by opener: Int, as ordinal: Int) -> Int {
        if let person = people.firstIndex(where: { $0.parent == opener && $0.ordinal == ordinal }) { return person }
        people.append((opener, ordinal))
        return people.count - 1
    }

    private func graph(of held: [Int]) -> SmallGraph {
        let some = introduced(held)
        func new(_ person: Int) -> Int { some.firstIndex(of: person) ?? -1 }
        var graph = SmallGraph()
        graph.names.persons = some.map {
            RosterNames.Person(parent: people[$0].parent.map(new), invite: people[$0].parent.map(new))
        }
        graph.names.devices = some.indices.map { RosterNames.Device(person: $0, isFirst: true) }
        graph.names.openers = Array(some.indices)
        graph.changes = held.map { number in
            let act = acts[number]
            let past = act.past.reduce(UInt64(0)) { $0 | 1 << UInt64(held.firstIndex(of: $1) ?? 63) }
            let author = new(act.author)
            let kind: RosterStatement.Kind =
                switch act.kind {
                case .found: .found(device: 0)
                case .open: .open(invite: author, uses: act.author == 0 ? 2 : 1)
                case .close(let opener): .close(invite: new(opener))
                case .admit(let person): .admit(device: new(person))
                case .remove(let person): .remove(person: new(person))
                }
            return SmallGraph.SmallChange(device: author, past: past, kind: kind)
        }
        return graph
    }
}
