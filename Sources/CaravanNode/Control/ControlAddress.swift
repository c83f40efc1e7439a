import LibC

/// Where a home's control socket lies: `control` in its folder.
///
/// A socket's path may have 107 bytes, which a folder's alone may exceed. So the folder is opened, and the socket is
/// named through the descriptor.
enum ControlAddress {
    /// The socket's name in the file system.
    static func path(in folder: String) -> String { folder + "/control" }

    /// Calls `body` with the address of a home's socket; nil where the folder cannot be opened.
    static func withAddress<Result>(
        in folder: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result? {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = Array("/proc/self/fd/\(descriptor)/control".utf8) + [0]
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
