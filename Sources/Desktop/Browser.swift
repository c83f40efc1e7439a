extension Desktop {
    /// How long is waited for a refusal, in seconds: a browser that opens stays.
    private static let refusalTime = 3

    /// Opens an address in the person's browser, by `xdg-open`, and leaves it running.
    ///
    /// Other programs on this machine may see the address for a moment. So an address that admits somebody must work only once.
    ///
    /// - Parameter address: of http or https.
    /// - Throws: where there is no display, as over SSH, or nothing to open it with.
    package static func openBrowser(_ address: String) async throws(DesktopError) {
        guard address.hasPrefix("http://") || address.hasPrefix("https://") else {
            throw DesktopError("cannot open this address; only http and https are supported")
        }
        guard variable("DISPLAY") != nil || variable("WAYLAND_DISPLAY") != nil else {
            throw DesktopError("there is no display; open the address yourself")
        }
        guard let program = Program("xdg-open") else {
            throw DesktopError("xdg-open is not installed (package xdg-utils); open the address yourself")
        }
        let nowhere = try MemoryFile()
        let child = try Child(
            [program.path, address], environment: everyVariable,
            standard: (nowhere.descriptor, nowhere.descriptor, nowhere.descriptor))
        let status = try? await child.end(within: refusalTime)
        guard let status = status ?? nil else { return child.release() }
        guard Child.exitStatus(status) == 0 else {
            throw DesktopError("xdg-open found no browser; open the address yourself")
        }
    }
}
