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

    fileprivate func program() -> String { "python3 \(subjects)/counter.py" }

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

    @Test("a sweep runs a program among its newer versions")
    func versions() async throws {
        let words = [
            "simulate", "sweep", "--subject", program(), "--with", program(), "--seeds", "1..2", "--steps", "20",
        ]
        let outcome = try await caravan.run(words)
        #expect(outcome.status == 0 && outcome.output.split(separator: "\n").count == 2, "\(outcome.errors)")
        #expect(outcome.output.contains("a counter in Python with a counter in Python"), "\(outcome.output)")
        let strange = try await caravan.run(["simulate", "sweep", "--mutant", "gapped-interval", "--with", program()])
        #expect(strange.status == 64)
    }

    @Test(
        "the recipe for GNU parallel gives what one sweep gives, also where a worker was killed",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/parallel")))
    func parallel() async throws {
        let words = ["--mutant", "gapped-interval", "--seeds", "1..8", "--steps", "40"]
        let whole = try await caravan.run(["simulate", "sweep"] + words)
        let path = scratch.path + "/whole.jsonl"
        try whole.output.write(toFile: path, atomically: true, encoding: .utf8)
        let one = try await caravan.run(["simulate", "merge", path])
        let script = "\(recipes)/parallel.sh"
        var shell = caravan
        // Parallel looks for programs on it.
        shell.environment["PATH"] = "/usr/local/bin:/usr/bin:/bin"
        shell.wrapper = ["/bin/sh", "-c", #"CARAVAN="$0 simulate" exec "$@""#]
        let four = try await shell.run([script, "4", scratch.path + "/shares"] + words)
        #expect(four.output == one.output && four.status == 1, "\(four.errors)")
        // Of two shares the first try is killed after a line.
        let killer = scratch.path + "/killer"
        let killed = """
            #!/bin/sh
            case "$1 $*" in sweep*1/4|sweep*3/4)
                mkdir "\(scratch.path)/killed${9%/*}" 2>/dev/null && { "\(Product.executable)" simulate "$@" | head -n 1; kill -9 $$; } ;;
            esac
            exec "\(Product.executable)" simulate "$@"
            """
        try killed.write(toFile: killer, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: killer)
        shell.wrapper = ["/bin/sh", "-c", "CARAVAN=\(killer) exec \"$@\""]
        let again = try await shell.run([script, "4", scratch.path + "/again"] + words)
        #expect(again.output == one.output, "\(again.errors)")
    }

    @Test("the recipes for Slurm, Kubernetes and a CI matrix have the right form")
    func forms() async throws {
        var shell = caravan
        shell.wrapper = ["/bin/sh", "-c", #"for file in "$@"; do bash -n "$file" || exit 1; done"#]
        #expect(try await shell.run(["\(recipes)/slurm.sh", "\(recipes)/parallel.sh"]).status == 0)
        // An array's task knows its number and how many there are.
        shell.wrapper = [
            "/bin/sh", "-c", #"CARAVAN="$0 simulate" SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_TASK_COUNT=3 exec "$@""#,
        ]
        let share = try await shell.run([
            "\(recipes)/slurm.sh", "--mutant", "gapped-interval", "--seeds", "1..6", "--steps", "10",
        ])
        #expect(share.status == 0 && share.output.split(separator: "\n").count == 2, "\(share.errors)")
        #expect(share.output.contains(#""seed":"2""#) && share.output.contains(#""seed":"5""#))
        let check = """
            import sys, yaml
            job, flow = (yaml.safe_load(open(name)) for name in sys.argv[2:])
            spec = job["spec"]
            assert job["apiVersion"] == "batch/v1" and job["kind"] == "Job" and spec["completionMode"] == "Indexed"
            container = spec["template"]["spec"]["containers"][0]
            assert container["env"] == [{"name": "SHARES", "value": str(spec["completions"])}]
            assert "$((JOB_COMPLETION_INDEX + 1))/$SHARES" in container["args"][0]
            shards = flow["jobs"]["share"]["strategy"]["matrix"]["shard"]
            assert shards == list(range(1, len(shards) + 1)) and flow["jobs"]["merge"]["needs"] == "share"
            assert "/%d >" % len(shards) in flow["jobs"]["share"]["steps"][1]["run"]
            """
        shell.wrapper = [
            "/bin/sh", "-c", #"python3 -c 'import yaml' 2>/dev/null || exit 0; exec python3 -c "$0" "$@""#, check,
        ]
        let forms = try await shell.run(["\(recipes)/kubernetes.yaml", "\(recipes)/workflow.yaml"])
        #expect(forms.status == 0, "\(forms.errors)")
    }

    private var recipes: String { subjects.replacing("Subjects", with: "Sweeps") }
}
