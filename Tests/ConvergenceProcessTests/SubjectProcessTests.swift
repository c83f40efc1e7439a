import Convergence
import ConvergenceProcess
import Foundation
import TestTiers
import Testing

/// Programs in processes of their own: reference subjects, and every way not to answer.
struct SubjectProcessTests {
    private static let subjects = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Examples/Subjects").path

    @Test("the reference counter holds, and its naive one loses presses")
    func counter() throws {
        let sound = try ProgramSubject([SubjectProcess("python3 \(Self.subjects)/counter.py")])
        #expect(sound.name == "a counter in Python")
        #expect(try sound.firstFailure(seeds: 1...5) == nil)
        let naive = try ProgramSubject([SubjectProcess("python3 \(Self.subjects)/counter.py --naive")])
        let failure = try #require(try naive.firstFailure(seeds: 1...5))
        #expect(failure.law == .everyActCounts)
        #expect(failure.shrunkPlan.size.events <= 3, "\(failure)")
        #expect("\(failure)".contains("increment by "), "\(failure)")
        #expect("\(failure)".contains("\nthis run again: subject.simulator(Conditions("), "\(failure)")
    }

    /// An add that power tore leaves the same state as the same add after it, which must be written all the same.
    @Test("the reference set holds by its own clock, and by the wall's it brings back what was removed")
    func set() throws {
        let sound = try ProgramSubject([SubjectProcess("python3 \(Self.subjects)/set.py")])
        #expect(try sound.firstFailure(seeds: 1...12) == nil)
        let wall = try ProgramSubject([SubjectProcess("python3 \(Self.subjects)/set.py --wall-clock")])
        let failure = try #require(try wall.firstFailure(seeds: 1...12))
        #expect(failure.law == .observedRemoves && failure.shrunkPlan.size.events <= 6, "\(failure)")
    }

    @Test("two versions in one run: an old one that shares an entry loses what the new one counts")
    func versions() throws {
        let both = try ProgramSubject([
            SubjectProcess("python3 \(Self.subjects)/counter.py"),
            SubjectProcess("python3 \(Self.subjects)/counter.py --naive"),
        ])
        #expect(try both.firstFailure(seeds: 1...20)?.law == .everyActCounts)
    }

    @Test(
        "a newer version that does not read what the older one saved is found where a replica is updated, and only there"
    )
    func update() throws {
        let old = "python3 \(Self.subjects)/counter.py"
        // The same counter, with its entries elsewhere in what it saves.
        let edits =
            #"s/request\["state"\] or {}/(request["state"] or {}).get("v2", {})/; s/"state": entries/"state": {"v2": entries}/"#
        let new = "exec python3 -c \"$(sed '\(edits)' \(Self.subjects)/counter.py)\""
        for program in [old, new] {
            #expect(try ProgramSubject([SubjectProcess(program)]).firstFailure(seeds: 1...5) == nil)
        }
        let failure = try ProgramSubject([SubjectProcess(old), SubjectProcess(new)]).firstFailure(seeds: 1...20)
        let trace = try #require(failure?.shrunkOutcome.trace)
        #expect(failure?.law == .everyActCounts && trace.contains { $0.hasSuffix("starts: 0 (version 2)") }, "\(trace)")
    }

    @Test(
        "a program that does not answer as it should is a clear error",
        arguments: [
            ("exit 3", "status 3"), ("true", "(status 0)"),
            ("read line; echo; echo 'no such file' >&2; exit 1", "no JSON"),
            ("/nowhere/subject", "not found"), ("kill -9 $$", "signal 9"),
            ("head -c 6000000 /dev/zero; sleep 9", "longer than"),
            ("sleep 9", "no answer for 300 ms"), ("yes", "answered"), ("exec cat", "\"type\" is one of"),
            ("read line; printf '\\377\\n'; sleep 9", "not UTF-8"),
            ("read line; echo {}; sleep 9", "convergence"), ("read line; printf '{}\\n{}\\n'; sleep 9", "several"),
            ("echo oh no >&2; exec <&- >&- ; exit 7", "oh no"),
        ])
    func noAnswer(_ command: String, _ complaint: String) throws {
        var limits = SubjectProcess.Limits()
        limits.answerTime = command == "sleep 9" ? 300 : 10_000
        var said = ""
        do throws(ProgramFailure) {
            _ = try ProgramSubject([SubjectProcess(command, limits: limits)])
        } catch {
            said = error.description
        }
        #expect(said.contains(complaint), "\(said)")
        #expect(!said.contains("\n") && said.count < 1_000, "\(said)")
    }

    @Test("a process ends with what refers to it, and all that it started")
    func ends() throws {
        let marker = "sleep 98.7\(getpid())"
        do {
            let process = try SubjectProcess("\(marker) & read line; echo '{\"convergence\":1,\"type\":\"set\"}'; wait")
            _ = try ProgramSubject([process])
        }
        for _ in 0..<50 where try running(marker) { usleep(20_000) }
        #expect(try running(marker) == false)
    }

    private func running(_ marker: String) throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").contains { name in
            guard Int(name) != nil, let line = FileManager.default.contents(atPath: "/proc/\(name)/cmdline") else {
                return false
            }
            return String(decoding: line, as: UTF8.self).replacingOccurrences(of: "\0", with: " ").hasPrefix(marker)
        }
    }
}
