import Foundation
import LibC
import Testing

/// `caravan fetch`, and `caravan add --fetch`, where nothing can be fetched: what can be is in the lab's scenario `links`.
struct LinkCommandTests {
    private func trip(_ scratch: borrowing ScratchFolder) async throws -> Product {
        let caravan = Product(home: scratch.path + "/jie")
        try await caravan.done("new", "Lisbon", "--as", "Jie")
        return caravan
    }

    @Test(
        "a link that cannot be fetched is added without its details, one line says why, and the status is 1",
        .enabled(if: access("/usr/bin/curl", X_OK) == 0 && access("/usr/bin/bwrap", X_OK) == 0))
    func addedAnyway() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await trip(scratch)
        let added = try await caravan.run("add", "http://127.0.0.1:80/rooms/casa", "--fetch", "--price", "80 EUR")
        #expect(added.status == 1 && added.output.hasPrefix("Added 1 “127.0.0.1:80: casa”"), added.summary)
        #expect(
            added.errors
                == "caravan: 127.0.0.1 is not on the public internet; only pages there are fetched; the item was added without its details\n"
        )
        let changes = try await caravan.json("history").elements.count
        let fetched = try await caravan.run("fetch", "1")
        #expect(fetched.isRefusal(saying: "127.0.0.1 is not on the public internet"), fetched.summary)
        #expect(try await caravan.json("history").elements.count == changes, "nothing is written of what failed")
    }

    @Test("without curl or a sandbox nothing is fetched, and what to install is said")
    func programs() async throws {
        let scratch = try ScratchFolder()
        var caravan = try await trip(scratch)
        try await caravan.done("add", "https://example.org/rooms/casa")
        let programs = scratch.path + "/programs"
        try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: true)
        caravan.environment["PATH"] = programs
        let none = try await caravan.run("fetch", "1")
        #expect(none.isRefusal(saying: "getent is not installed; install the package libc-bin"), none.summary)
        try FileManager.default.createSymbolicLink(atPath: programs + "/getent", withDestinationPath: "/usr/bin/getent")
        let open = try await caravan.run("fetch", "1")
        #expect(
            open.isRefusal(saying: "pages are only fetched in a sandbox; install the package bubblewrap"), open.summary)
        let script = "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2; exit 1\n"
        _ = FileManager.default.createFile(
            atPath: programs + "/bwrap", contents: Data(script.utf8), attributes: [.posixPermissions: 0o700])
        caravan.environment["PATH"] = programs + ":/usr/bin"
        try FileManager.default.removeItem(atPath: programs + "/getent")
        let broken = try await caravan.run("fetch", "1")
        #expect(broken.isRefusal(saying: "bubblewrap cannot make one here"), broken.summary)
        let doctor = try await caravan.run("doctor", "--json")
        #expect(doctor.output.contains("\"no_link_fetcher\""), doctor.summary)
    }

    @Test("an item without a link and a removed one have no details; --fetch needs a link")
    func refused() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await trip(scratch)
        try await caravan.done("add", "Casa")
        let bare = try await caravan.run("fetch", "1")
        #expect(
            bare.isRefusal(saying: "“Casa” has no link; give it one with `caravan edit 1 --link URL`"), bare.summary)
        for words in [
            ["add", "Casa", "--fetch"], ["add", "--lines", "--fetch"], ["fetch"], ["fetch", "1", "--always"],
        ] {
            let outcome = try await caravan.run(words)
            #expect(outcome.status == 64, "\(words): \(outcome.summary)")
        }
    }

    @Test("fetching is allowed once for a trip on this device, and that is kept, shown and ended")
    func always() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await trip(scratch)
        #expect(try await caravan.done("fetch", "--always") == "Fetching details of every link that you add here\n")
        #expect(try await caravan.done("fetch", "--always").hasPrefix("Nothing changed: details of every link"))
        #expect(try await caravan.done("status").contains("Fetches details of the links that you add"))
        // What fails is no failure of what was asked.
        let added = try await caravan.run("add", "http://127.0.0.1/casa")
        #expect(added.status == 0 && added.errors.contains("the item was added without its details"), added.summary)
        let quiet = try await caravan.run("add", "http://127.0.0.1/loft", "--no-fetch")
        #expect(quiet.status == 0 && !quiet.errors.contains("details"), quiet.summary)
        try await caravan.done("fetch", "--no-always")
        #expect(try await caravan.json("status")["fetches_links"].text == nil)
        let last = try await caravan.run("add", "http://127.0.0.1/tent")
        #expect(last.status == 0 && !last.errors.contains("details"), last.summary)
    }
}
