public import Convergence
public import Testing

/// Tries a type's seeds, and records an issue for the first run that breaks a law: the law, the run made small, a line
/// for each thing that happens in it, and the line of Swift that runs it again.
///
/// ```swift
/// @Test func converges() { expectConvergence(of: MyCounter.self, seeds: 1...500) }
/// ```
///
/// The conditions say how many replicas and steps there are, and which faults. A seed takes about a millisecond for a
/// small type in a release build.
///
/// - Returns: what failed; nil where every law held.
@discardableResult
public func expectConvergence<Subject: ReplicatedType>(
    of subject: Subject.Type, _ conditions: Conditions = Conditions(), seeds: ClosedRange<UInt64> = 1...200,
    sourceLocation: SourceLocation = #_sourceLocation
) -> Failure<Subject>? {
    let failure = Simulator<Subject>(conditions).firstFailure(seeds: seeds)
    if let failure { Issue.record(Comment(rawValue: failure.report), sourceLocation: sourceLocation) }
    return failure
}

/// Tries a type's seeds on several cores, and records an issue for the lowest seed that breaks a law.
///
///     @Test func myCounterConverges() async { await expectConvergence(of: MyCounter.self, seeds: 1...100_000, tasks: 8) }
///
/// The result doesn't depend on the number of tasks. After a cancellation, seeds that have not begun are left out.
///
/// - Parameter tasks: how many runs there are at a time, 1 to 64.
/// - Returns: what failed; nil where every law held.
@discardableResult
public func expectConvergence<Subject: ReplicatedType>(
    of subject: Subject.Type, _ conditions: Conditions = Conditions(), seeds: ClosedRange<UInt64>, tasks: Int,
    sourceLocation: SourceLocation = #_sourceLocation
) async -> Failure<Subject>? {
    let failure = await lowestFailure(of: Simulator<Subject>(conditions), seeds: seeds, tasks: min(max(tasks, 1), 64))
    if let failure { Issue.record(Comment(rawValue: failure.report), sourceLocation: sourceLocation) }
    return failure
}

/// Hands out parts of some seeds in their order, and none once one has failed: what runs then may hold a lower seed that fails.
private func lowestFailure<Subject>(
    of simulator: Simulator<Subject>, seeds: ClosedRange<UInt64>, tasks: Int
) async -> Failure<Subject>? {
    let partSize: UInt64 = 32
    var next: UInt64? = seeds.lowerBound
    return await withTaskGroup(of: Failure<Subject>?.self) { group in
        func addPart() {
            guard let first = next, !Task.isCancelled else { return }
            let last = min(first.addingReportingOverflow(partSize - 1).partialValue, seeds.upperBound)
            let part = first...(last < first ? seeds.upperBound : last)
            next = part.upperBound < seeds.upperBound ? part.upperBound + 1 : nil
            group.addTask { simulator.firstFailure(seeds: part) { _, _ in Task.isCancelled } }
        }
        for _ in 0..<tasks { addPart() }
        var lowest: Failure<Subject>?
        while let failure = await group.next() {
            if let failure, lowest.map({ failure.seed < $0.seed }) ?? true { lowest = failure }
            if lowest == nil { addPart() }
        }
        return lowest
    }
}

/// Tries a type's seeds until one breaks a law, and records an issue where none does, or where it is another law.
///
/// For a fault that is known: it shows that the harness sees it.
///
/// - Returns: what failed; nil where every law held.
@discardableResult
public func expectViolation<Subject: ReplicatedType>(
    of law: Law, by subject: Subject.Type, _ conditions: Conditions = Conditions(),
    seeds: ClosedRange<UInt64> = 1...200, sourceLocation: SourceLocation = #_sourceLocation
) -> Failure<Subject>? {
    let failure = Simulator<Subject>(conditions).firstFailure(seeds: seeds)
    if let failure, failure.law != law {
        Issue.record(
            "expected a violation of \(law.name), not:\n\(failure.report)", sourceLocation: sourceLocation)
    } else if failure == nil {
        Issue.record(
            "\(Subject.self) breaks no law in seeds \(seeds.lowerBound) to \(seeds.upperBound)",
            sourceLocation: sourceLocation)
    }
    return failure
}

/// Tries every run of a scope, and records an issue for the shortest one that breaks a law, or where the scope was too large to try all.
///
///     @Test func convergesWhateverHappens() { expectConvergence(of: MyCounter.self, exhaustively: Scope(operations: 3)) }
///
/// - Returns: what was tried, and what broke.
@discardableResult
public func expectConvergence<Subject: ReplicatedType>(
    of subject: Subject.Type, exhaustively scope: Scope, sourceLocation: SourceLocation = #_sourceLocation
) -> Exploration<Subject> {
    let exploration = Simulator<Subject>().explore(scope)
    if exploration.outcome != nil || !exploration.isComplete {
        Issue.record(Comment(rawValue: exploration.description), sourceLocation: sourceLocation)
    }
    return exploration
}

/// Tries seeds of a type that programs play, and records an issue for the first run that breaks a law, or for a program that fails.
///
///     @Test func mySetConverges() throws {
///         try expectConvergence(of: ProgramSubject([SubjectProcess("./my-set")]), seeds: 1...500)
///     }
///
/// - Returns: what failed; nil where every law held.
@discardableResult
public func expectConvergence(
    of subject: ProgramSubject, _ conditions: Conditions = Conditions(), seeds: ClosedRange<UInt64> = 1...200,
    sourceLocation: SourceLocation = #_sourceLocation
) throws(ProgramFailure) -> Failure<ProgramReplica>? {
    let failure = try subject.firstFailure(conditions, seeds: seeds)
    if let failure { Issue.record(Comment(rawValue: "\(failure)"), sourceLocation: sourceLocation) }
    return failure
}
