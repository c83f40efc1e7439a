import ArgumentParser
import CaravanNode
import Console
import Desktop
import Foundation
import TripService
import TripText

struct Service: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service",
        abstract: "Run the node in the background with systemd.",
        discussion: """
            Examples:
              caravan service install
              caravan service uninstall
            """,
        subcommands: [Install.self, Uninstall.self, Unit.self])

    struct Install: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "install",
            abstract: "Install a systemd user unit, and start it.",
            discussion: """
                The node then runs whenever you are logged in. To keep it running while you are logged out, run \
                `loginctl enable-linger`. Trips that need a passphrase stay closed.

                Example: caravan service install
                """)

        @Flag(help: "Only write the unit; don't start or enable it.")
        var noStart = false

        func run() async throws {
            let environment = ProcessInfo.processInfo.environment
            let path = try SystemdUnit.folder(environment) + "/" + SystemdUnit.name
            guard SystemdUnit.isOurs(path) ?? true else {
                throw ServiceError("\(path) exists and was not written by caravan; move it away and try again")
            }
            let unit = try Service.unit(environment)
            try unit.write(to: path)
            Output.line("Wrote \(path)")
            if noStart { return }
            do {
                do { try await start() } catch {
                    // Where the system lets nobody make namespaces, it starts without.
                    var bare = unit
                    bare.isNamespaced = false
                    try bare.write(to: path)
                    do { try await start() } catch {
                        try unit.write(to: path)
                        throw error
                    }
                    Output.line("This system doesn't allow user namespaces: the node runs without them, less confined.")
                }
                Output.line("Started the node. It will start again whenever you log in.")
            } catch {
                throw ServiceError(
                    "the unit is written, but could not be started (\(error)); run `systemctl --user enable --now "
                        + "\(SystemdUnit.name)`")
            }
        }

        private func start() async throws(DesktopError) {
            try await Desktop.userServices(["daemon-reload"])
            try await Desktop.userServices(["enable", "--now", SystemdUnit.name])
        }
    }

    struct Uninstall: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "uninstall",
            abstract: "Stop the node, and delete its systemd user unit.",
            discussion: "Keeps your trips.\n\nExample: caravan service uninstall")

        func run() async throws {
            let path = try SystemdUnit.folder(ProcessInfo.processInfo.environment) + "/" + SystemdUnit.name
            switch SystemdUnit.isOurs(path) {
            case nil: return Output.line(TerminalText.nothingChanged("there is no unit at \(path)"))
            case false?:
                throw ServiceError("\(path) was not written by caravan, and was left unchanged; delete it yourself")
            case true?: break
            }
            // Where systemd does not answer, nothing of it runs.
            try? await Desktop.userServices(["disable", "--now", SystemdUnit.name])
            guard unlink(path) == 0 else {
                throw ServiceError(.unwritable, "cannot delete \(path); check its permissions")
            }
            try? await Desktop.userServices(["daemon-reload"])
            Output.line("Deleted \(path)")
        }
    }

    struct Unit: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "unit",
            abstract: "Print the systemd unit.", discussion: "Example: caravan service unit --program /usr/bin/caravan")

        @Option(help: ArgumentHelp("The program that it runs; by default this one.", valueName: "path"))
        var program: String?

        func run() throws {
            // With `--program`, the unit is for other users, so it names nobody's home.
            let unit = try Service.unit(program == nil ? ProcessInfo.processInfo.environment : [:])
            Output.text(SystemdUnit(executable: program ?? unit.executable, home: unit.home).text)
        }
    }

    /// The unit of this program, and of the home that commands use here.
    private static func unit(_ environment: [String: String]) throws(ServiceError) -> SystemdUnit {
        let executable: String
        do { executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") } catch {
            throw ServiceError("cannot find the path of this program; is /proc mounted?")
        }
        let home = environment["CARAVAN_HOME"].flatMap { $0.isEmpty ? nil : URL(fileURLWithPath: $0).path }
        return SystemdUnit(executable: executable, home: home)
    }
}
