import Foundation
import TestTiers
import Testing

@testable import Desktop

/// What a program that is run may do, and for how long.
struct ChildTests {
    private let shell = Program("sh")
    private let limits = Child.Limits(seconds: 5, mebibytes: 256, outputBytesMax: 1_024)

    private func run(
        _ script: String, input: String = "", environment: [String] = [], _ limits: Child.Limits? = nil
    ) async throws -> Child.Outcome {
        try await Child.run(
            try #require(shell), ["-c", script], environment: environment, input: Array(input.utf8),
            limits ?? self.limits)
    }

    @Test("bytes go in and come out, with the status and the first complaint")
    func bytes() async throws {
        let outcome = try await run("cat; echo oh >&2; exit 3", input: "hello")
        #expect(outcome.output == Array("hello".utf8) && outcome.errors == "oh\n" && outcome.status == 3)
    }

    @Test("arguments are passed as they are")
    func arguments() async throws {
        let outcome = try await Child.run(
            try #require(Program("printf")), ["%s|", "-t=1", "a b", "$(id)", "", "“é”"], limits)
        #expect(String(decoding: outcome.output, as: UTF8.self) == "-t=1|a b|$(id)||“é”|")
    }

    @Test("it sees the environment that it is given, and nothing else")
    func environment() async throws {
        let outcome = try await Child.run(try #require(Program("env")), [], environment: ["ONE=1"], limits)
        let names = String(decoding: outcome.output, as: UTF8.self).split(separator: "\n").map {
            $0.prefix { $0 != "=" }
        }
        #expect(names.contains("ONE") && !names.contains("HOME") && !names.contains("PATH"), "\(names)")
    }

    @Test("a program that is given by its path has this process's environment")
    func path() async throws {
        let outcome = try await Desktop.run("/bin/sh", ["-c", "echo \"$HOME\"; exit 3"], within: 5)
        let home = ProcessInfo.processInfo.environment["HOME"] ?? ""
        #expect(outcome.status == 3 && String(decoding: outcome.output, as: UTF8.self) == home + "\n")
    }

    @Test("what takes too long is ended, with all that it began", .tags(.slow))
    func deadline() async throws {
        var limits = limits
        limits.seconds = 1
        let mark = NSTemporaryDirectory() + "caravan-child-" + UUID().uuidString
        let start = ContinuousClock.now
        let error = await #expect(throws: DesktopError.self) {
            _ = try await run("(sleep 3; : > \(mark)) & sleep 60", limits)
        }
        #expect(error?.message.hasSuffix("took longer than 1 s, and was stopped") == true)
        #expect(ContinuousClock.now - start < .seconds(3))
        try await Task.sleep(for: .seconds(3))
        #expect(!FileManager.default.fileExists(atPath: mark), "what it began went on")
    }

    @Test("what prints without end, or takes memory without end, is ended")
    func bounds() async throws {
        let flood = try await run("while :; do echo flood; done")
        #expect(flood.status != 0 && flood.output.count == 1_024)
        let glutton = try await run("x=xxxxxxxxxxxxxxxx; while :; do x=$x$x; done")
        #expect(glutton.status != 0)
    }
}
