package import Convergence

/// A run as a file: everything that it was made from, so that it can be repeated without its seed's plan.
///
/// Lines of words, the first of which says what follows; version 1. The last one is `end` and the number of steps: without
/// it a file may have been cut short. Bounded when read: `bytesMax`, `stepsMax`.
package struct TripReplay: Sendable, Hashable, CustomStringConvertible {
    /// How the run is made.
    package let conditions: TripConditions
    /// What happens in it.
    package let plan: TripPlan
    /// The law that is expected to break; nil for none.
    package let law: String?
    /// The digest that is expected; nil in a text that somebody wrote by hand and that expects nothing.
    package let digest: UInt64?
    /// Whether its last line says that it is all there.
    package let hasEnd: Bool

    /// The longest file that is read.
    package static let bytesMax = 8 << 20
    /// The most steps of a file that is read.
    package static let stepsMax = 100_000
    /// The latest time of a step, in milliseconds: a day.
    private static let timeMax: UInt64 = 86_400_000
    /// The longest fault, in milliseconds: an hour.
    private static let durationMax: UInt64 = 3_600_000

    /// A run, and what is expected of it.
    package init(conditions: TripConditions, plan: TripPlan, law: String?, digest: UInt64?) {
        self.conditions = conditions
        self.plan = plan
        self.law = law
        self.digest = digest
        hasEnd = true
    }

    /// Why a text is no replay.
    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// The line, from 1.
        package let line: Int
        /// What is wrong there, in a few words.
        package let reason: String

        package var description: String { "line \(line): \(reason)" }
    }

    // MARK: - Writing

    package var description: String {
        var lines = [
            "caravan-trip 1", "profile \(conditions.profile.rawValue)", "replicas \(conditions.replicas)",
            "faults " + conditions.faults.sorted().map(\.rawValue).joined(separator: ","),
            "cipher \(conditions.cipher.rawValue)", "seed \(plan.seed)",
        ]
        if conditions.hasGuests { lines.append("guests") }
        if let mutation = conditions.mutation { lines.append("mutant \(mutation.rawValue)") }
        if let law { lines.append("law \(law)") }
        if let digest { lines.append("digest \(String(digest, radix: 16))") }
        lines.append("nodes " + plan.nodes.map(String.init).joined(separator: ","))
        for step in plan.steps {
            switch step.event {
            case .act(let node, let draw):
                lines.append("act \(step.number) \(step.time) \(node) \(String(draw, radix: 16))")
            case .fault(let fault, let node, let other, let duration, let draw):
                lines.append(
                    "fault \(step.number) \(step.time) \(fault.rawValue) \(node) \(other) \(duration) "
                        + String(draw, radix: 16))
            }
        }
        if hasEnd { lines.append("end \(plan.steps.count)") }
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: - Reading

    /// Reads what `description` wrote.
    package init(_ text: String) throws(Failure) {
        guard text.utf8.count <= Self.bytesMax else { throw Failure(line: 1, reason: "the file is too long") }
        var reader = Reader()
        var number = 0
        // Some editors end lines with two characters, which Swift reads as one.
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" }) {
            number += 1
            let words = line.split(separator: " ").map(String.init)
            guard number > 1 || words == ["caravan-trip", "1"] else {
                throw Failure(line: 1, reason: "it does not begin with caravan-trip 1")
            }
            guard !words.isEmpty else { continue }
            do throws(Wrong) { try reader.read(words) } catch { throw Failure(line: number, reason: error.reason) }
        }
        guard let seed = reader.seed, let replicas = reader.replicas, let profile = reader.profile else {
            throw Failure(line: number, reason: "its profile, replicas or seed is missing")
        }
        conditions = {
            var conditions = TripConditions(
                replicas: replicas, steps: reader.steps.count, profile: profile, faults: reader.faults,
                mutation: reader.mutation)
            conditions.cipher = reader.cipher
            conditions.hasGuests = reader.hasGuests
            return conditions
        }()
        plan = TripPlan(seed: seed, nodes: reader.nodes ?? Array(0..<replicas), steps: reader.steps)
        law = reader.law
        digest = reader.digest
        hasEnd = reader.hasEnd
    }

    private struct Wrong: Error { let reason: String }

    private struct Reader {
        var profile: Profile?
        var replicas: Int?
        var faults: Set<TripFault>?
        var cipher = TripConditions.Cipher.fast
        var hasGuests = false
        var seed: UInt64?
        var mutation: TripMutation?
        var law: String?
        var digest: UInt64?
        var hasEnd = false
        var nodes: [Int]?
        var steps: [TripPlan.Step] = []

        mutating func read(_ words: [String]) throws(Wrong) {
            guard !hasEnd else { throw Wrong(reason: "something comes after the end") }
            switch (words[0], words.count) {
            case ("caravan-trip", 2): break
            case ("profile", 2): profile = try known(Profile(rawValue: words[1]), "profile")
            case ("replicas", 2):
                // Nodes have been read that the first one allows.
                guard replicas == nil else { throw Wrong(reason: "replicas are named twice") }
                replicas = Int(try number(words[1], in: 2...1_000))
            case ("faults", 1): faults = []
            case ("faults", 2):
                var named: Set<TripFault> = []
                for name in words[1].split(separator: ",") {
                    named.insert(try known(TripFault(rawValue: String(name)), "fault"))
                }
                faults = named
            case ("cipher", 2): cipher = try known(TripConditions.Cipher(rawValue: words[1]), "cipher")
            case ("guests", 1): hasGuests = true
            case ("seed", 2): seed = try number(words[1], in: 0...UInt64.max)
            case ("mutant", 2): mutation = try known(TripMutation(rawValue: words[1]), "mutant")
            case ("law", 2): law = String(words[1].prefix(64))
            case ("digest", 2): digest = try known(UInt64(words[1], radix: 16), "digest")
            case ("nodes", 2):
                var list: [Int] = []
                for word in words[1].split(separator: ",") {
                    let node = try self.node(String(word))
                    guard node > list.last ?? -1 else { throw Wrong(reason: "nodes are not in order") }
                    list.append(node)
                }
                nodes = list
            case ("act", 5), ("fault", 8): try readStep(words)
            case ("end", 2):
                guard words[1] == String(steps.count) else {
                    throw Wrong(reason: "it ends after \(words[1].prefix(20)) steps, and holds \(steps.count)")
                }
                hasEnd = true
            default: throw Wrong(reason: "\"\(words[0].prefix(20))\" is not understood")
            }
        }

        private mutating func readStep(_ words: [String]) throws(Wrong) {
            guard steps.count < TripReplay.stepsMax else { throw Wrong(reason: "there are too many steps") }
            let place = Int(try number(words[1], in: 0...1_000_000))
            guard place > steps.last?.number ?? -1 else { throw Wrong(reason: "steps are not in order") }
            let time = try number(words[2], in: (steps.last?.time ?? 0)...TripReplay.timeMax)
            let draw = try known(UInt64(words[words.count - 1], radix: 16), "draw")
            let event: TripPlan.Event
            if words[0] == "act" {
                event = .act(node: try node(words[3]), draw: draw)
            } else {
                event = .fault(
                    try known(TripFault(rawValue: words[3]), "fault"), node: try node(words[4]),
                    other: try node(words[5]), duration: try number(words[6], in: 0...TripReplay.durationMax),
                    draw: draw)
            }
            steps.append(TripPlan.Step(number: place, time: time, event: event))
        }

        private func node(_ word: String) throws(Wrong) -> Int {
            guard let replicas else { throw Wrong(reason: "replicas must come before nodes") }
            return Int(try number(word, in: 0...UInt64(replicas - 1)))
        }

        private func number(_ word: String, in range: ClosedRange<UInt64>) throws(Wrong) -> UInt64 {
            guard let number = UInt64(word), range.contains(number) else {
                throw Wrong(
                    reason: "\"\(word.prefix(20))\" is not a number from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }

        private func known<Value>(_ value: Value?, _ what: String) throws(Wrong) -> Value {
            guard let value else { throw Wrong(reason: "there is no such \(what)") }
            return value
        }
    }
}

/// A run of real nodes that broke a law, and the least part of it that does.
package typealias TripFailure = Counterexample<TripSimulator>

extension TripFailure {
    /// The small run as a file for `--replay`.
    package var replay: TripReplay {
        TripReplay(
            conditions: world.conditions, plan: shrunkPlan, law: shrunkOutcome.violation?.law.name,
            digest: shrunkOutcome.digest)
    }
}
