import Foundation
import TestTiers
import Testing

/// What lies in a home is for its user alone, whatever the umask.
struct HomePermissionTests {
    @Test(.tags(.slow)) func everyFileAndFolderIsForItsUserAlone() async throws {
        let scratch = try ScratchFolder()
        var jie = Product(home: scratch.path + "/deep/jie")
        var noah = Product(home: scratch.path + "/noah")
        for umask in ["000", "777"] {
            jie.wrapper = ["/bin/sh", "-c", "umask \(umask); exec \"$@\"", "sh"]
            noah.wrapper = jie.wrapper
            let passphrase = "\(scratch.path)/passphrase-\(umask)"
            try #require(
                FileManager.default.createFile(
                    atPath: passphrase, contents: Data("horse battery".utf8), attributes: [.posixPermissions: 0o600]))
            #expect(try await jie.run("new", "Lisbon in June", "--as", "Jie").status == 0)
            let node = try await ListeningNode(jie)
            let link = try await jie.run("invite").output.trimmingCharacters(in: .newlines)
            #expect(try await noah.run("join", link, "--as", "Noah", "--peer", node.address).status == 0)
            // With a socket, and with a log that is written to.
            try expectPrivate(jie.home, holding: ["control", "keys", "lock", "trip.sqlite", "trip.sqlite-wal"])
            try await node.end()
            #expect(try await jie.run("passphrase", "set", "--new-passphrase-file", passphrase).status == 0)
            let backup = "\(scratch.path)/backup-\(umask)"
            let backUp = ["backup", backup, "--passphrase-file", passphrase]
            #expect(try await noah.run(backUp).status == 0)
            var restored = Product(home: "\(scratch.path)/restored")
            restored.wrapper = jie.wrapper
            #expect(try await restored.run("restore", backup, "--passphrase-file", passphrase).status == 0)
            for home in [jie.home, noah.home, restored.home] {
                try expectPrivate(home, holding: ["keys", "lock", "trip.sqlite"])
                try FileManager.default.removeItem(atPath: home)
            }
            #expect(mode(backup) == 0o600)
        }
        #expect(mode(scratch.path + "/deep") == 0o700)
    }

    private func expectPrivate(_ home: String, holding names: [String]) throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: home)
        for name in names { #expect(paths.contains { "/\($0)".hasSuffix("/\(name)") }, "\(name) in \(home)") }
        for path in [""] + paths {
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: "\(home)/\(path)", isDirectory: &isFolder)
            #expect(mode("\(home)/\(path)") == (isFolder.boolValue ? 0o700 : 0o600), "\(home)/\(path)")
        }
    }

    private func mode(_ path: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
    }
}
