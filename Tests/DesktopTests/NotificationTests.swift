import Foundation
import TestTiers
import Testing

@testable import Desktop

/// Notifications and the browser: programs of the desktop, found on PATH. One after the other, for PATH is the process's.
@Suite(.serialized) struct NotificationTests {
    /// A folder of programs that record how they were called, which is all of PATH while `body` runs.
    private func withPrograms(
        _ scripts: [String: String], _ variables: [String: String] = [:],
        _ body: (_ calls: () -> [String]) async throws -> Void
    ) async throws {
        let folder = NSTemporaryDirectory() + "caravan-desktop-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, script) in scripts {
            let record = "for word; do printf '%s|' \"$word\"; done >> '\(folder)/calls'\n"
            try "#!/bin/sh\n\(record)\(script)\n".write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: "\(folder)/\(name)")
        }
        var before: [String: String?] = [:]
        for (name, value) in variables.merging(["PATH": folder], uniquingKeysWith: { $1 }) {
            before.updateValue(ProcessInfo.processInfo.environment[name], forKey: name)
            setenv(name, value, 1)
        }
        defer {
            for (name, value) in before { if let value { setenv(name, value, 1) } else { unsetenv(name) } }
            try? FileManager.default.removeItem(atPath: folder)
        }
        try await body {
            let text = FileManager.default.contents(atPath: folder + "/calls") ?? Data()
            return String(decoding: text, as: UTF8.self).split(separator: "|", omittingEmptySubsequences: false)
                .map(String.init)
        }
    }

    @Test("notify-send is given the texts as they are, markup and dashes too")
    func notifySend() async throws {
        try await withPrograms(["notify-send": ""]) { calls in
            try await Desktop.notify(title: "-Lisbon & more", text: "Noah added “<b>a & b</b>”\n$(id)")
            #expect(
                calls() == [
                    "--app-name=Caravan", "--", "-Lisbon & more", "Noah added “&lt;b&gt;a &amp; b&lt;/b&gt;”\n$(id)",
                    "",
                ])
        }
    }

    @Test("without notify-send gdbus is asked, in its own text format")
    func gdbus() async throws {
        try await withPrograms(["gdbus": ""]) { calls in
            try await Desktop.notify(title: "a \"b\" \\", text: "one\ntwo")
            #expect(calls().contains("\"a \\\"b\\\" \\\\\"") && calls().contains("\"one\\ntwo\""), "\(calls())")
        }
    }

    @Test("a program that is missing, fails or hangs is told in a line", .tags(.slow))
    func failures() async throws {
        for (scripts, part) in [
            ([:], "is installed"), (["notify-send": "echo no bus >&2; exit 1"], "no bus"),
            (["notify-send": "while :; do :; done"], "5 s"),
        ] {
            try await withPrograms(scripts) { _ in
                let error = await #expect(throws: DesktopError.self) { try await Desktop.notify(title: "a", text: "b") }
                #expect(error?.message.contains(part) == true && error?.message.contains("\n") == false)
            }
        }
    }

    @Test("a browser is opened where there is a display, and stays open")
    func browser() async throws {
        let address = "http://127.0.0.1:8080/enter/1"
        try await withPrograms(["xdg-open": "exec /bin/sleep 8"], ["DISPLAY": ":0"]) { calls in
            try await Desktop.openBrowser(address)
            #expect(calls() == [address, ""])
        }
        try await withPrograms(["xdg-open": "exit 3"], ["DISPLAY": ":0"]) { _ in
            let error = await #expect(throws: DesktopError.self) { try await Desktop.openBrowser(address) }
            #expect(error?.message.contains("found no browser") == true)
        }
        try await withPrograms(["xdg-open": ""], ["DISPLAY": "", "WAYLAND_DISPLAY": ""]) { calls in
            let error = await #expect(throws: DesktopError.self) { try await Desktop.openBrowser(address) }
            #expect(error?.message.contains("no display") == true && calls() == [""])
        }
        for other in ["file:///etc/passwd", "-h", "javascript:1"] {
            try await withPrograms(["xdg-open": ""], ["DISPLAY": ":0"]) { calls in
                await #expect(throws: DesktopError.self) { try await Desktop.openBrowser(other) }
                #expect(calls() == [""])
            }
        }
    }
}
