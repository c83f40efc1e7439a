import Foundation
import TestTiers
import Testing

/// What `caravan simulate` reads and writes: nothing is lost there, and nothing said that is not so.
@Suite(.tags(.slow))
struct SimulateFileTests {
    private let caravan: Product
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
        caravan = Product(home: scratch.path + "/home")
    }

    private func file(_ name: String) -> String { scratch.path + "/" + name }
    private func text(_ name: String) throws -> String { try String(contentsOfFile: file(name), encoding: .utf8) }

    @Test func aFileThatIsNotAllThereOrWasAlteredIsNoRunThatHolds() async throws {
        #expect(
            try await caravan.simulate("--mutant unchecked-disk --seeds 1..3 --save \(file("run.trip"))").status == 1)
        let saved = try text("run.trip")
        var lines = saved.split(separator: "\n").map(String.init)
        #expect(lines.last == "end \(lines.count { $0.hasPrefix("act ") || $0.hasPrefix("fault ") })")
        let whole = lines
        func without(_ word: String) -> String {
            whole.filter { !$0.hasPrefix(word + " ") }.joined(separator: "\n") + "\n"
        }
        lines.removeLast()
        let cut = lines.joined(separator: "\n") + "\n"
        let wrong = [
            (cut, "no line “end”"), (String(cut.prefix(cut.count - 9)), "no line “end”"),
            (without("fault"), "it ends after 2 steps, and holds 1"),
            (without("digest"), "no line “digest”"), (without("law"), "differs from the one that was saved"),
            (
                saved.replacingOccurrences(of: "damage-is-noticed", with: "liveness"),
                "differs from the one that was saved"
            ),
            (
                saved.replacingOccurrences(of: "mutant unchecked-disk\n", with: ""),
                "differs from the one that was saved"
            ),
            ("\n" + saved, "does not begin with caravan-trip 1"), (saved + "seed 2\n", "after the end"),
        ]
        for (text, complaint) in wrong {
            try text.write(toFile: file("wrong.trip"), atomically: true, encoding: .utf8)
            let outcome = try await caravan.simulate("--replay \(file("wrong.trip"))")
            #expect(outcome.status == 1 && outcome.errorLines.count == 1, "\(complaint): \(outcome.errors)")
            #expect(outcome.errors.contains(complaint), "\(outcome.errors)")
        }
        // As an editor of another system leaves it.
        try saved.replacingOccurrences(of: "\n", with: "\r\n")
            .write(toFile: file("run.trip"), atomically: true, encoding: .utf8)
        let outcome = try await caravan.simulate("--replay \(file("run.trip"))")
        #expect(outcome.status == 1 && outcome.errors == "" && outcome.output.contains("violated: damage-is-noticed"))
    }

    @Test func whatIsNoRegularFileStaysAndIsWrittenInto() async throws {
        #expect(mkfifo(file("pipe"), 0o600) == 0)
        try "old".write(toFile: file("target"), atomically: true, encoding: .utf8)
        try FileManager.default.createSymbolicLink(atPath: file("link"), withDestinationPath: "target")
        try FileManager.default.createSymbolicLink(atPath: file("ahead"), withDestinationPath: "new")

        let running = try caravan.start(["simulate", "--mutant", "hash-order", "--report", file("pipe")])
        #expect(try await eventually { running.errors.contains("Waiting for a reader of") })
        let reader = try #require(FileHandle(forReadingAtPath: file("pipe")))
        let page = try #require(try reader.readToEnd())
        #expect(page.suffix(8) == Data("</html>\n".utf8))
        #expect(try await running.ended(within: 30).status == 1)
        for name in ["link", "ahead"] {
            #expect(try await caravan.simulate("--mutant hash-order --report \(file(name))").status == 1)
        }
        #expect(scratch.contents() == ["ahead", "link", "new", "pipe", "target"])
        for (name, kind) in [
            ("pipe", FileAttributeType.typeUnknown), ("link", .typeSymbolicLink), ("ahead", .typeSymbolicLink),
        ] {
            let attributes = try FileManager.default.attributesOfItem(atPath: file(name))
            let found = attributes[.type] as? FileAttributeType
            #expect(found != .typeRegular && (kind == .typeUnknown || found == kind), "\(name)")
        }
        for name in ["new", "target"] { #expect(try text(name).hasSuffix("</html>\n")) }
        // Behind what was printed, wherever that goes.
        let both = try await caravan.simulate("--mutant hash-order --report /dev/stdout")
        #expect(both.status == 1 && both.output.hasPrefix("mutant hash-order") && both.output.hasSuffix("</html>\n"))
    }

    @Test func twoTextsAreNotWrittenIntoOneFile() async throws {
        try FileManager.default.createSymbolicLink(atPath: file("link"), withDestinationPath: "run")
        for (one, other) in [("run", "run"), ("run", "./run"), ("link", "run")] {
            let outcome = try await caravan.simulate("--seed 1 --report \(file(one)) --save \(file(other))")
            #expect(outcome.status == 64 && outcome.errors.contains("need different files"), "\(outcome.errors)")
        }
        #expect(scratch.contents() == ["link"])
    }

    /// Seeds without an end: were it not said before them, nobody would hear it.
    @Test func aPathThatCannotBeWrittenIsSaidBeforeTheWork() async throws {
        try "".write(toFile: file("plain"), atomically: true, encoding: .utf8)
        let long = file(String(repeating: "x", count: 300))
        for path in ["", "/proc/page.html", long, file("plain/page.html"), file("folder/"), file("nowhere/page")] {
            let outcome = try await caravan.run([
                "simulate", "--mutant", "lossless-only", "--faults", "none", "--seeds", "1..1000000000",
                "--report", path,
            ])
            #expect(outcome.status == 1 && !outcome.isKilled && outcome.output == "", "\(path)")
            #expect(outcome.errorLines.count == 1 && !outcome.errors.contains("Cocoa"), "\(outcome.errors)")
        }
        #expect(scratch.contents() == ["plain"])
    }

    @Test func whatCannotBePrintedIsAFailure() async throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        for options in [[], ["--json"]] {
            let arguments = ["simulate", "--seed", "1", "--replicas", "2", "--steps", "20"] + options
            let outcome = try await caravan.start(arguments, output: full).ended(within: 30)
            #expect(outcome.status == 1 && outcome.errors.contains("No space left"), "\(outcome.errors)")
            var closed = caravan
            closed.wrapper = ["/bin/sh", "-c", "exec \"$@\" >&-", "sh"]
            let unheard = try await closed.run(arguments)
            #expect(unheard.status == 1 && unheard.errors.contains("Bad file descriptor"), "\(unheard.errors)")
            // A reader that has enough is no failure.
            let pipe = Pipe()
            try pipe.fileHandleForReading.close()
            let left = try await caravan.start(arguments, output: pipe.fileHandleForWriting).ended(within: 30)
            #expect(left.status == 0 && left.errors == "", "\(left.errors)")
        }
    }

    @Test func aPipeThatNobodyWritesIntoIsNotWaitedForInSilence() async throws {
        #expect(mkfifo(file("pipe"), 0o600) == 0)
        let running = try caravan.start(["simulate", "--replay", file("pipe")])
        #expect(try await eventually { running.errors.contains("Waiting for data from \(file("pipe"))") })
        let writer = try #require(FileHandle(forWritingAtPath: file("pipe")))
        try writer.write(contentsOf: Data("caravan-trip 2\n".utf8))
        try writer.close()
        let outcome = try await running.ended(within: 30)
        #expect(outcome.status == 1 && outcome.errors.contains("caravan-trip 1"), "\(outcome.errors)")
    }
}
