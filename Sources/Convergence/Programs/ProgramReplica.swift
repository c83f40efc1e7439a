public import DeltaCRDT

/// A replica that a program plays, by lines of JSON: <doc:TestAProgram>.
public struct ProgramReplica: ReplicatedType {
    /// An action of a person. In a run, the data's type and the current view decide which one it is.
    public struct Action: Sendable, CustomStringConvertible {
        private let draw: UInt64
        fileprivate(set) var operation: Operation?

        fileprivate init(draw: UInt64) { self.draw = draw }

        fileprivate var generator: SeededGenerator { SeededGenerator(seed: draw) }

        public var description: String { operation?.description ?? "something" }
    }

    private let host: ProgramHost?
    private let replica: Int
    /// What the program said last that it shows.
    public private(set) var view: Reading
    /// What it said last must be saved.
    private var state: JSON = .null
    /// Where its person types: behind what they inserted last.
    private var cursor = 0

    public init(birth: Birth) {
        if birth.replica == 0, birth.start.low == 0 { birth.programs?.restart() }
        self.init(birth, .null)
    }

    private init(_ birth: Birth, _ state: JSON) {
        host = birth.programs
        replica = birth.replica
        view = .counter(0)
        host?.start(replica, Int(clamping: birth.start.low))
        take(
            host?.ask(
                replica, ["request": "start", "start": .integer(Int64(clamping: birth.start.low)), "state": state]))
    }

    private mutating func take(_ answer: JSON?) {
        guard let answer, let reading = host?.reading(answer) else { return }
        view = reading
        state = answer["state"] ?? .null
    }

    public var stateDescription: String? { host?.version(of: replica).map { "version \($0)" } }

    public static func randomAction(using generator: inout SeededGenerator) -> Action { Action(draw: generator.next()) }

    public func resolved(_ action: Action) -> Action {
        guard let host, action.operation == nil else { return action }
        var action = action
        var generator = action.generator
        action.operation = operation(host, &generator)
        return action
    }

    private func operation(_ host: ProgramHost, _ generator: inout SeededGenerator) -> Operation {
        let names = ["map", "stove", "tent"]
        func value() -> String { host.newValue(of: replica) }
        switch (host.type.kind, generator.oneIn(3)) {
        case (.counter, _):
            let amount = generator.number(in: 1...9)
            return .increment(Int64(generator.oneIn(4) ? -amount : amount))
        case (.set, false): return .add(names[generator.number(in: 0...2)])
        case (.set, true): return .remove(names[generator.number(in: 0...2)])
        case (.register, _): return .write(value())
        case (.map, false): return .set(names[generator.number(in: 0...2)], value: value())
        case (.map, true): return .delete(names[generator.number(in: 0...2)])
        case (.list, let isErasing), (.text, let isErasing):
            let elements = view.elements ?? []
            if isErasing, !elements.isEmpty {
                let place = generator.number(in: 0...elements.count - 1)
                return .erase(elements[place], at: place)
            }
            // People type on; else anywhere.
            let isTypingOn = generator.oneIn(2)
            let place = isTypingOn ? min(cursor, elements.count) : generator.number(in: 0...elements.count)
            let count = host.type.kind == .text ? generator.number(in: 1...3) : 1
            return .insert(
                (0..<count).map { _ in value() }.joined(), at: place, after: place > 0 ? elements[place - 1] : nil,
                before: place < elements.count ? elements[place] : nil)
        }
    }

    public mutating func perform(_ action: Action, at now: Int64) -> [Dot] {
        guard let operation = action.operation else { return [] }
        if case .insert(let value, let place, _, _) = operation { cursor = place + value.count }
        take(host?.ask(replica, ["request": "act", "now": .integer(now), "operation": operation.json]))
        return []
    }

    public mutating func message(to peer: Int, at now: Int64) -> JSON? {
        let answer = host?.ask(replica, ["request": "send", "to": .integer(Int64(peer)), "now": .integer(now)])
        if let saved = answer?["state"] { state = saved }
        return answer?["message"].flatMap { $0 == .null ? nil : $0 }
    }

    public mutating func receive(_ message: JSON, from peer: Int, at now: Int64) -> Reception<JSON> {
        let request: [String: JSON] = [
            "request": "receive", "from": .integer(Int64(peer)), "message": message, "now": .integer(now),
        ]
        let answer = host?.ask(replica, request)
        take(answer)
        let reply = answer?["reply"].flatMap { $0 == .null ? nil : $0 }
        switch answer?["taken"]?.text {
        case "part": return .part(reply: reply)
        case "nothing": return .ignored(reply: reply)
        default: return .taken(reply: reply)
        }
    }

    public func persist(on disk: inout SimulatedDisk<JSON>) {
        // A record that power tore is not there, even if the same is to be written again.
        let isWritten = disk.records.last.map { $0.isWhole && $0.record == state } ?? false
        guard state != .null, !isWritten else { return disk.sync() }
        disk.append(state)
        disk.sync()
    }

    public static func recover(from disk: SimulatedDisk<JSON>, birth: Birth) -> Self {
        Self(birth, disk.records.last(where: { $0.isWhole })?.record ?? .null)
    }

    public static func check(_ observation: Observation<Self>) -> Violation? {
        observation.type?.check(
            observation.view, before: observation.previous, of: observation.history, operation: { $0.operation })
    }
}
