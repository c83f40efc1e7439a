import Glibc

// HoldLaws SEED STEPS RUNS MUTANTS
let numbers = CommandLine.arguments.dropFirst().compactMap { Int32($0) }
exit(holdLaws(seed: numbers[0], steps: numbers[1], runs: numbers[2], mutants: numbers[3]))
