import Glibc

// HoldLaws SEED STEPS
let numbers = CommandLine.arguments.dropFirst().compactMap { Int32($0) }
exit(holdLaws(seed: numbers[0], steps: numbers[1]))
