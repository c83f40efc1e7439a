/// Which events know of which operations: for sure, for sure not, or nobody can tell. Each fact has its reason, so that two that
/// contradict each other are a proof.
///
/// Knowledge is taken to be causal: it only grows within a process, and who knows of an operation knows all that its author knew.
struct Visibility {
    struct Fact: Hashable {
        let event: Int
        let operation: Int
        let isVisible: Bool
    }

    struct Reason {
        /// Nil for what follows from causality alone.
        let law: Law?
        let text: String
        let premises: [Fact]
    }

    let entries: [RecordedHistory.Entry]
    /// The places of operations and of readings in the history.
    let operations: [Int]
    let readings: [Int]
    private var next: [Int?]
    private var previous: [Int?]
    private var visible: [EventSet]
    private var hidden: [EventSet]
    /// Of each operation, the events that know of it.
    private var knowers: [EventSet]
    private var reasons: [Fact: Reason] = [:]
    private var pending: [Fact] = []
    private var hasNews = false

    init(_ entries: [RecordedHistory.Entry]) {
        self.entries = entries
        operations = entries.indices.filter { if case .did = entries[$0].event { true } else { false } }
        readings = entries.indices.filter { if case .read = entries[$0].event { true } else { false } }
        next = Array(repeating: nil, count: entries.count)
        previous = next
        var last: [String: Int] = [:]
        for (place, entry) in entries.enumerated() {
            if let before = last[entry.process] { (previous[place], next[before]) = (before, place) }
            last[entry.process] = place
        }
        visible = Array(repeating: EventSet(), count: entries.count)
        hidden = visible
        knowers = visible
    }

    func operation(_ place: Int) -> Operation? {
        if case .did(let operation) = entries[place].event { operation } else { nil }
    }

    func reading(_ place: Int) -> Reading? {
        if case .read(let reading, _) = entries[place].event { reading } else { nil }
    }

    func isVisible(_ operation: Int, at event: Int) -> Bool { visible[event].contains(operation) }
    func isHidden(_ operation: Int, at event: Int) -> Bool { hidden[event].contains(operation) }

    func fact(_ operation: Int, at event: Int) -> Fact {
        Fact(event: event, operation: operation, isVisible: isVisible(operation, at: event))
    }

    /// The reading before another one of its process.
    func earlierReading(_ place: Int) -> Reading? {
        var before = previous[place]
        while let event = before {
            if let reading = reading(event) { return reading }
            before = previous[event]
        }
        return nil
    }

    /// Whether anything was learned since this was asked last.
    mutating func takeProgress() -> Bool {
        defer { hasNews = false }
        return hasNews
    }

    // MARK: - Facts

    /// What is known before anything is read: one's own acts, not those to come; at the end, all.
    mutating func begin() throws(Anomaly) {
        for place in entries.indices {
            if case .read(_, isFinal: true) = entries[place].event {
                for operation in operations {
                    try learn(
                        operation, at: place, true, "\(name(place)) comes after everybody has heard of everything")
                }
            }
            guard operation(place) != nil else { continue }
            try learn(place, at: place, false, "")
            if let after = next[place] { try learn(place, at: after, true, "") }
        }
        try spread()
    }

    mutating func learn(
        _ operation: Int, at event: Int, _ isVisible: Bool, law: Law? = nil, _ text: String,
        because premises: [Fact] = []
    ) throws(Anomaly) {
        let fact = Fact(event: event, operation: operation, isVisible: isVisible)
        if isVisible ? visible[event].contains(operation) : hidden[event].contains(operation) { return }
        reasons[fact] = Reason(law: law, text: text, premises: premises)
        let opposite = Fact(event: event, operation: operation, isVisible: !isVisible)
        if reasons[opposite] != nil { throw contradiction([fact, opposite]) }
        if isVisible {
            visible[event].insert(operation)
            knowers[operation].insert(event)
        } else {
            hidden[event].insert(operation)
        }
        hasNews = true
        pending.append(fact)
    }

    /// Draws all conclusions from causality.
    mutating func spread() throws(Anomaly) {
        var place = 0
        while place < pending.count {
            let fact = pending[place]
            place += 1
            if fact.isVisible { try spreadVisible(fact) } else { try spreadHidden(fact) }
        }
        pending = []
    }

