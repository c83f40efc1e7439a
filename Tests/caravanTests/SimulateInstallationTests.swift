import Foundation
import Testing

/// The simulator is a program of its own, which users don't install.
struct SimulateInstallationTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    /// A folder with a copy of `caravan`, and nothing beside it.
    private func alone() throws -> (program: String, Process, Pipe) {
        let program = scratch.path + "/caravan"
        try FileManager.default.copyItem(atPath: Product.executable, toPath: program)
        let process = Process(), errors = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["simulate", "--seed", "1"]
        process.standardError = errors
        return (program, process, errors)
    }

    @Test("caravan simulate says in one line that caravan-simulate is not installed, and how to build it")
    func missing() throws {
        let (_, process, errors) = try alone()
        try process.run()
        let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 1)
        #expect(said.split(separator: "\n").count == 1, "\(said)")
        #expect(said.hasPrefix("caravan: caravan-simulate is not installed in \(scratch.path); build it"), "\(said)")
        #expect(said.contains("swift build -c release --product caravan-simulate"), "\(said)")
    }

    @Test("caravan simulate hands its options on as they are, and ends as caravan-simulate does")
    func passedOn() throws {
        let (program, process, errors) = try alone()
        let double = scratch.path + "/caravan-simulate"
        try "#!/bin/sh\nprintf '[%s]' \"$@\" >&2\nexit 7\n".write(toFile: double, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: double)
        process.arguments = ["simulate", "--help", "--seed=1", "two words", "--version"]
        try process.run()
        let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(
            said == "[--help][--seed=1][two words][--version]" && process.terminationStatus == 7, "\(program) \(said)")
    }

    @Test("the program that users install contains no simulator")
    func nothingOfIt() throws {
        let program = try Data(contentsOf: URL(fileURLWithPath: Product.executable), options: .alwaysMapped)
        for module in ["TripSimulation", "Convergence"] {
            // As Swift writes the name of a module in the names of its symbols.
            let mark = Data("$s\(module.utf8.count)\(module)".utf8)
            #expect(program.range(of: mark) == nil, "\(module)")
        }
        // The mark is one that is found where the module is.
        #expect(program.range(of: Data("$s9TripModel".utf8)) != nil)
    }
}
