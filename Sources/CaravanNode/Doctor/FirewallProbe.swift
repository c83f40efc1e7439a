import Foundation
import Platform

/// Whether a firewall runs on this machine, as far as this user may know.
enum FirewallProbe {
    /// How it is called, and what lets a port in; nil where none is known.
    static func find() -> String? {
        if TextFile.read("/etc/ufw/ufw.conf")?.split(separator: "\n").contains("ENABLED=yes") == true { return "ufw" }
        if access("/run/firewalld.pid", F_OK) == 0 { return "firewalld" }
        // Rules are shown to root alone.
        guard geteuid() == 0, let chains = output(of: ["/usr/sbin/nft", "list", "chains"]) else { return nil }
        return chains.contains("hook input") ? "nftables" : nil
    }

    private static let secondsMax = 2.0
    private static let bytesMax = 1 << 20

    /// What a program prints, within a bound and a deadline; nil where it cannot be run.
    private static func output(of words: [String]) -> String? {
        guard access(words[0], X_OK) == 0 else { return nil }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let identifier = process.processIdentifier
        let deadline = DispatchWorkItem { kill(identifier, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + secondsMax, execute: deadline)
        let data = (try? pipe.fileHandleForReading.read(upToCount: bytesMax)) ?? nil
        try? pipe.fileHandleForReading.close()
        process.waitUntilExit()
        deadline.cancel()
        return data.map { String(decoding: $0, as: UTF8.self) }
    }
}
