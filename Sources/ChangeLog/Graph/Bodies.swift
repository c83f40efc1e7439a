/// Which changes' bodies are needed, and which are absent (Documentation/Protocol.md, section 5).
struct Bodies: Sendable {
    /// The changes that are here without their bodies, by place.
    private(set) var absent: Set<Int> = []
    /// Of what does not count, the changes that one that counts names as its subjects.
    private(set) var upheld: Set<Int> = []
    /// The changes whose bodies are needed and absent.
    private(set) var lacking: Set<Int> = []

    /// Takes in the change that comes next.
    mutating func add(_ place: Int, isWhole: Bool) { if !isWhole { absent.insert(place) } }

    /// Takes in that a change counts. O(its subjects).
    /// - Returns: what it upholds that nothing upheld before.
    mutating func count(_ place: Int, in graph: ChangeGraph, counts: (Int) -> Bool) -> [Int] {
        if absent.contains(place) { lacking.insert(place) }
        var added: [Int] = []
        for subject in graph[place].change.subjects {
            guard let subject = graph.place(of: subject), !counts(subject), upheld.insert(subject).inserted else {
                continue
            }
            if absent.contains(subject) { lacking.insert(subject) }
            added.append(subject)
        }
        return added
    }

    /// Derives what is needed from the whole. O(changes and their subjects).
    mutating func derive(in graph: ChangeGraph, counts: (Int) -> Bool) {
        upheld = []
        for place in graph.changes.indices where !graph[place].change.subjects.isEmpty && counts(place) {
            for subject in graph[place].change.subjects {
                if let subject = graph.place(of: subject), !counts(subject) { upheld.insert(subject) }
            }
        }
        lacking = absent.filter { upheld.contains($0) || counts($0) }
    }

    /// Takes in that a body has come.
    mutating func fill(_ place: Int) {
        absent.remove(place)
        lacking.remove(place)
    }

    /// Takes in that bodies have gone that nothing needs.
    mutating func drop(_ places: [Int]) { absent.formUnion(places) }
}
