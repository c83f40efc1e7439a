// Compiled together with the sources of DeltaCRDT by Scripts/fuzz.

/// Names that an envelope would give.
private let known = [ReplicaID(high: 1, low: 1), ReplicaID(high: 2, low: 2)]

/// How many states were read.
nonisolated(unsafe) var statesRead = 0

/// Reads what may be one or two states, writes them again, does with them all that a peer could bring about, and acts on them in
/// the names of replicas of which a peer may have told anything.
private func tryOut<State: DeltaState & CanonicalCodable>(
    _ type: State.Type, _ bytes: [UInt8], _ more: (State, State) -> Void = { _, _ in },
    act: (inout State, ReplicaID) -> State
) {
    // The first byte says how long the first of two states is.
    let cut = min(bytes.count, 1 + Int(bytes.first ?? 0))
    let halves = [Array(bytes[min(1, bytes.count)..<cut]), Array(bytes[cut...])]
    var states: [State] = []
    for half in halves {
        guard let state = try? State(decoding: half, knownReplicas: known) else { continue }
        guard state.encoded(knownReplicas: known) == half else { fatalError("accepted in another form") }
        states.append(state)
        statesRead += 1
    }
    guard let first = states.first, let last = states.last else { return }
    // A few bytes can tell of 65,536 empty texts. One in eight of such inputs is enough.
    if bytes.count & 7 != 0, isLarge(first) || isLarge(last) { return }
    var joined = first
    joined.merge(last)
    var told = first
    told.merge(last) { _ in }
    let delta = first.delta(for: last)
    var caughtUp = last
    caughtUp.merge(delta)
    guard told == joined else { fatalError("telling changes what is done") }
    guard (try? State(decoding: joined.encoded())) == joined else { fatalError("a join cannot be read") }
    for part in first.decomposed().prefix(8) { caughtUp.merge(part) }
    more(first, last)
    for replica in known + [last.someReplica].compactMap({ $0 }) {
        for _ in 0..<2 {
            let before = joined
            let delta = act(&joined, replica)
            guard before.merging(delta) == joined else { fatalError("a delta is not the change") }
            guard (try? State(decoding: delta.encoded())) == delta else { fatalError("a delta cannot be read") }
        }
    }
    guard (try? State(decoding: joined.encoded())) == joined else { fatalError("what became of a join cannot be read") }
}

extension DeltaState {
    /// A replica of which this state tells, where it tells of events.
    fileprivate var someReplica: ReplicaID? {
        var last: ReplicaID?
        (self as? any SyncableState)?.context.forEachRange { replica, _ in last = replica }
        return last
    }
}

private struct Card: RecordSchema {
    var title = MVRegister<String>()
    var labels = AddWinsSet<String>()
    var estimate = CausalCounter()
    var steps = ORMap<UInt64, EnableWinsFlag>()

    static let fields: [RecordField<Card>] = [
        .init(1, \.title), .init(2, \.labels), .init(3, \.estimate), .init(4, \.steps),
    ]
}

private struct Place: EvolvingValue {
    var name = ""
    var price: Double?
    var tags: [String] = []

    static let fields: [EvolvingField<Place>] = [.init(1, \.name), .init(2, \.price), .init(3, \.tags)]
}

private func isLarge(_ state: some DeltaState) -> Bool {
    switch state {
    case let set as AddWinsSet<String>: set.causal.store.dotCount > 2048
    default: false
    }
}

private func tryCausal<State: SyncableState & CanonicalCodable>(
    _ type: State.Type, _ bytes: [UInt8], _ more: (State, State) -> Void = { _, _ in },
    act: (inout State, ReplicaID) -> State
) {
    let catchUp = { (first: State, last: State) in
        more(first, last)
        guard !isLarge(first), !isLarge(last) else { return }
        var caughtUp = first
        caughtUp.merge(last.delta(since: first.summary(within: nil)))
        caughtUp.merge(last.delta(since: first.context.versionVector))
        caughtUp.merge(last.delta(since: first.summary(within: last.context.versionVector)))
        var conflicts = CausalContext()
        caughtUp.merge(last, conflicts: &conflicts)
        guard conflicts.isSubset(of: first.context) else { fatalError("a conflict that is not known") }
        // An update notes all that is done.
        var updated = first
        let done = updated.update { _ = act(&$0, known[0]) }
        guard first.merging(done) == updated else { fatalError("an update is not the change") }
        guard first.merging(updated.delta(since: first.checkpoint)) == updated else { fatalError("a checkpoint lost") }
    }
    tryOut(type, bytes, catchUp, act: act)
}

