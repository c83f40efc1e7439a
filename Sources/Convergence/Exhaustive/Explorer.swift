/// Tries every run of a scope, the shortest first.
///
/// Runs that only differ in the order of independent steps are one (Mazurkiewicz traces): what a replica is follows from what it
/// itself did and heard, so a state is the replicas' own histories and the messages under way, and is looked at once.
struct Explorer<Subject: ReplicatedType> {
    private enum Move {
        case act(Int, Int, Plan<Subject.Action>.Interruption?)
        /// Sends, and it arrives at once.
        case sync(from: Int, to: Int)
        /// Sends, and it arrives later, twice or never.
        case hold(from: Int, to: Int)
        /// One that was held arrives.
        case release(Int)
        case restart(Int)
    }

    /// Something that happened at one replica after what had happened there; equal ones have one number.
    private struct Local: Hashable {
        let before: Int
        let kind: Int
        let detail: Int
    }

    private struct Held {
        let step: Int
        let arrival: Run<Subject>.Arrival
        let message: Int
        var times: [Int] = []
    }

    private struct Node {
        var run: Run<Subject>
        var locals: [Int]
        var held: [Held] = []
        var path: [Move] = []
        var operations = 0
        var messages = 0
        var lateMessages = 0
        var crashes = 0
        /// Replicas with a smaller number did, sent or heard something.
        var usedCount = 0
    }

    private struct Key: Hashable {
        let locals: [Int]
        let held: [Int]
        let counts: [Int]
    }

    private let simulator: Simulator<Subject>
    private let actions: [Subject.Action]
    private let isInterrupted: () -> Bool
    private(set) var exploration: Exploration<Subject>
    private var seen: Set<Key> = []
    private var names: [Local: Int] = [:]

    /// Time between two steps, so that all replies to one arrive before the next.
    private static var pause: Int { 16 }

    init(
        _ simulator: Simulator<Subject>, _ scope: Scope, _ actions: [Subject.Action],
        isInterrupted: @escaping () -> Bool
    ) {
        self.simulator = simulator
        self.actions = actions
        self.isInterrupted = isInterrupted
        exploration = Exploration(scope: scope, actions: actions.map { $0.description })
    }

    private var scope: Scope { exploration.scope }

    /// Steps that a run can have at most.
    private var stepsMax: Int { scope.operations + scope.messages + scope.lateMessages * 2 + scope.crashes }

    mutating func explore() {
        for length in 1...stepsMax {
            seen = []
            let run = simulator.start(Plan(replicaCount: scope.replicas, steps: []), isTracing: false)
            let root = Node(run: run, locals: (0..<scope.replicas).map { -1 - $0 })
            if !visit(root, length) { return }
        }
    }

    /// False where the search ends.
    private mutating func visit(_ node: Node, _ length: Int) -> Bool {
        if node.path.count == length { return finish(node) }
        for move in moves(node) {
            var next = node
            do throws(Violation) {
                guard try carryOut(move, on: &next), note(next) else { continue }
            } catch {
                next.path.append(move)
                return fail(next)
            }
            if !visit(next, length) { return false }
        }
        return true
    }

    private mutating func note(_ node: Node) -> Bool {
        let key = Key(
            locals: node.locals, held: node.held.flatMap { [$0.message, $0.times.count] }.sorted(),
            counts: [node.operations, node.messages, node.lateMessages, node.crashes])
        guard seen.insert(key).inserted else { return false }
        exploration.stateCount += 1
        return true
    }

    /// Ends a run, and heals it.
    private mutating func finish(_ node: Node) -> Bool {
        guard exploration.stateCount <= scope.statesMax, !isInterrupted() else {
            exploration.isComplete = false
            return false
        }
        exploration.runCount += 1
        var node = node
        node.run.plan = plan(node)
        guard !node.run.plan.participants.isEmpty else { return true }
        do throws(Violation) {
            try node.run.heal()
            return true
        } catch {
            return fail(node)
        }
    }

    /// Runs a plan that broke a law again, for its trace.
    private mutating func fail(_ node: Node) -> Bool {
        let plan = plan(node)
        exploration.plan = plan
        exploration.outcome = simulator.run(plan, isTracing: true)
        return false
    }

    // MARK: - Moves

    private func moves(_ node: Node) -> [Move] {
        // Of those that did nothing yet, one stands for all.
        let replicas = 0..<(scope.isSymmetric ? min(scope.replicas, node.usedCount + 1) : scope.replicas)
        var moves: [Move] = []
        if node.operations < scope.operations {
            for replica in replicas {
                for action in actions.indices {
                    moves.append(.act(replica, action, nil))
                    guard node.crashes < scope.crashes else { continue }
                    for interruption in [Plan<Subject.Action>.Interruption.lost, .torn, .unacknowledged] {
                        moves.append(.act(replica, action, interruption))
                    }
                }
            }
        }
        for index in node.held.indices where node.held[index].times.count < 2 { moves.append(.release(index)) }
        for from in replicas {
            if node.crashes < scope.crashes, from < node.usedCount { moves.append(.restart(from)) }
            guard node.messages < scope.messages, from < node.usedCount else { continue }
            for to in replicas where to != from {
                moves.append(.sync(from: from, to: to))
                if node.lateMessages < scope.lateMessages { moves.append(.hold(from: from, to: to)) }
            }
        }
        return moves
    }

