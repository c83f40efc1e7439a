import Foundation
import FoundationXML
import TestTiers
import Testing

/// `caravan simulate`, run as people and programs run it.
@Suite(.tags(.slow))
struct SimulateTests {
    private let caravan: Product
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
        caravan = Product(home: scratch.path + "/home")
    }

    private func json(_ outcome: Product.Outcome) throws -> [String: Any] {
        let value = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        return try #require(value as? [String: Any], "\(outcome.output.prefix(200)) \(outcome.errors)")
    }

    @Test func wrongLinesAreSaidInOneLineAndRunNothing() async throws {
        let wrong = [
            ["--replicas", "0"], ["--replicas", "1"], ["--steps", "-1"], ["--steps", "many"], ["--seed", "x"],
            ["--seeds", "5"], ["--seeds", "5..4"], ["--seeds", "1...5"], ["--seeds", "1..x"],
            ["--seed", "1", "--seeds", "1..2"], ["--faults", "loss,rain"], ["--faults", ""], ["--mutant", "nobody"],
            ["--keep", "1,2"], ["--seed", "1", "--keep", "1,2"], ["--replay", "a", "--seed", "1"],
            ["--fault-interval", "0"],
            ["--mutant", "hash-order", "--save", "a"], ["--mutant", "hash-order", "--seed", "1", "--keep", "1,x"],
            ["--mutant", "all", "--report", "page.html"],
            ["--statements", "6"], ["--part", "1/2"], ["--statements", "2", "--part", "3/2"],
            ["--statements", "2", "--seed", "1"],
            ["--profile", "moon"], ["--cipher", "rot13"], ["--mutant", "hash-order", "--profile", "lan"],
            ["--mutant", "all", "--faults", "loss"], ["--replicas", "1001"],
            ["--mutant", "hash-order", "--replicas", "65"], ["--mutant", "all", "--replicas", "1"],
            ["--mutant", "all", "--replicas", "65"], ["--seeds", "0..18446744073709551613"],
            ["--seed", "1", "--keep", "0/1", "--json"], ["extra"],
        ]
        for options in wrong {
            let outcome = try await caravan.run(["simulate"] + options)
            #expect(outcome.status == 64 && outcome.output == "", "\(options)")
            #expect(outcome.errorLines.count == 1 && outcome.errors.hasPrefix("caravan: "), "\(outcome.errors)")
        }
        for path in ["/nowhere/page.html", scratch.path] {
            let outcome = try await caravan.simulate("--mutant hash-order --report \(path)")
            #expect(outcome.status == 1 && outcome.output == "" && outcome.errorLines.count == 1, "\(outcome.errors)")
        }
        #expect(scratch.contents() == [])
    }

    @Test func aViolationIsShownSmallAndItsOwnLineRepeatsIt() async throws {
        let outcome = try await caravan.simulate("--mutant reused-numbers")
        #expect(outcome.status == 1)
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(lines.first == "mutant reused-numbers: unique-dots is violated")
        #expect(lines.contains { $0.contains("breaks unique-dots at step") })
        let violated = try #require(lines.firstIndex { $0.contains("violated: unique-dots") })

        let mark = "this run again: caravan "
        let again = try #require(lines.first { $0.hasPrefix(mark) }).dropFirst(mark.count)
        let replayed = try await caravan.run(again.split(separator: " ").map(String.init))
        #expect(replayed.status == 1)
        #expect(replayed.output.split(separator: "\n").map(String.init).contains(lines[violated]))

        // Without its last step the fault is not there.
        let calm = try await caravan.run(
            again.split(separator: " ").map { $0.contains("!,") ? "0!" : String($0) })
        #expect(calm.status == 0 && calm.output.hasSuffix("no violation\n"), "\(calm.output)")
    }

    @Test func whereNothingBreaksTheStatusIsZero() async throws {
        let outcome = try await caravan.simulate("--mutant lossless-only --faults none --seeds 1..5")
        #expect(outcome.status == 0)
        #expect(outcome.output.hasPrefix("mutant lossless-only: no violation\n"), "\(outcome.output)")
        #expect(outcome.output.contains("5  runs"))
    }

    /// The same of nodes, from the line and from the file.
    @Test func aFailingRunOfNodesIsRepeatedFromItsLineAndItsFile() async throws {
        let path = scratch.path + "/run.trip"
        let outcome = try await caravan.simulate("--mutant unchecked-disk --seeds 1..3 --json --save \(path)")
        #expect(outcome.status == 1 && outcome.errors.contains("violates damage-is-noticed"), "\(outcome.errors)")
        let failing = try #require(try json(outcome)["failing"] as? [String: Any])
        let trace = try #require(failing["trace"] as? [String])
        #expect(failing["law"] as? String == "damage-is-noticed" && trace.count > 2)

        let again = try #require(failing["command"] as? String).split(separator: " ").dropFirst().map(String.init)
        let replays = [try await caravan.run(again), try await caravan.simulate("--replay \(path)")]
        for replayed in replays {
            #expect(replayed.status == 1 && replayed.errors == "", "\(replayed.errors)")
            #expect(replayed.output.hasPrefix(trace.joined(separator: "\n") + "\n"))
        }

        let saved = try String(contentsOfFile: path, encoding: .utf8)
        for (text, complaint) in [
            ("", "caravan-trip 1"), ("caravan-trip 2\n", "caravan-trip 1"), (saved + "act 1 2 3\n", "line "),
            (saved.replacingOccurrences(of: "seed ", with: "sead "), "is not understood"),
        ] {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            let outcome = try await caravan.simulate("--replay \(path)")
            #expect(outcome.status == 1 && outcome.errorLines.count == 1 && outcome.output == "", "\(outcome.errors)")
            #expect(outcome.errors.contains(path) && outcome.errors.contains(complaint), "\(outcome.errors)")
        }
        try saved.split(separator: "\n").map { $0.hasPrefix("digest ") ? "digest 1" : $0 }.joined(separator: "\n")
            .write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try await caravan.simulate("--replay \(path)").errors.contains("differs from the one that was saved"))
        #expect(
            try await caravan.simulate("--replay /nowhere.trip").errors
                == "caravan: cannot read /nowhere.trip: it does not exist\n")
    }

    /// That all are found in time is the harness's own test: it takes longer than a look at the table.
    @Test func everyMutantIsListedAndSurvivorsAreAFailure() async throws {
        let listed = try #require(
            try json(try await caravan.simulate("--mutant list --json"))["mutants"] as? [[String: Any]])
        #expect(listed.count >= 13 + 16 && listed.allSatisfy { Set($0.keys) == ["laws", "name", "of"] })
        let table = try await caravan.simulate("--mutant list")
        for mutant in listed { #expect(table.output.contains("  \(mutant["name"] as? String ?? "?")")) }

        let line = "--mutant all --replicas 3 --steps 10 --seeds 1..1"
        let swept = try await caravan.simulate(line + " --json")
        let whole = try json(swept)
        #expect(Set(whole.keys) == ["interrupted", "mutants"] && whole["interrupted"] as? Bool == false)
        let mutants = try #require(whole["mutants"] as? [[String: Any]])
        #expect(swept.status == 1 && mutants.map { $0["name"] as? String } == listed.map { $0["name"] as? String })
        let found = mutants.filter { mutant in
            guard let failing = mutant["failing"] as? [String: Any], let law = failing["law"] as? String else {
                return false
            }
            return (mutant["laws"] as? [String])?.contains(law) ?? false
        }
        #expect(found.count > 10 && found.count < mutants.count)
        for mutant in found {
            #expect(Set(mutant.keys) == ["failing", "laws", "name", "of", "seeds_tried"], "\(mutant)")
            let after = (mutant["failing"] as? [String: Any])?["after"] as? [String: Int]
            #expect(after.map { $0["replicas", default: 99] <= 5 && $0["events", default: 99] <= 12 } == true)
        }
        for mutant in mutants where mutant["failing"] == nil {
            #expect(Set(mutant.keys) == ["laws", "name", "of", "seeds_tried"] && mutant["seeds_tried"] as? Int == 1)
        }
        let shown = try await caravan.simulate(line)
        #expect(shown.status == 1 && shown.output.contains("SURVIVES"))
        #expect(shown.output.contains("Found \(found.count) of \(mutants.count)."))
    }

    /// Keys are promised: they are in the documentation.
    @Test func programsFindTheSameKeysInTheSameBytes() async throws {
        let line = "--mutant gapped-interval --seeds 1..9 --json"
        let first = try await caravan.simulate(line)
        let value = try json(first)
        #expect(
            Set(value.keys) == [
                "command", "digest", "failing", "faults", "figures", "interrupted", "laws", "risks", "subject",
                "violated",
            ], "\(value.keys.sorted())")
        let failing = try #require(value["failing"] as? [String: Any])
        #expect(
            Set(failing.keys) == [
                "after", "before", "command", "deviations", "finding", "law", "seed", "step", "trace",
            ])
        #expect(try await caravan.simulate(line).output == first.output)

        var ordered = caravan
        ordered.environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
        let arguments = ["simulate"] + line.split(separator: " ").map(String.init)
        #expect(try await ordered.run(arguments).output == first.output)
        let other = try await caravan.simulate("--mutant gapped-interval --seeds 3..9 --json")
        #expect(try json(other)["digest"] as? String != value["digest"] as? String)
    }

    @Test func nodesRunTheSameInEveryProcessAndEveryProfile() async throws {
        var ordered = caravan
        ordered.environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
        for profile in ["lan", "van", "festival", "hostile"] {
            let arguments = [
                "simulate", "--json", "--seed", "3", "--replicas", "4", "--steps", "60", "--profile", profile,
            ]
            let first = try await caravan.run(arguments)
            let value = try json(first)
            #expect(first.status == 0 && value["violated"] as? Bool == false, "\(first.output) \(first.errors)")
            let figures = try #require(value["figures"] as? [String: Int])
            #expect(Set(figures.keys) == ["actions", "applied", "delivered", "replicas", "runs", "steps"])
            let laws = try #require(value["laws"] as? [String: Int])
            #expect(laws["durability", default: 0] > 20 && laws["liveness"] == 1, "\(laws)")
            #expect(figures["actions", default: 0] > 20 && figures["applied", default: 0] > 20, "\(figures)")
            #expect(try await ordered.run(arguments).output == first.output, "\(profile)")
        }
    }

    @Test func thePageIsWhole() async throws {
        let path = scratch.path + "/page.html"
        let outcome = try await caravan.simulate("--mutant empty-shell --report \(path)")
        let data = try #require(FileManager.default.contents(atPath: path))
        let parser = XMLParser(data: data)
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
        let page = String(decoding: data, as: UTF8.self)
        #expect(page.contains("whole-items") && page.contains("<svg ") && !page.contains("<script"))
        #expect(scratch.contents() == ["page.html"] && outcome.status == 1)
    }

    @Test func whoInterruptsIsToldWhatWasFound() async throws {
        let running = try caravan.start([
            "simulate", "--mutant", "shared-entry", "--faults", "none", "--replicas", "1",
            "--steps", "4000", "--seeds", "1..1000000",
        ])
        #expect(try await eventually { running.errors.contains("seed ") })
        kill(running.process.processIdentifier, SIGINT)
        let outcome = try await running.ended(within: 30)
        #expect(outcome.status == 130 && !outcome.isKilled)
        #expect(outcome.output.contains("no violation until it was interrupted"), "\(outcome.output)")
    }
}
