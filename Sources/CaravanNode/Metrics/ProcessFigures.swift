import Foundation
import LibC

/// What the system says of this process (proc(5)).
enum ProcessFigures {
    /// Bytes of memory that are in use; nil where it does not say.
    static var residentBytes: Int64? {
        let fields = TextFile.read("/proc/self/statm")?.split(separator: " ") ?? []
        guard fields.count > 1, let pages = Int64(fields[1]) else { return nil }
        return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// Descriptors that are open, less the one that lists them.
    static var openDescriptors: Int? {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")).map { max(0, $0.count - 1) }
    }
}
