import Convergence
import TestTiers
import Testing
import TripSimulation

/// No law of real nodes without a demonstration that it fails.
struct TripMutantTests {
    @Test func everyLawIsSeenToFail() async throws {
        // On all cores, for it takes minutes.
        let failures = await withTaskGroup { group in
            for mutation in TripMutation.allCases where !mutation.isOfAuthors && !mutation.isOfMailboxes {
                group.addTask { (mutation, mutation.find(seeds: 1...40)) }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        var broken: Set<Law> = []
        for mutation in TripMutation.allCases where !mutation.isOfAuthors && !mutation.isOfMailboxes {
            let failure = try #require(failures[mutation], "\(mutation.rawValue) survives")
            #expect(failure.law == mutation.law, "\(mutation.rawValue)\n\(failure)")
            #expect(failure.shrunkPlan.size.replicas <= 5, "\(mutation.rawValue)")
            // It shows only where a body is withheld, the header told on, and the body asked for: what a league did is not made small.
            let eventsMax = mutation == .acknowledgedHeaders ? 64 : 16
            #expect(failure.shrunkPlan.size.events <= eventsMax, "\(mutation.rawValue)\n\(failure)")
            broken.insert(failure.law)
        }
        broken.formUnion(TripMutation.allCases.filter(\.isOfAuthors).map(\.law))
        #expect(Set(Law.ofTrips).subtracting(broken).isEmpty)
    }

    /// They are not made small here, for that takes minutes.
    @Test("every fault of membership is seen by its law where members in league write what they like")
    func everyRuleOfMembershipIsSeenToFail() async {
        let survivors = await withTaskGroup { group in
            for mutation in TripMutation.allCases where mutation.isOfAuthors {
                group.addTask {
                    let simulator = TripSimulator(mutation.conditions)
                    // Few seeds show two of them: those are tried first.
                    let isFound = ([384, 420] + (1...480)).contains { seed in
                        simulator.run(simulator.plan(seed: seed)).violation?.law == mutation.law
                    }
                    return isFound ? nil : mutation.rawValue
                }
            }
            return await group.reduce(into: [String]()) { $0 += [$1].compactMap { $0 } }
        }
        #expect(survivors.isEmpty)
    }

    /// They are not made small here either: what a mailbox does takes hours of the run's time.
    @Test("every fault of mailboxes is seen by its law where people are apart", .tags(.slow))
    func everyFaultOfMailboxesIsSeen() {
        for mutation in TripMutation.allCases where mutation.isOfMailboxes {
            let simulator = TripSimulator(mutation.conditions)
            // A forged receipt must come while its reader lacks something.
            let isFound = ([33] + (1...10)).contains { seed in
                simulator.run(simulator.plan(seed: seed)).violation?.law == mutation.law
            }
            #expect(isFound, "\(mutation.rawValue) survives")
        }
    }

    @Test func aSmallRunIsRepeatedFromItsOptionsAndFromItsFile() throws {
        let mutation = TripMutation.skippedRemoves
        let failure = try #require(mutation.find(seeds: 1...20))
        let simulator = TripSimulator(mutation.conditions)
        let kept = try #require(failure.options.split(separator: " ").last)
        let part = try #require(TripSelection(String(kept))).part(of: simulator.plan(seed: failure.plan.seed))
        #expect(part == failure.shrunkPlan)
        let replay = try TripReplay(failure.replay.description)
        #expect(replay.plan == failure.shrunkPlan)
        #expect(replay.description == failure.replay.description)
        let again = TripSimulator(replay.conditions).run(replay.plan)
        #expect(again.violation?.law.name == replay.law)
        #expect(again.digest == replay.digest)
    }

    /// Somebody with an invite and nobody to let them in is a liveness failure of its own, and says nothing.
    @Test func aRunIsNotMadeSoSmallThatNobodyIsLeftToJoin() throws {
        let conditions = TripConditions(
            replicas: 2, steps: 60, profile: .hostile, faults: [.join, .fullDisk], mutation: .unreportedFailure)
        var often = conditions
        often.faultInterval = 8
        let failure = try #require(TripSimulator(often).counterexample(among: 7...7))
        #expect(failure.law == .liveness && failure.shrunkPlan.nodes.first == 0)
        #expect(failure.shrunkOutcome.violation?.finding.hasSuffix("waits for its disk") == true, "\(failure)")
        // A part in which nobody comes at all breaks nothing.
        let simulator = TripSimulator(TripConditions(steps: 300, faults: []))
        let part = try #require(TripSelection("/" + (0..<300).map(String.init).joined(separator: ",")))
        #expect(simulator.run(part.part(of: simulator.plan(seed: 1))).violation == nil)
    }

    @Test func aFileThatIsNoReplayIsRefusedWithALine() throws {
        let head = "caravan-trip 1\nprofile lan\nreplicas 4\nseed 1\n"
        let wrong: [(String, Int)] = [
            ("", 1), ("\n" + head, 1), ("caravan-trip 2\n", 1), (head + "act 1 10 4 ff\n", 5),
            (head + "act 1 10 0 zz\n", 5),
            (head + "act 1 10 0 1\nact 1 11 0 1\n", 6), (head + "act 2 10 0 1\nact 3 9 0 1\n", 6),
            (head + "act 1000000 1 0 1\nact 1000001 1 0 1\n", 6), (head + "fault 1 1 flood 0 1 1 1\n", 5),
            (head + "act 1 99999999999 0 1\n", 5), (head + "dance 1\n", 5), ("caravan-trip 1\nreplicas 1001\n", 2),
            ("caravan-trip 1\nprofile lan\n", 3), (head + "nodes 2,1\n", 5),
            (head + "act 1 10 3 ff\nend 2\n", 6), (head + "end 0\nact 1 10 3 ff\n", 6),
            (head + "guests 2\n", 5), (head + "replicas 2\n", 5),
            (head + String(repeating: "x", count: TripReplay.bytesMax), 1),
        ]
        for (text, line) in wrong {
            do {
                _ = try TripReplay(text)
                Issue.record("\(text.prefix(100)) is taken")
            } catch {
                #expect(error.line == line, "\(text.prefix(100)): \(error)")
            }
        }
        let steps = "act 1 10 3 ff\nfault 2 11 crash 0 1 5 a\n"
        for (text, hasEnd) in [(head + steps, false), (head + steps + "end 2\n", true)] {
            let replay = try TripReplay(text)
            #expect(replay.hasEnd == hasEnd && replay.digest == nil && replay.plan.steps.count == 2)
            #expect(try TripReplay(replay.description) == replay)
            #expect(try TripReplay(text.split(separator: "\n").joined(separator: "\r\n")) == replay)
        }
    }
}
