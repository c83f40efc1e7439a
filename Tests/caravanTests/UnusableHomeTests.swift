import Foundation
import LibC
import Testing

/// Homes that are shut, in the way, too long or damaged: one true line, and nothing changed.
struct UnusableHomeTests {
    private func expectRefusal(_ outcome: Product.Outcome, _ what: String, says part: String) {
        #expect(outcome.status == 1 && !outcome.isKilled && outcome.output == "", "\(what): \(outcome.status)")
        #expect(outcome.errorLines.count == 1 && outcome.errors.hasPrefix("caravan: "), "\(what): \(outcome.errors)")
        #expect(outcome.errors.contains(part), "\(what): \(outcome.errors)")
    }

    @Test func pathsThatCannotBeAreNotTakenForEmptyHomes() async throws {
        let scratch = try ScratchFolder()
        let file = scratch.path + "/file"
        try Data("text".utf8).write(to: URL(fileURLWithPath: file))
        let under = Product(home: file + "/home")
        expectRefusal(try await under.run("new", "Lisbon", "--as", "Jie"), "under a file", says: "not a directory")
        expectRefusal(try await under.run("list"), "under a file", says: "CARAVAN_HOME")
        let deep = Product(home: scratch.path + String(repeating: "/" + String(repeating: "d", count: 90), count: 6))
        expectRefusal(try await deep.run("new", "Lisbon", "--as", "Jie"), "540 bytes of path", says: "too long")
        let wide = Product(home: scratch.path + "/" + String(repeating: "d", count: 300))
        expectRefusal(try await wide.run("new", "Lisbon", "--as", "Jie"), "300 bytes of name", says: "too long")
    }

    /// Root may do everything, and becomes somebody else for this.
    private static let plainUser =
        getuid() == 0 ? ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []

    @Test(
        .enabled(
            if: plainUser.allSatisfy { !$0.hasPrefix("/") || FileManager.default.isExecutableFile(atPath: $0) },
            "there is no setpriv here to become a plain user"))
    func aHomeWithoutPermissionIsNotTakenForAnEmptyOne() async throws {
        let scratch = try ScratchFolder()
        var caravan = Product(home: scratch.path + "/home")
        #expect(try await caravan.run("new", "Lisbon", "--as", "Jie").status == 0)
        caravan.wrapper = UnusableHomeTests.plainUser
        // Where the build lies in a folder of root's, nobody else can run it.
        guard let outcome = try? await caravan.run("--version"), outcome.status == 0 else { return }
        if getuid() != 0 { chmod(caravan.home, 0) }
        defer { chmod(caravan.home, 0o700) }
        for arguments in [["list"], ["add", "Tent"], ["new", "Porto", "--as", "Jie"], ["trips"], ["up"]] {
            expectRefusal(try await caravan.run(arguments), arguments[0], says: "permission")
        }
    }

    @Test func damagedKeysAndEmptiedStoresAreSaidAndLeftAlone() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path + "/home")
        #expect(try await caravan.run("new", "Lisbon", "--as", "Jie").status == 0)
        let harms: [(what: String, says: String, file: String, change: (Data) -> Data)] = [
            ("newer keys", "newer", "keys", { $0.prefix(12) + Data([99]) + $0.dropFirst(13) }),
            ("a flipped bit", "damaged", "keys", { $0.prefix(50) + Data([$0[50] ^ 1]) + $0.dropFirst(51) }),
            ("half of the keys", "damaged", "keys", { $0.prefix($0.count / 2) }),
            ("emptied keys", "damaged", "keys", { _ in Data() }),
            ("an emptied store", "damaged", "trip.sqlite", { _ in Data() }),
        ]
        for harm in harms {
            let name = try #require(scratch.contents().first { $0.hasSuffix("/" + harm.file) })
            let file = URL(fileURLWithPath: scratch.path + "/" + name)
            let whole = try Data(contentsOf: file)
            let hurt = harm.change(whole)
            try hurt.write(to: file)
            for arguments in [["list"], ["add", "Tent"], ["up"]] {
                expectRefusal(try await caravan.run(arguments), "\(harm.what), \(arguments[0])", says: harm.says)
            }
            #expect(try await caravan.run("trips").output.contains(harm.says), "\(harm.what)")
            #expect(try Data(contentsOf: file) == hurt, "\(harm.what) was changed")
            try whole.write(to: file)
        }
        #expect(try await caravan.run("list").output.contains("Lisbon"))
    }

    @Test("a trip whose keys are missing is named, and can be deleted")
    func missingKeys() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path + "/home")
        try await caravan.done("new", "Lisbon", "--as", "Jie")
        let id = try #require(try FileManager.default.contentsOfDirectory(atPath: caravan.home + "/trips").first)
        try FileManager.default.removeItem(atPath: "\(caravan.home)/trips/\(id)/keys")
        for arguments in [["list"], ["add", "Tent"], ["up"], ["backup", scratch.path + "/b"]] {
            expectRefusal(try await caravan.run(arguments), arguments[0], says: "keys is missing")
        }
        expectRefusal(try await caravan.run("salvage"), "salvage", says: "restore a backup")
        #expect(try await caravan.run("trips").output.contains(id.prefix(6)))
        let doctor = try await caravan.run("doctor")
        #expect(doctor.status == 1 && doctor.output.contains("keys is missing"), doctor.summary)
        try await caravan.done("delete", String(id.prefix(6)), "--yes")
        #expect(try await caravan.run("trips").output.contains("No trips yet"))
    }

    @Test func aJoinThatCannotLookForAnybodyLeavesNothing() async throws {
        let scratch = try ScratchFolder()
        let jie = Product(home: scratch.path + "/jie")
        #expect(try await jie.run("new", "Lisbon", "--as", "Jie").status == 0)
        let link = try await jie.run("invite").output.trimmingCharacters(in: .whitespacesAndNewlines)
        let noah = Product(home: scratch.path + "/noah")
        let outcome = try await noah.run("join", link, "--as", "Noah")
        // The line that says what it looks for is printed only if it can look.
        expectRefusal(outcome, "join", says: "D-Bus")
        #expect(!scratch.contents().contains { $0.contains(".joining") })
    }
}
