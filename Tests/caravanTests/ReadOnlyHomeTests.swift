import Foundation
import Testing

/// A home that nothing can be written to: reading works, writing says why not.
struct ReadOnlyHomeTests {
    enum Hindrance: CaseIterable { case full, readOnly }

    /// Runs a command where its home is hindered, in a mount namespace of its own, which goes with it.
    private static func wrapper(_ hindrance: Hindrance, _ home: String) -> [String] {
        let mounted =
            switch hindrance {
            case .readOnly: "mount --bind \"$0\" \"$0\" && mount -o remount,ro,bind \"$0\""
            case .full:
                // What the home holds, and not a page more.
                """
                copy="$0.copy" && rm -rf "$copy" && cp -a "$0" "$copy" && mount -t tmpfs -o size=1m none "$0" \
                && chmod 700 "$0" && cp -a "$copy/." "$0" && { cat /dev/zero >"$0/filler" 2>/dev/null || true; }
                """
            }
        return ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", mounted + " && exec \"$@\"", home]
    }

    private static let mayMount: Bool = {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        process.arguments = ["--mount", "/bin/sh", "-c", "mount -t tmpfs none /mnt"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    @Test(
        "a home that cannot be written to is read, and a change is refused with the reason",
        .enabled(if: mayMount, "nothing may be mounted here"), arguments: Hindrance.allCases)
    func hindered(by hindrance: Hindrance) async throws {
        let scratch = try ScratchFolder()
        var caravan = Product(home: scratch.path + "/home")
        try await caravan.done("new", "Lisbon in June", "--as", "Jie")
        try await caravan.done("add", "Roof tent")
        let list = try await caravan.done("list", "--json")
        caravan.wrapper = ReadOnlyHomeTests.wrapper(hindrance, caravan.home)
        let readings: [(arguments: [String], part: String)] = [
            (["list"], "Roof tent"), (["list", "--json"], list), (["show", "1"], "Roof tent"),
            (["history"], "Roof tent"), (["members"], "Jie"), (["status"], "Cannot write changes: "),
            (["trips"], "Lisbon in June"),
        ]
        for (arguments, part) in readings {
            let outcome = try await caravan.run(arguments)
            #expect(outcome.status == 0 && outcome.output.contains(part), "\(arguments): \(outcome.summary)")
        }
        for arguments in [["add", "Hammock"], ["vote", "1"], ["up", "--peer", "127.0.0.1:1"]] {
            let outcome = try await caravan.run(arguments)
            let isWhy =
                switch hindrance {
                case .full: outcome.isRefusal(saying: "full") || outcome.isRefusal(saying: "space")
                case .readOnly: outcome.isRefusal(saying: "read-only")
                }
            #expect(isWhy, "\(arguments): \(outcome.summary)")
        }
        caravan.wrapper = []
        #expect(try await caravan.done("list", "--json") == list)
    }

    @Test(
        "a disk with room for a part of the doctor's file is full",
        .enabled(if: mayMount, "nothing may be mounted here"))
    func nearlyFull() async throws {
        let scratch = try ScratchFolder()
        var caravan = Product(home: scratch.path + "/home")
        try await caravan.done("new", "Lisbon in June", "--as", "Jie")
        caravan.wrapper =
            ReadOnlyHomeTests.wrapper(.full, caravan.home)
            + ["/bin/sh", "-c", "truncate -s -16K \"$0/filler\" && exec \"$@\"", caravan.home]
        let outcome = try await caravan.run("doctor", "--json")
        #expect(outcome.status == 1 && outcome.output.contains("\"disk_full\""), outcome.summary)
    }

    @Test(
        "the current trip cannot be set on a read-only disk, and the error says why",
        .enabled(if: mayMount, "nothing may be mounted here"))
    func currentTrip() async throws {
        let scratch = try ScratchFolder()
        var caravan = Product(home: scratch.path + "/home")
        for title in ["Porto", "Lisbon in June"] { try await caravan.done("new", title, "--as", "Jie") }
        caravan.wrapper = Self.wrapper(.readOnly, caravan.home)
        let outcome = try await caravan.run("use", "Porto")
        #expect(outcome.isRefusal(saying: "read-only file system; make it writable"), outcome.summary)
    }
}
