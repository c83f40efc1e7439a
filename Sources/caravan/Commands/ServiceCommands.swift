import ArgumentParser
import CaravanNode
import Console
import Desktop
import Foundation
import TripService

struct Service: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service",
        abstract: "Let systemd run your node whenever you are logged in.",
        discussion: "Examples: caravan service install, caravan service uninstall",
        subcommands: [Install.self, Uninstall.self, Unit.self])

    struct Install: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "install",
            abstract: "Write a unit for systemd, and start it.",
            discussion: """
                Trips whose keys are under a passphrase stay closed: nobody is there to be asked.
                To let it run when you are logged out too: loginctl enable-linger
                """)

        @Flag(help: "Write the unit alone: start nothing, now or later.")
        var noStart = false

        func run() async throws {
            let environment = ProcessInfo.processInfo.environment
            let path = try SystemdUnit.folder(environment) + "/" + SystemdUnit.name
            guard SystemdUnit.isOurs(path) ?? true else {
                throw ServiceError("\(path) was written by somebody else: put it aside, then do this again")
            }
            try Service.unit(environment).write(to: path)
            Output.line("written: \(path)")
            if noStart { return }
            do {
                try await Desktop.userServices(["daemon-reload"])
                try await Desktop.userServices(["enable", "--now", SystemdUnit.name])
                Output.line("Your node runs, and will whenever you are logged in.")
            } catch {
                throw ServiceError(
                    "it is written and not started (\(error)): systemctl --user enable --now \(SystemdUnit.name)")
            }
        }
    }

    struct Uninstall: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "uninstall",
            abstract: "End what systemd runs, and take the unit away.",
            discussion: "Your trips stay. Example: caravan service uninstall")

        func run() async throws {
            let path = try SystemdUnit.folder(ProcessInfo.processInfo.environment) + "/" + SystemdUnit.name
            switch SystemdUnit.isOurs(path) {
            case nil: throw ServiceError("there is no unit at \(path)")
            case false?: throw ServiceError("\(path) was written by somebody else: it is left alone")
            case true?: break
            }
            // Where systemd does not answer, nothing of it runs.
            try? await Desktop.userServices(["disable", "--now", SystemdUnit.name])
            guard unlink(path) == 0 else {
                throw ServiceError(.unwritable, "\(path) cannot be removed: give yourself permission for it")
            }
            try? await Desktop.userServices(["daemon-reload"])
            Output.line("removed: \(path)")
        }
    }

    struct Unit: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "unit",
            abstract: "Print the unit.", discussion: "Example: caravan service unit --program /usr/bin/caravan")

        @Option(help: ArgumentHelp("The program that it runs; this one by default.", valueName: "path"))
        var program: String?

        func run() throws {
            // For whoever installs it for others: it names nobody's home.
            let unit = try Service.unit(program == nil ? ProcessInfo.processInfo.environment : [:])
            Output.text(SystemdUnit(executable: program ?? unit.executable, home: unit.home).text)
        }
    }

    /// The unit of this program, and of the home that commands use here.
    private static func unit(_ environment: [String: String]) throws(ServiceError) -> SystemdUnit {
        let executable: String
        do { executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") } catch {
            throw ServiceError("the system does not say where this program lies: is /proc mounted?")
        }
        let home = environment["CARAVAN_HOME"].flatMap { $0.isEmpty ? nil : URL(fileURLWithPath: $0).path }
        return SystemdUnit(executable: executable, home: home)
    }
}
