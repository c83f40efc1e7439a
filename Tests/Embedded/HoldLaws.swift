// Holds the laws of DeltaCRDT's tests against all types that need no key paths, and prints a line for each: its name, and a digest of
// all bytes that were written. Then it simulates them. Scripts/embedded builds it natively and as WebAssembly, where the lines must be the
// same.

import DeltaCRDT

enum NotCommutative: Defect { static var law: Law { .commutative } }

/// Returns how many types broke a law. A run of an even seed begins with a history in causal order.
@_cdecl("hold_laws")
public func holdLaws(seed: Int32, steps: Int32, runs: Int32, mutants: Int32) -> Int32 {
    var broken: Int32 = 0
    for trial in Trial.withoutKeyPaths {
        do throws(Violation) {
            print(trial.name + ": " + String(try trial.run(UInt64(seed), Int(steps)), radix: 16))
        } catch {
            print(trial.name + ": " + error.law.rawValue + " broken by seed " + String(error.seed))
            broken += 1
        }
    }
    for (name, digest) in [("sync sessions of maps", sessionsOfMaps()), ("sync sessions of texts", sessionsOfTexts())] {
        print(name + ": " + (digest.map { String($0, radix: 16) } ?? "the two differ"))
        if digest == nil { broken += 1 }
    }
    // A checker that finds nothing would pass above.
    do throws(Violation) {
        try LawChecker<MutantSpecimen<NotCommutative>>.run(MutantSpecimen<NotCommutative>.self, seed: 0, steps: 1280)
        print("a mutant: not found")
        broken += 1
    } catch {
        print("a mutant: " + error.law.rawValue + " broken by seed " + String(error.seed))
    }
    return broken + holdSimulations(seeds: UInt64(runs), mutants: Int(mutants))
}
