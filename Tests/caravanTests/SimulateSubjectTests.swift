import Foundation
import TestTiers
import Testing

/// `caravan simulate subject` and `history`, as engineers run them.
@Suite(.tags(.slow))
struct SimulateSubjectTests {
    fileprivate let caravan: Product
    fileprivate let scratch: ScratchFolder
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

extension SimulateSubjectTests {
    @Test("four shares are merged into what one sweep gives, byte for byte, and a killed one into what it wrote")
    func shares() async throws {
        func file(_ name: String, _ text: some StringProtocol) throws -> String {
            let path = scratch.path + "/" + name
            try String(text).write(toFile: path, atomically: true, encoding: .utf8)
            return path
        }
        let words = ["simulate", "sweep", "--mutant", "gapped-interval", "--seeds", "1..12", "--steps", "60"]
        let whole = try await caravan.run(words)
        #expect(whole.status == 0)
        var files: [String] = []
        for shard in 1...4 {
            let part = try await caravan.run(words + ["--shard", "\(shard)/4"])
            files.append(try file("\(shard).jsonl", part.output))
        }
        let one = try await caravan.run(["simulate", "merge", file("all.jsonl", whole.output)])
        let four = try await caravan.run(["simulate", "merge"] + files.reversed())
        #expect(one.output == four.output && one.output.contains("seeds            12, 1 to 12"), "\(four.output)")
        let cut = try file("cut.jsonl", whole.output.prefix(whole.output.count / 2))
        let again = try await caravan.run(["simulate", "merge", cut] + files)
        #expect(again.output == one.output && again.errors.contains("1 unreadable"), "\(again.errors)")
        let strange = try await caravan.run([
            "simulate", "merge", files[0], file("x.jsonl", whole.output.replacing("gapped", with: "other")),
        ])
        #expect(strange.status == 1 && strange.errorLines.count == 1, "\(strange.errors)")
        #expect(try await caravan.run(words + ["--shard", "5/4"]).status == 64)
    }
}
