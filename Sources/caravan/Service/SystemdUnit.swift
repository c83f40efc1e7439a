import Files
import Foundation
import TripService

/// The unit by which systemd runs a user's node (systemd.service(5)).
struct SystemdUnit {
    static let name = "caravan.service"
    /// Tells a unit that was written here from one that somebody wrote.
    private static let mark = "# Written by `caravan service install`; `caravan service uninstall` deletes it."

    /// The program's path.
    let executable: String
    /// Where trips are kept; nil for where they are by default.
    let home: String?
    /// Whether it runs in namespaces of its own, which some systems allow to nobody.
    var isNamespaced = true

    /// What systemd.exec(5) can take from a program by filters of system calls alone. Photos of others are decoded in
    /// namespaces that the node makes (`@mount`).
    private static let filters = """
        NoNewPrivileges=yes
        LockPersonality=yes
        MemoryDenyWriteExecute=yes
        RestrictRealtime=yes
        RestrictSUIDSGID=yes
        RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
        SystemCallArchitectures=native
        SystemCallFilter=@system-service @mount
        SystemCallErrorNumber=EPERM
        """

    /// What needs a user namespace. Folders of mailboxes may be anywhere, so only the system's own are read-only.
    private static let namespaces = """
        PrivateUsers=yes
        CapabilityBoundingSet=
        PrivateDevices=yes
        ProtectSystem=full
        ProtectProc=invisible
        ProtectClock=yes
        ProtectControlGroups=yes
        ProtectHostname=yes
        ProtectKernelModules=yes
        ProtectKernelTunables=yes
        """

    var text: String {
        let home = home.map { "Environment=\(Self.quoted("CARAVAN_HOME=" + $0))\n" } ?? ""
        let confinement = Self.filters + (isNamespaced ? "\n" + Self.namespaces : "")
        return """
            \(Self.mark)
            [Unit]
            Description=Caravan: plan trips together with no server
            Documentation=man:caravan(1)

            [Service]
            Type=exec
            ExecStart=\(Self.quoted(executable, isCommand: true)) up --log json
            \(home)Restart=on-failure
            RestartSec=5
            TimeoutStopSec=5
            LimitCORE=0
            UMask=0077
            \(confinement)

            [Install]
            WantedBy=default.target

            """
    }

    /// A word as a unit writes it: nothing in it means anything.
    private static func quoted(_ word: String, isCommand: Bool = false) -> String {
        var text = word.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
            .replacingOccurrences(of: "%", with: "%%")
        if isCommand { text = text.replacingOccurrences(of: "$", with: "$$") }
        return "\"\(text)\""
    }

    // MARK: - Where it lies

    /// The user's folder of units: `systemd/user` in the XDG configuration folder.
    static func folder(_ environment: [String: String]) throws(ServiceError) -> String {
        if let configuration = environment["XDG_CONFIG_HOME"], configuration.hasPrefix("/") {
            return configuration + "/systemd/user"
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw ServiceError("HOME is not set; set it, or XDG_CONFIG_HOME")
        }
        return home + "/.config/systemd/user"
    }

    /// Whether a file is one that was written here; nil where there is none.
    static func isOurs(_ path: String) -> Bool? {
        (try? WholeFile.beginning(of: path, upTo: mark.utf8.count))?.elementsEqual(mark.utf8)
    }

    /// Writes the unit, whole or not at all.
    func write(to path: String) throws(ServiceError) {
        do {
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw ServiceError(.unwritable, "cannot write \(path); check its permissions")
        }
    }
}