/// Follows changes, which must lie in the text; where events were forged, they need not lead to the other version.
private func follow(_ changes: [SequenceChange<String>], of text: Text) {
    var bytes = Array(text.string.utf8)
    for change in changes {
        switch change {
        case .inserted(let part, let position): bytes.insert(contentsOf: Array(part.utf8), at: position)
        case .removed(let range): bytes.removeSubrange(range)
        }
    }
}

/// Follows changes, which must lead to the other version.
private func follow(from list: MovableList<String>, to other: MovableList<String>) {
    var elements = list.elements
    for change in list.changes(to: other) {
        switch change {
        case .removed(let range): elements.removeSubrange(range)
        case .replaced(let others, let position):
            elements.replaceSubrange(position..<position + others.count, with: others)
        case .moved(let from, let to): elements.insert(elements.remove(at: from), at: to)
        case .inserted(let others, let position): elements.insert(contentsOf: others, at: position)
        }
    }
    guard elements == other.elements else { fatalError("changes lead to another list") }
}

/// Follows changes, which must lead to the other version.
private func follow(from tree: Tree, to other: Tree) {
    var (hierarchy, parents, rest) = (tree.hierarchy, [Dot: Dot?](), [Dot?.none])
    while let parent = rest.popLast() {
        for node in hierarchy.children(of: parent) {
            parents.updateValue(parent, forKey: node)
            rest.append(node)
        }
    }
    for change in tree.changes(to: other) {
        switch change {
        case .added(let node, let parent): parents.updateValue(parent, forKey: node)
        case .moved(let node, _, let parent): parents.updateValue(parent, forKey: node)
        case .removed(let node): parents.removeValue(forKey: node)
        }
    }
    hierarchy = other.hierarchy
    guard parents.count == hierarchy.count, parents.allSatisfy({ hierarchy.parent(of: $0) == $1 }) else {
        fatalError("changes lead to another tree")
    }
}

