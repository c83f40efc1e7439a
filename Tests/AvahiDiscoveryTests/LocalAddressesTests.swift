import Foundation
import Testing

@testable import AvahiDiscovery

@Suite struct LocalAddressesTests {
    /// Against ip(8), where that is installed.
    @Test("the machine's own addresses are those that ip tells, without loopback and link-local")
    func asTheSystemTells() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["ip", "-o", "addr", "show", "up"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let lines = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            .split(separator: "\n").map { $0.split(separator: " ") }
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return }
        let told = lines.filter { $0.count > 3 && $0[1] != "lo" }.map { String($0[3].prefix { $0 != "/" }) }
        let found = LocalAddresses.current()
        #expect(Set(found) == Set(told.filter { !$0.hasPrefix("fe80:") }))
        #expect(found == found.filter { !$0.contains(":") } + found.filter { $0.contains(":") })
    }
}
