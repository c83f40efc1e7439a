extension Desktop {
    private static let servicesLimits = Child.Limits(seconds: 15, mebibytes: 1_024, outputBytesMax: 64 << 10)

    /// Lets the systemd of this user do something, by `systemctl --user`.
    ///
    /// - Throws: where there is none, or it refuses.
    package static func userServices(_ words: [String]) async throws(DesktopError) {
        guard let program = Program("systemctl") else { throw DesktopError("systemctl is not installed") }
        let outcome = try await Child.run(
            program, ["--user"] + words, environment: everyVariable, servicesLimits)
        guard outcome.status == 0 else {
            let reason = outcome.errors.split(separator: "\n").first.map(String.init) ?? "it failed"
            throw DesktopError("systemctl: \(reason)")
        }
    }
}
