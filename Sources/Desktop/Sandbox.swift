/// Walls around a program that reads what strangers wrote, by `bwrap` (package bubblewrap): namespaces of its own, in which it sees
/// nothing of this machine but its programs.
enum Sandbox {
    /// Threads and processes of a program, of which it needs a few.
    private static let processesMax = 24

    private static let walls = [
        "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--ro-bind", "/usr", "/usr",
        "--ro-bind-try", "/lib", "/lib", "--ro-bind-try", "/lib64", "/lib64", "--ro-bind-try", "/etc/ld.so.cache",
        "/etc/ld.so.cache", "--tmpfs", "/tmp", "--chdir", "/tmp",
    ]

    /// What a program may have besides.
    struct Openings {
        /// Whether it shares this machine's network, with its loopback.
        var sharesNetwork = false
        /// Files and folders of this machine that it may read, where they are there.
        var files: [String] = []
        /// Lines of a shell that are run before it, within the walls.
        var before = ""
    }

    /// Runs a program within the walls; nil, and nothing was run, where they cannot be put up here.
    static func run(
        _ program: Program, _ arguments: [String], environment: [String], input: [UInt8] = [],
        _ limits: Child.Limits, openings: Openings = Openings()
    ) async throws(DesktopError) -> Child.Outcome? {
        guard let bwrap = Program("bwrap"), program.path.hasPrefix("/usr/") else { return nil }
        let network = openings.sharesNetwork ? ["--share-net"] : []
        let files = openings.files.flatMap { ["--ro-bind-try", $0, $0] }
        // Counted in its own user namespace, so that what else this person runs is none of it.
        let before = "ulimit -p \(processesMax); \(openings.before)\nexec \"$@\""
        let outcome = try await Child.run(
            bwrap, walls + network + files + ["/usr/bin/sh", "-c", before, "sh", program.path] + arguments,
            environment: environment, input: input, limits)
        // Where the system lets nobody make namespaces it says so.
        let hasFailed = outcome.errors.hasPrefix("bwrap: ") || [126, 127].contains(outcome.status)
        return outcome.status == 0 || !hasFailed ? outcome : nil
    }
}
