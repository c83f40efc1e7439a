import LibC

/// Memory that was let go of and that the C library keeps for later.
enum FreeMemory {
    /// Bytes from which on it is worth while.
    static let greatBytes = 1 << 20

    /// Gives it back to the system (malloc_trim(3)). O(free blocks).
    static func giveBack() {
        // Not in Swift's module of glibc; of another C library there may be no such function.
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        typealias Trimmer = @convention(c) (_ pad: Int) -> Int32
        _ = unsafeBitCast(symbol, to: Trimmer.self)(0)
    }
}