    /// False where nothing happens.
    private mutating func carryOut(_ move: Move, on node: inout Node) throws(Violation) -> Bool {
        let time = (node.path.count + 1) * Self.pause
        node.run.time = time
        switch move {
        case .act(let replica, let action, let interruption):
            node.operations += 1
            if interruption != nil { node.crashes += 1 }
            use(replica, &node)
            let kind = interruption.map { 1 + ($0 == .lost ? 0 : $0 == .torn ? 1 : 2) } ?? 0
            happen(at: replica, kind, action, &node)
            try node.run.act(replica, actions[action], interruption)
        case .sync(let from, let to):
            node.messages += 1
            guard let arrival = node.run.arrival(from: from, to: to) else { return false }
            happen(at: from, 4, to, &node)
            let message = node.locals[from]
            use(to, &node)
            happen(at: to, 5, message, &node)
            try node.run.take(arrival, at: time + 1)
            reply(from, to, &node)
        case .hold(let from, let to):
            (node.messages, node.lateMessages) = (node.messages + 1, node.lateMessages + 1)
            guard let arrival = node.run.arrival(from: from, to: to) else { return false }
            happen(at: from, 4, to, &node)
            node.held.append(Held(step: node.path.count, arrival: arrival, message: node.locals[from]))
        case .release(let index):
            let held = node.held[index]
            node.held[index].times.append(time)
            use(held.arrival.to, &node)
            happen(at: held.arrival.to, 5, held.message, &node)
            try node.run.take(held.arrival, at: time)
            reply(held.arrival.from, held.arrival.to, &node)
        case .restart(let replica):
            node.crashes += 1
            happen(at: replica, 6, 0, &node)
            try node.run.crash(replica, keeping: 0, isTorn: false)
            node.run.time = time + 1
            try node.run.restart(replica)
        }
        node.path.append(move)
        return true
    }

    private func use(_ replica: Int, _ node: inout Node) { node.usedCount = max(node.usedCount, replica + 1) }

    private mutating func happen(at replica: Int, _ kind: Int, _ detail: Int, _ node: inout Node) {
        let local = Local(before: node.locals[replica], kind: kind, detail: detail)
        let name = names[local] ?? names.count
        names[local] = name
        node.locals[replica] = name
    }

    /// The sender may have heard an answer, and the other one more: what follows from what both were.
    private mutating func reply(_ from: Int, _ to: Int, _ node: inout Node) {
        if node.run.repliedCount > 0 { happen(at: from, 7, node.locals[to], &node) }
        if node.run.repliedCount > 1 { happen(at: to, 8, node.locals[from], &node) }
    }

    /// The path as a plan that any simulator runs.
    private func plan(_ node: Node) -> Plan<Subject.Action> {
        var steps: [Plan<Subject.Action>.Step] = []
        func add(_ event: Plan<Subject.Action>.Event, at time: Int) {
            steps.append(.init(number: time, time: time, event: event))
        }
        for (index, move) in node.path.enumerated() {
            let time = (index + 1) * Self.pause
            switch move {
            case .act(let replica, let action, let interruption):
                add(.act(replica: replica, actions[action], interruption), at: time)
            case .sync(let from, let to): add(.send(from: from, to: to, .good), at: time)
            case .hold(let from, let to):
                let times = node.held.first { $0.step == index }?.times ?? []
                add(.send(from: from, to: to, .init(request: times.map { $0 - time }, reply: [1])), at: time)
            case .release: break
            case .restart(let replica):
                add(.crash(replica: replica, keeping: 0), at: time)
                add(.restart(replica: replica), at: time + 1)
            }
        }
        return Plan(replicaCount: scope.replicas, steps: steps)
    }
}

extension Simulator {
    /// Tries every run of a scope, the shortest first, with clocks that run and with clocks that stand still, and ends with the first
    /// that breaks a law. What people can do in them is ``ReplicatedType/scopeActions``.
    public func explore(_ scope: Scope = Scope(), isInterrupted: @escaping () -> Bool = { false }) -> Exploration<
        Subject
    > {
        var whole: Exploration<Subject>?
        for isClockStanding in [false, true] {
            var simulator = self
            simulator.isClockStanding = isClockStanding
            var explorer = Explorer<Subject>(simulator, scope, Subject.scopeActions, isInterrupted: isInterrupted)
            explorer.explore()
            var found = explorer.exploration
            if let whole {
                found.stateCount += whole.stateCount
                found.runCount += whole.runCount
                found.isComplete = found.isComplete && whole.isComplete
            }
            whole = found
            if found.outcome != nil { break }
        }
        return whole ?? Exploration(scope: scope, actions: [])
    }
}

extension ReplicatedType {
    /// The first three different ones that are drawn.
    public static var scopeActions: [Action] {
        var generator = SeededGenerator(seed: 0)
        var actions: [Action] = []
        for _ in 0..<100 where actions.count < 3 {
            let action = randomAction(using: &generator)
            if !actions.contains(where: { $0.description == action.description }) { actions.append(action) }
        }
        return actions
    }
}
