/// A program that plays replicas. It answers each line with one line.
///
/// The harness is pure, so what starts processes conforms to this: `SubjectProcess` of the library `ConvergenceProcess`, or
/// a closure in a test.
public protocol LineProgram: Sendable {
    /// The answer to a line, both without a line end. Throws if the program has ended or takes too long.
    func answer(to line: String) throws(ProgramFailure) -> String
}

/// Why a program can't be tested: it ended, took too long, or gave an invalid answer.
public struct ProgramFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// In one line.
    public let description: String

    /// What happened, in one line.
    public init(_ description: String) { self.description = description }
}
