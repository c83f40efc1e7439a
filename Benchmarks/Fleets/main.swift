import ChangeLog
import Convergence
import LibC
import SyncEngine
import TripModel

/// `Fleets burst|single|overlay [--nodes N] [--changes N] …`
let arguments = Array(CommandLine.arguments.dropFirst())

func option(_ name: String, _ standard: Int) -> Int {
    guard let index = arguments.firstIndex(of: "--" + name), index + 1 < arguments.count else { return standard }
    return Int(arguments[index + 1]) ?? standard
}

/// Processor time of this process.
func seconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The most memory that this process has held, in bytes.
func peakMemory() -> Int {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    return usage.ru_maxrss * 1_024
}

func complain(_ text: String) {
    let line = Array((text + "\n").utf8)
    _ = write(STDERR_FILENO, line, line.count)
}

/// Ends a run of which nothing can be believed. A trap would not say why in a release build.
func fail(_ reason: String) -> Never {
    complain(reason)
    exit(1)
}

/// Replaces a file's content.
func store(_ text: String, at path: String) throws {
    guard let file = fopen(path, "w") else { throw CannotWrite(path: path) }
    defer { fclose(file) }
    let bytes = Array(text.utf8)
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw CannotWrite(path: path) }
}

struct CannotWrite: Error {
    let path: String
}

let seed = UInt64(option("seed", 1))

switch arguments.first {
case "burst": try Volume(inBursts: true, nodes: option("nodes", 200), changes: option("changes", 20)).run()
case "single": try Volume(inBursts: false, nodes: option("nodes", 200), changes: option("changes", 20)).run()
case "overlay": print(try Spread.measure(nodes: option("nodes", 200), changes: option("changes", 10)).json)
case "growth":
    let sizes = [10, 30, 100, 300, 1_000, 3_000, 10_000].filter { $0 <= option("nodes", 10_000) }
    let growth = try Growth.measure(sizes: sizes, changes: option("changes", 10))
    if let index = arguments.firstIndex(of: "--report"), index + 1 < arguments.count {
        try store(growth.report(command: "Scripts/bench scale").html, at: arguments[index + 1])
    }
case "batch": try Batch(size: option("batch", 1_000), count: option("changes", 20)).run()
default:
    complain(
        """
        usage: Fleets burst|single|overlay|growth|batch [--nodes N] [--changes N] [--seed N] [--latency MS] [--write MS]
                      [--pace MS] [--contacts N] [--trip 0|1] [--batch N] [--report FILE.html]
        """)
    exit(64)
}
