import LibC

/// How this process deals with the memory that it lets go of.
package enum Memory {
    /// Blocks of this size and more go back to the system as soon as they are free.
    private static let greatBlockBytes: Int32 = 256 << 10

    /// Keeps no great block for later use. glibc would: each one that is freed raises the size from which blocks are mapped by
    /// themselves, up to 32 MiB (mallopt(3), `M_MMAP_THRESHOLD`), so that the next photo's bytes lie in the heap and stay there.
    package static func returnGreatBlocks() {
        // Its header is not in Swift's module of glibc; of another C library there may be no such function.
        guard let symbol = dlsym(nil, "mallopt") else { return }
        typealias Setter = @convention(c) (_ parameter: Int32, _ value: Int32) -> Int32
        let mappingThreshold: Int32 = -3  // M_MMAP_THRESHOLD
        _ = unsafeBitCast(symbol, to: Setter.self)(mappingThreshold, greatBlockBytes)
    }
}