    private mutating func spreadVisible(_ fact: Fact) throws(Anomaly) {
        let (event, known) = (fact.event, fact.operation)
        if let after = next[event] { try learn(known, at: after, true, "", because: [fact]) }
        for older in visible[known] {
            let past = Fact(event: known, operation: older, isVisible: true)
            try learn(older, at: event, true, "", because: [fact, past])
        }
        for absent in hidden[event] where !hidden[known].contains(absent) {
            let lacking = Fact(event: event, operation: absent, isVisible: false)
            try learn(absent, at: known, false, "", because: [fact, lacking])
        }
        guard operation(event) != nil else { return }
        try learn(event, at: known, false, "", because: [fact])
        for later in knowers[event] {
            let knows = Fact(event: later, operation: event, isVisible: true)
            try learn(known, at: later, true, "", because: [knows, fact])
        }
        // Who lacks what an operation's author knew lacks the operation.
        for other in entries.indices where hidden[other].contains(known) && other != event {
            let lacks = Fact(event: other, operation: known, isVisible: false)
            try learn(event, at: other, false, "", because: [fact, lacks])
        }
    }

    private mutating func spreadHidden(_ fact: Fact) throws(Anomaly) {
        let (event, unknown) = (fact.event, fact.operation)
        if let before = previous[event] { try learn(unknown, at: before, false, "", because: [fact]) }
        for known in visible[event] {
            let knows = Fact(event: event, operation: known, isVisible: true)
            try learn(unknown, at: known, false, "", because: [fact, knows])
        }
        for later in knowers[unknown] where later != event && operation(later) != nil {
            let knew = Fact(event: later, operation: unknown, isVisible: true)
            try learn(later, at: event, false, "", because: [fact, knew])
        }
    }

    // MARK: - Findings

    /// "3 ann: add tent".
    func name(_ place: Int) -> String {
        let entry = entries[place]
        return switch entry.event {
        case .did(let operation): "\(place + 1) \(entry.process): \(operation)"
        case .read(let reading, _): "\(place + 1) \(entry.process) reads \(reading)"
        }
    }

    /// The anomaly that facts are which cannot be together: what was concluded from what was read, the nearest reason first.
    private func contradiction(_ facts: [Fact]) -> Anomaly {
        let proof = proof(of: facts)
        let law = proof.compactMap { $0.law }.first ?? .nothingInvented
        let (event, known) = (facts[0].event, facts[0].operation)
        return anomaly(law, "“\(name(event))” both must and cannot know of “\(name(known))”", proof)
    }

    /// An anomaly that a reading is by itself, with what is known of it.
    func anomaly(_ law: Law, _ finding: String, because facts: [Fact], also words: [String] = []) -> Anomaly {
        anomaly(law, finding, proof(of: facts), words)
    }

    private func anomaly(_ law: Law, _ finding: String, _ proof: [Reason], _ words: [String] = []) -> Anomaly {
        var lines: [String] = []
        for text in proof.map({ $0.text }) + words where !text.isEmpty && !lines.contains(text) { lines.append(text) }
        return Anomaly(law: law, finding: finding, witness: lines)
    }

    /// All reasons of some facts, in breadth.
    private func proof(of facts: [Fact]) -> [Reason] {
        var (queue, seen) = (facts, Set(facts))
        var (found, place): ([Reason], Int) = ([], 0)
        while place < queue.count {
            if let reason = reasons[queue[place]] {
                found.append(reason)
                for premise in reason.premises where seen.insert(premise).inserted { queue.append(premise) }
            }
            place += 1
        }
        return found
    }

    /// Final readings must be equal; so must be those of which it is certain that they know the same.
    func compareReads() throws(Anomaly) {
        for (index, one) in readings.enumerated() {
            for other in readings.dropFirst(index + 1) where reading(one) != reading(other) {
                guard visible[one] == visible[other], isCertain(one), isCertain(other) else { continue }
                throw anomaly(
                    .convergence, "“\(name(one))” and “\(name(other))” know the same",
                    because: visible[one].flatMap { [fact($0, at: one), fact($0, at: other)] })
            }
        }
    }

    private func isCertain(_ event: Int) -> Bool {
        operations.allSatisfy { visible[event].contains($0) || hidden[event].contains($0) }
    }
}
