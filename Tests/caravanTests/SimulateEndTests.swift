import Foundation
import TestTiers
import Testing

/// How `caravan simulate` ends: when it should, and with a status that says what was found.
@Suite(.tags(.slow))
struct SimulateEndTests {
    private let caravan: Product
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
        caravan = Product(home: scratch.path + "/home")
    }

    @Test func seedsWithoutAnEndEndWhereALawBreaks() async throws {
        let outcome = try await caravan.simulate("--mutant early-node-acknowledgement --seeds 1..9223372036854775807")
        #expect(outcome.status == 1 && !outcome.isKilled, "\(outcome.errors)")
        #expect(outcome.output.contains("early-node-acknowledgement") && outcome.output.contains("is violated"))
    }

    @Test func seedsWithoutAnEndEndWhereSomebodyInterrupts() async throws {
        let running = try caravan.start(
            ["simulate", "--seeds", "0..9223372036854775806", "--replicas", "2", "--steps", "5"])
        #expect(try await eventually { running.errors.contains("seed ") })
        kill(running.process.processIdentifier, SIGINT)
        let outcome = try await running.ended(within: 20)
        #expect(outcome.status == 130 && !outcome.isKilled)
        #expect(outcome.output.contains("no violation until it was interrupted"), "\(outcome.output)")
    }

    /// A second call would kill it, and nothing would be reported.
    @Test func oneLongRunIsInterruptedToo() async throws {
        let running = try caravan.start([
            "simulate", "--mutant", "shared-entry", "--seed", "1", "--steps", "1000000", "--faults", "none",
            "--replicas", "1", "--json",
        ])
        // It prints nothing before its first seed is done: when it listens is asked of the system.
        let status = "/proc/\(running.process.processIdentifier)/status"
        #expect(
            try await eventually {
                let text = (try? String(contentsOfFile: status, encoding: .utf8)) ?? ""
                let caught = text.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }?.split(separator: "\t").last
                return caught.flatMap { UInt64($0, radix: 16) }.map { $0 >> UInt64(SIGINT - 1) & 1 == 1 } ?? false
            })
        kill(running.process.processIdentifier, SIGINT)
        let outcome = try await running.ended(within: 20)
        #expect(outcome.status == 130 && !outcome.isKilled, "\(outcome.status)")
        #expect(outcome.output.contains("\"interrupted\": true"), "\(outcome.output)")
    }

    @Test func aPartThatTheRunHasNotIsRefused() async throws {
        let wrong = [
            ("--seed 1 --replicas 2 --steps 20 --keep /", "takes nodes and steps"),
            ("--seed 1 --replicas 2 --steps 20 --keep /3", "takes nodes and steps"),
            ("--seed 1 --replicas 2 --steps 20 --keep 0,2/3", "names node 2, but the run has nodes 0 to 1"),
            ("--seed 1 --replicas 2 --steps 20 --keep 0,1/3,20", "names step 20, but the run has steps 0 to 19"),
            ("--mutant hash-order --seed 1 --keep 999", "names step 999, but the run has steps 0 to 119"),
            ("--mutant hash-order --seed 1 --steps 0 --keep 0", "names step 0, but the run has no steps"),
            ("--mutant all --seed 1 --keep 3", "needs one mutant or none"),
        ]
        for (line, complaint) in wrong {
            let outcome = try await caravan.simulate(line)
            #expect(outcome.status == 64 && outcome.output == "" && outcome.errorLines.count == 1, "\(line)")
            #expect(outcome.errors.contains(complaint), "\(line): \(outcome.errors)")
        }
        for line in ["--seed 1 --replicas 2 --steps 20 --keep 1/19", "--mutant hash-order --seed 1 --keep 119"] {
            #expect(try await caravan.simulate(line).status == 0, "\(line)")
        }
    }

    /// Of one mutant the status says whether a law broke; of all of them, whether one was missed.
    @Test func aStatusSaysWhatWasFound() async throws {
        let survivor = try await caravan.simulate("--mutant shared-entry --seed 1 --replicas 1")
        #expect(survivor.status == 0 && survivor.errors == "shared-entry survived these seeds\n", "\(survivor.errors)")
        #expect(try await caravan.simulate("--mutant shared-entry").status == 1)
        let help = try await caravan.simulate("--help").output.split { $0.isWhitespace }.joined(separator: " ")
        #expect(help.contains("With one --mutant, 1 means that its fault was found, 0 that it survived;"))
        #expect(help.contains("with --mutant all, 1 means that one survived."))
    }

    @Test func wrongLinesAreToldTheWayForward() async throws {
        let wrong = [
            ("--seeds 5..1", "FROM..TO, such as 1..100, with FROM <= TO"), ("--seeds 5", "FROM..TO"),
            ("--faults foo", "choose from all, none, "),
            ("--mutant hash-order --faults foo", "choose from all, none, "),
            ("--mutant all --cipher real", "cannot be combined with --cipher"),
            ("--mutant all --fault-interval 3 --faults none", "cannot be combined with --faults and --fault-interval"),
            ("--mutant list --replicas 0", "only with --json"), ("--mutant list --faults foo", "only with --json"),
            ("--mutant list --seed 1 --json", "only with --json"),
        ]
        for (line, way) in wrong {
            let outcome = try await caravan.simulate(line)
            #expect(outcome.status == 64 && outcome.output == "" && outcome.errorLines.count == 1, "\(line)")
            #expect(outcome.errors.contains(way), "\(line): \(outcome.errors)")
        }
    }
}