/// Formats, removes, undoes and redoes by a stack; the first four bytes lie between scalars.
private func undo(in text: inout RichText, by replica: ReplicaID) -> RichText {
    var stack = UndoStack(by: replica)
    var delta = stack.mark(0..<4, "b", value: "y", in: &text)
    delta.merge(stack.unmark(0..<text.utf8Count, "b", in: &text))
    delta.merge(stack.remove(0..<4, in: &text))
    for _ in 0..<2 {
        while let part = stack.undo(in: &text) { delta.merge(part) }
        while let part = stack.redo(in: &text) { delta.merge(part) }
    }
    return delta
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 1 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
    // The greatest bytes are sequences, so that older inputs of the corpus stay what they were.
    switch start[0] >= 236 ? 20 + (start[0] - 236) % 6 : start[0] % 20 {
    case 0: tryOut(GCounter.self, bytes) { $0.add(3, by: $1) }
    case 1: tryOut(PNCounter.self, bytes) { $0.add(-3, by: $1) }
    case 2: tryOut(GSet<String>.self, bytes) { $0.insert("\($1.low)") }
    case 3: tryOut(VoteCounter<String, ReplicaID>.self, bytes) { $0.cast(.against, on: "hut", by: $1) }
    case 4: tryOut(LWWRegister<String>.self, bytes) { $0.set("hut", by: $1) ?? LWWRegister() }
    case 5: tryCausal(AddWinsSet<String>.self, bytes) { $0.insert("hut", by: $1) }
    case 6: tryCausal(AddWinsSet<UInt64>.self, bytes) { $0.formUnion([7, 8], by: $1) }
    case 7: tryCausal(RemoveWinsSet<String>.self, bytes) { $0.remove("hut", by: $1) }
    case 8: tryCausal(EnableWinsFlag.self, bytes) { $0.enable(by: $1) }
    case 9: tryCausal(DisableWinsFlag.self, bytes) { $0.disable(by: $1) }
    case 10: tryCausal(MVRegister<String>.self, bytes) { $0.set("hut", by: $1) }
    case 11: tryCausal(LWWMap<String, Int>.self, bytes) { $0.updateValue(7, forKey: "hut", by: $1) }
    case 12:
        tryCausal(ORMap<String, AddWinsSet<String>>.self, bytes) { map, replica in
            map.updateValue(forKey: "hut") { $0.insert("tent", by: replica) }
        }
    case 13:
        tryCausal(ORMap<UInt64, ORMap<Dot, MVRegister<Bool>>>.self, bytes) { map, replica in
            map.updateValue(forKey: 7) {
                $0.updateValue(forKey: Dot(replica: replica, counter: 1)) { $0.set(true, by: replica) }
            }
        }
    case 14:
        if let summary = try? StateSummary(decoding: bytes) {
            guard summary.encoded() == bytes else { fatalError("accepted in another form") }
            var set = AddWinsSet<UInt64>()
            for number in 0..<UInt64(8) { set.insert(number, by: known[Int(number % 2)]) }
            set.remove(3)
            set.merge(set.delta(since: summary))
            set.merge(set.answer(to: summary).delta)
        }
        if let question = try? RangeSummary(decoding: bytes) {
            guard question.encoded() == bytes else { fatalError("accepted in another form") }
            var set = AddWinsSet<UInt64>()
            for number in 0..<UInt64(8) { set.insert(number, by: known[Int(number % 2)]) }
            set.remove(3)
            set.merge(set.answer(to: question).delta)
        }
    case 15: tryCausal(CausalCounter.self, bytes) { $0.add(3, by: $1) }
    case 16:
        tryCausal(Record<Card>.self, bytes) { card, replica in
            card.update {
                $0.title.set("hut", by: replica)
                $0.labels.insert("tent", by: replica)
                $0.steps.updateValue(forKey: 7) { $0.enable(by: replica) }
            }
        }
    case 17:
        tryCausal(ORMap<String, Record<Card>>.self, bytes) { map, replica in
            map.updateValue(forKey: "hut") { $0.labels.remove("tent") }
                .merging(map.updateValue(forKey: "hut") { $0.estimate.add(-1, by: replica) })
        }
    case 18:
        tryCausal(MVRegister<Evolving<Place>>.self, bytes) { register, replica in
            var place = register.values.first ?? Evolving()
            place.name = "hut"
            return register.set(place, by: replica)
        }
    case 20:
        tryCausal(Text.self, bytes, { follow($0.changes(to: $1), of: $0) }) {
            $0.replace(0..<0, with: "hüt", by: $1)
        }
    case 21:
        tryCausal(List<String>.self, bytes, { _ = $0.changes(to: $1) }) { list, replica in
            let delta = list.insert("hut", at: list.count / 2, by: replica)
            return delta.merging(list.remove(at: 0))
        }
    case 22:
        tryCausal(MovableList<String>.self, bytes, { follow(from: $0, to: $1) }) { list, replica in
            let delta = list.insert(contentsOf: ["hut", "tent"], at: 0, by: replica)
            return delta.merging(list.move(from: list.count - 1, to: 0, by: replica))
        }
    case 23:
        tryCausal(Tree.self, bytes, { follow(from: $0, to: $1) }) { tree, replica in
            let top = tree.hierarchy.children(of: nil).last
            let (node, delta) = tree.insert(under: top, by: replica)
            return delta.merging(tree.move(top ?? node, under: node, by: replica))
        }
    case 24:
        var text = Text()
        text.insert("Lisbon in Jüne", at: 0, by: known[0])
        text.remove(2..<4)
        var session = SyncSession<Text>()
        let hello = session.message(for: text)
        guard hello != nil, (try? session.receive(bytes, into: &text)) != nil else { return 0 }
        while let message = session.message(for: text) {
            var (peer, other) = (SyncSession<Text>(), Text())
            guard (try? peer.receive(message, into: &other)) != nil else { fatalError("an answer can't be read") }
        }
    case 25:
        tryCausal(RichText.self, bytes, { _ = $0.changes(to: $1) }) { text, replica in
            let delta = text.insert("hüt", at: 0, by: replica)
                .merging(text.mark(0..<text.utf8Count, "b", value: "x", by: replica))
                .merging(text.unmark(0..<4, "b", expanding: .none, by: replica))
                .merging(undo(in: &text, by: replica))
            guard text.spans.count < 4096 else { fatalError("more spans than bytes") }
            return delta
        }
    default:
        if let summary = try? EntrySummary(decoding: bytes) {
            guard summary.encoded() == bytes else { fatalError("accepted in another form") }
            var counter = GCounter()
            for replica in known { counter.add(1, by: replica) }
            counter.merge(counter.delta(since: summary))
        }
        if let context = try? CausalContext(decoding: bytes) {
            guard context.encoded() == bytes else { fatalError("accepted in another form") }
            guard context.subtracting(context).isEmpty else { fatalError("something left of nothing") }
        }
    }
    return 0
}
