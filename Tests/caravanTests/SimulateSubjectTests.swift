import Foundation
import TestTiers
import Testing

/// `caravan simulate subject` and `history`, as engineers run them.
@Suite(.tags(.slow))
struct SimulateSubjectTests {
    private let caravan: Product
    private let scratch: ScratchFolder
    private let subjects = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Examples/Subjects").path

    init() throws {
        scratch = try ScratchFolder()
        caravan = Product(home: scratch.path + "/home")
    }

    @Test("a program's fault is shown small, and its own line repeats it")
    func faulty() async throws {
        let program = "python3 \(subjects)/counter.py --naive"
        let outcome = try await caravan.run(["simulate", "subject", program, "--seeds", "1..5"])
        #expect(outcome.status == 1)
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(lines.first == "a counter in Python: every-act-counts is violated", "\(outcome.output)")
        let again = try #require(lines.first { $0.hasPrefix("this run again: ") })
        let options = try #require(again.range(of: "' ")).upperBound
        let words = again[options...].split(separator: " ").map(String.init)
        let replayed = try await caravan.run(["simulate", "subject", program] + words)
        let violated = try #require(lines.first { $0.contains("violated: ") })
        #expect(replayed.status == 1 && replayed.output.contains(violated), "\(replayed.output)")
    }

    @Test("a sound program holds, and one that is none is an error in one line")
    func others() async throws {
        let sound = try await caravan.run(["simulate", "subject", "python3 \(subjects)/counter.py", "--seeds", "1..3"])
        #expect(sound.status == 0 && sound.output.contains("counter in Python: no violation"), "\(sound.output)")
        #expect(sound.output.contains("3  runs"), "\(sound.output)")
        for program in ["/nowhere/subject", "echo", "exit 3"] {
            let outcome = try await caravan.run(["simulate", "subject", program])
            #expect(outcome.status == 1 && outcome.output == "" && outcome.errorLines.count == 1, "\(outcome.errors)")
        }
        let wrong = try await caravan.run(["simulate", "subject", program(), "--keep", "1"])
        #expect(wrong.status == 64)
    }

    private func program() -> String { "python3 \(subjects)/counter.py" }

    @Test("an anomaly in a log is named with its witness")
    func history() async throws {
        let path = scratch.path + "/log.jsonl"
        let lines = [
            #"{"process":"ann","do":"add","value":"tent"}"#, #"{"process":"bob","read":["tent"]}"#,
            #"{"process":"bob","do":"remove","value":"tent"}"#, #"{"process":"ann","read":[]}"#,
        ]
        try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try await caravan.run(["simulate", "history", "set", path]).status == 0)
        let again = lines + [#"{"process":"ann","read":["tent"],"final":true}"#]
        try again.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        let outcome = try await caravan.run(["simulate", "history", "set", path])
        #expect(outcome.status == 1 && outcome.output.hasPrefix("observed-removes: "), "\(outcome.output)")
        try "nonsense".write(toFile: path, atomically: true, encoding: .utf8)
        let nonsense = try await caravan.run(["simulate", "history", "set", path])
        #expect(nonsense.status == 1 && nonsense.errors.contains("line 1: ") && nonsense.errorLines.count == 1)
        #expect(try await caravan.run(["simulate", "history", "heap", path]).status == 64)
    }
}
