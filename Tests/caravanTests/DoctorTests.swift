import Foundation
import LibC
import TestTiers
import Testing

/// `caravan doctor`, as far as one machine without a network of its own can tell; the network's causes are made in
/// `Scripts/lan-lab run doctor`.
struct DoctorTests {
    /// What is found, but for what the network here is like.
    private func causes(_ caravan: Product) async throws -> [String] {
        let outcome = try await caravan.run("doctor", "--json")
        let answer = try JSONDecoder().decode(JSONAnswer.self, from: Data(outcome.output.utf8))
        #expect(answer["well"] == .flag(outcome.status == 0), "\(outcome.summary)")
        let ofNetwork: Set = ["no_bus", "no_daemon", "no_address", "routed_elsewhere", "route_refused"]
        let causes = answer["findings"].elements.compactMap { $0["cause"].text }
        return causes.filter {
            !ofNetwork.contains($0) && !$0.hasPrefix("multicast") && !$0.hasPrefix("no_picture")
        }
    }

    private func home(_ scratch: ScratchFolder) async throws -> (caravan: Product, trip: String) {
        let caravan = Product(home: scratch.path + "/home")
        try await caravan.done("new", "Lisbon in June", "--as", "Jie")
        let trips = try FileManager.default.contentsOfDirectory(atPath: caravan.home + "/trips")
        return (caravan, try #require(trips.first.map { caravan.home + "/trips/" + $0 }))
    }

    @Test("each line says what is wrong and what to do, and no D-Bus is one")
    func lines() async throws {
        let scratch = try ScratchFolder()
        let (caravan, _) = try await home(scratch)
        let outcome = try await caravan.run("doctor")
        #expect(outcome.status == 1 && outcome.errors == "", outcome.summary)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("Problem: D-Bus does not answer") && $0.contains("caravan up --peer") })
        #expect(lines.contains { $0.hasPrefix("Note: no node is running; ") })
    }

    @Test("a home that others can write to is said, each place once", .tags(.slow))
    func writableByOthers() async throws {
        let scratch = try ScratchFolder()
        let (caravan, trip) = try await home(scratch)
        #expect(try await causes(caravan) == ["no_node"])
        chmod(trip, 0o770)
        #expect(try await causes(caravan) == ["writable_by_others", "no_node"])
        chmod(trip, 0o700)
        chmod(scratch.path, 0o777)
        #expect(try await causes(caravan) == ["writable_by_others", "no_node"])
    }

    @Test("altered bytes are found in a store, and in its keys", .tags(.slow))
    func damage() async throws {
        for name in ["trip.sqlite", "keys"] {
            let scratch = try ScratchFolder()
            let (caravan, trip) = try await home(scratch)
            let path = URL(fileURLWithPath: "\(trip)/\(name)")
            var bytes = try Data(contentsOf: path)
            // Not every byte of a page means something.
            for place in bytes.count / 4..<bytes.count * 3 / 4 { bytes[place] ^= 0x55 }
            try bytes.write(to: path)
            #expect(try await causes(caravan) == ["no_node", "store_damaged"], "\(name)")
            let told = try await caravan.run("doctor").output
            #expect(!told.contains("***") && told.components(separatedBy: "recover what is").count == 2, "\(told)")
        }
        let scratch = try ScratchFolder()
        let (caravan, trip) = try await home(scratch)
        try FileManager.default.removeItem(atPath: trip + "/trip.sqlite")
        let missing = try await caravan.run("doctor").output
        #expect(
            missing.contains(
                "(it is empty); recover what is intact with `caravan salvage`; name the trip with `--trip"),
            "\(missing)")
    }

    @Test("a stopped node is told from one that runs, by the process and by its silence", .tags(.slow))
    func stopped() async throws {
        let scratch = try ScratchFolder()
        let (caravan, _) = try await home(scratch)
        let node = try await ListeningNode(caravan)
        #expect(try await causes(caravan) == [])
        let process = node.running.process.processIdentifier
        kill(process, SIGSTOP)
        #expect(try await causes(caravan) == ["node_stopped"])
        kill(process, SIGCONT)
        try await node.end()
    }

    @Test("a clock that is behind is told by files, and by what people wrote")
    func clock() async throws {
        let scratch = try ScratchFolder()
        let (caravan, trip) = try await home(scratch)
        var times = [timespec(tv_sec: time(nil) + 7_200, tv_nsec: 0), timespec(tv_sec: time(nil) + 7_200, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, "\(trip)/trip.sqlite", &times, 0) == 0)
        #expect(try await causes(caravan) == ["clock_behind", "no_node"])
    }

    @Test("a trip under a passphrase is looked at without asking for it")
    func sealed() async throws {
        let scratch = try ScratchFolder()
        let (caravan, _) = try await home(scratch)
        let passphrase = scratch.path + "/passphrase"
        _ = FileManager.default.createFile(
            atPath: passphrase, contents: Data("horse battery".utf8), attributes: [.posixPermissions: 0o600])
        try await caravan.done("passphrase", "set", "--new-passphrase-file", passphrase)
        #expect(try await causes(caravan) == ["no_node", "store_sealed"])
    }
}

/// What `caravan doctor` says of the programs that read pictures.
struct PictureDoctorTests {
    private func findings(_ caravan: Product) async throws -> [String] {
        let outcome = try await caravan.run("doctor", "--json")
        let answer = try JSONDecoder().decode(JSONAnswer.self, from: Data(outcome.output.utf8))
        return answer["findings"].elements.compactMap { $0["cause"].text }.filter { $0.hasPrefix("no_picture") }
    }

    @Test(
        "a missing decoder is told from a missing sandbox and from one that does not work",
        .enabled(if: access("/usr/bin/vipsthumbnail", X_OK) == 0))
    func pictures() async throws {
        let scratch = try ScratchFolder()
        var caravan = Product(home: scratch.path + "/home")
        try await caravan.done("new", "Lisbon in June", "--as", "Jie")
        let programs = scratch.path + "/programs"
        try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: true)
        caravan.environment["PATH"] = programs
        #expect(try await findings(caravan) == ["no_picture_decoder"])
        try FileManager.default.createSymbolicLink(
            atPath: programs + "/vipsthumbnail", withDestinationPath: "/usr/bin/vipsthumbnail")
        #expect(try await findings(caravan) == ["no_picture_sandbox"])
        for script in ["", "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2; exit 1\n"] {
            _ = FileManager.default.createFile(
                atPath: programs + "/bwrap", contents: Data(script.utf8), attributes: [.posixPermissions: 0o700])
            caravan.environment["PATH"] = programs + ":/usr/bin"
            try? FileManager.default.removeItem(atPath: programs + "/vipsthumbnail")
            #expect(try await findings(caravan) == ["no_picture_sandbox"], "\(script)")
        }
    }
}
