import ChangeLog
import Convergence
import Glibc
import SyncEngine
import TripModel

/// `scale burst|single|overlay [--nodes N] [--changes N] …`
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

let nodes = option("nodes", 200)
let changes = option("changes", 20)
let seed = UInt64(option("seed", 1))

switch arguments.first {
case "burst": try Volume(inBursts: true).run()
case "single": try Volume(inBursts: false).run()
case "overlay": try Spread().run()
default:
    complain("usage: scale burst|single|overlay [--nodes N] [--changes N] [--seed N] [--latency MS] [--write MS]")
    exit(64)
}
