import LibC

/// A library of the system that is loaded when a mailbox first needs it, and stays. So a machine without it runs everything
/// else.
struct SystemLibrary: @unchecked Sendable {
    /// Never closed, and used only to look up functions, which any thread may do.
    let handle: UnsafeMutableRawPointer

    /// - Parameters:
    ///   - names: file names, the best first.
    init?(_ names: [String]) {
        guard let handle = names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else { return nil }
        self.handle = handle
    }
}
