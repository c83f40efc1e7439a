import Convergence
import DeltaCRDT
import TestTiers
import Testing

/// What a replica says of an answer to what it asked before it was restored from a backup.
private protocol Claim: Sendable {
    static func reception<M>(isWhole: Bool, ask: M) -> Reception<M>
}

private enum AllOfIt: Claim {
    static func reception<M>(isWhole: Bool, ask: M) -> Reception<M> { .taken() }
}
private enum APart: Claim {
    static func reception<M>(isWhole: Bool, ask: M) -> Reception<M> { isWhole ? .taken() : .part(reply: ask) }
}
private enum NeverAll: Claim {
    static func reception<M>(isWhole: Bool, ask: M) -> Reception<M> { .part() }
}

/// A bag of numbers that grows: replicas ask with what they have, and are sent what they lack.
private struct AskedBag<C: Claim>: ReplicatedType {
    struct Put: Sendable, CustomStringConvertible { var description: String { "put" } }

    enum Message: Sendable {
        case ask(having: Set<Dot>)
        case answer(to: Set<Dot>, Set<Dot>)
    }

    private var name: ReplicaID
    private var counter: UInt64 = 0
    private var dots: Set<Dot> = []

    init(birth: Birth) { name = birth.start }
    mutating func restarted(as birth: Birth) { (name, counter) = (birth.start, 0) }
    static func randomAction(using generator: inout SeededGenerator) -> Put { Put() }

    mutating func perform(_ action: Put, at now: Int64) -> [Dot] {
        counter += 1
        dots.insert(Dot(replica: name, counter: counter))
        return [Dot(replica: name, counter: counter)]
    }

    mutating func message(to peer: Int, at now: Int64) -> Message? { .ask(having: dots) }

    mutating func receive(_ message: Message, from peer: Int, at now: Int64) -> Reception<Message> {
        switch message {
        case .ask(let others): return .ignored(reply: .answer(to: others, dots.subtracting(others)))
        case .answer(let asked, let news):
            let isWhole = asked.isSubset(of: dots)
            dots.formUnion(news)
            return C.reception(isWhole: isWhole, ask: .ask(having: dots))
        }
    }

    var view: Int { dots.count }
    var stateDescription: String? { "writes as \(name.low), number \(counter)" }

    static func describe(_ message: Message) -> String? {
        switch message {
        case .ask(let having): "ask, having \(having.count)"
        case .answer(let asked, let news): "answer to \(asked.count): \(news.count)"
        }
    }

    static func check(_ observation: Observation<Self>) -> Violation? {
        CounterSpecification.check(observation.view, of: observation.history) { _ in 1 }
    }
}

struct ReceptionTests {
    @Test("an answer to what was asked before a restore is a part, and no alarm", .tags(.slow))
    func part() {
        let failure = Simulator<AskedBag<APart>>().firstFailure(seeds: 1...400)
        #expect(failure == nil, "\(failure?.description ?? "")")
    }

    @Test("a replica that says it took all, and lost what it had asked with, is found")
    func all() throws {
        let failure = try #require(Simulator<AskedBag<AllOfIt>>().firstFailure(seeds: 1...400))
        #expect(failure.law == .everyActCounts || failure.law == .convergence, "\(failure)")
    }

    @Test("a replica that never takes all does not pass for one that does")
    func never() throws {
        let failure = try #require(Simulator<AskedBag<NeverAll>>().firstFailure(seeds: 1...20))
        #expect(failure.law == .delivery, "\(failure)")
    }

    @Test("a trace shows what messages say, what replicas hold, and who answers")
    func trace() throws {
        let failure = try #require(Simulator<AskedBag<AllOfIt>>().firstFailure(seeds: 1...400))
        let trace = failure.shrunkOutcome.trace.joined(separator: "\n")
        #expect(trace.contains(": put → 1 (writes as 0, number 1)"), "\(trace)")
        #expect(trace.contains(" (ask, having 1): answers (writes as "), "\(trace)")
        #expect(trace.contains(" (answer to 1: "), "\(trace)")
        #expect(!trace.contains("not taken"), "\(trace)")
        let page = failure.page(subject: "bag", command: "").html
        #expect(page.contains("writes as 0, number 1"))
    }
}
