extension Desktop {
    /// Shows a notification: by `notify-send` (package libnotify-bin), or else by `gdbus` (libglib2.0-bin), in a child that
    /// is ended after 5 s. Texts are shown as they are, at most 400 characters of each.
    ///
    /// Other programs on this machine can see a child's arguments while it runs, and so these texts.
    ///
    /// - Throws: where neither is installed, or no desktop listens.
    package static func notify(title: String, text: String) async throws(DesktopError) {
        let (title, text) = (String(title.prefix(400)), escaped(String(text.prefix(400))))
        let program: Program
        let arguments: [String]
        if let found = Program("notify-send") {
            program = found
            arguments = ["--app-name=Caravan", "--", title, text]
        } else if let found = Program("gdbus") {
            program = found
            arguments = [
                "call", "--session", "--timeout=4", "--dest=org.freedesktop.Notifications",
                "--object-path=/org/freedesktop/Notifications", "--method=org.freedesktop.Notifications.Notify", "--",
                quoted("Caravan"), "0", quoted(""), quoted(title), quoted(text), "[]", "{}", "-1",
            ]
        } else {
            throw DesktopError("neither notify-send nor gdbus is installed; install the package libnotify-bin")
        }
        let environment = variables([
            "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "HOME",
        ])
        let outcome = try await Child.run(
            program, arguments, environment: environment + ["LC_ALL=C.UTF-8"],
            Child.Limits(seconds: 5, mebibytes: 1_024, outputBytesMax: 1 << 16))
        guard outcome.status == 0 else {
            let reason = outcome.errors.split(separator: "\n").first.map { ": \($0)" } ?? ""
            throw DesktopError("the desktop does not show notifications\(reason)")
        }
    }

    /// A body is markup (Desktop Notifications Specification, "Markup"): what people wrote stands for itself.
    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    /// A text in GVariant's text format.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\n": quoted += "\\n"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: quoted += " "
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
