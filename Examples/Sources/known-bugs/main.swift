import Foundation
import KnownBugs

// Finds each known bug, or those named, and holds its right counterpart against as many seeds as wanted:
//
//     swift run -c release --package-path Examples known-bugs [seeds, by default 1000] [NAME…]

let arguments = CommandLine.arguments.dropFirst()
let names = arguments.dropFirst()
let bugs = Bug.all.filter { names.isEmpty || names.contains($0.name) }
guard let seeds = UInt64(arguments.first ?? "1000"), seeds > 0, !bugs.isEmpty else {
    FileHandle.standardError.write(Data("usage: known-bugs [how many seeds, from 1] [names of bugs]\n".utf8))
    exit(64)
}

var isRight = true
for bug in bugs {
    let found = bug.find(1...seeds)
    let start = ContinuousClock.now
    let failed = bug.findInRight(1...seeds)
    let taken = ContinuousClock.now - start
    isRight = isRight && found?.law == bug.law && failed == nil
    print("\(bug.name): \(bug.source)\n\(found?.report ?? "not found in \(seeds) seeds")")
    print("put right: \(failed ?? "every law holds in \(seeds) seeds, \(taken)")\n")
    fflush(nil)
}
exit(isRight ? 0 : 1)
