import Glibc

/// Long runs of the law checker that the tests run shortly: `Laws [steps of each type] [seed] [part of a type's name]`.
let arguments = Array(CommandLine.arguments.dropFirst())
let steps = arguments.first.flatMap { Int($0) } ?? 1_000_000
let seed = arguments.dropFirst().first.flatMap { UInt64($0) } ?? 0
let trials = Trial.all.filter { arguments.count < 3 || $0.name.contains(arguments[2]) }
for trial in trials {
    let clock = ContinuousClock()
    let start = clock.now
    do throws(Violation) {
        try trial.run(seed, steps)
    } catch {
        print("\(trial.name): \(error)")
        exit(1)
    }
    print(
        "\(trial.name): \(steps) steps from seed \(seed), every law held, \((clock.now - start).components.seconds) s")
    fflush(nil)
}
