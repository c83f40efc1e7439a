import LibC

extension Desktop {
    /// Opens a file in the person's editor, and returns once they have left it: $VISUAL or $EDITOR, which a shell reads as
    /// it reads a command line, or else `editor`, `nano` or `vi`. It has this process's terminal and environment. Blocks.
    ///
    /// - Parameter advice: what to do where there is no terminal.
    /// - Throws: where there is no editor, or it ended with a failure.
    package static func edit(
        file path: String, withoutTerminal advice: String = "use options such as --title"
    ) throws(DesktopError) {
        let editor = try editor()
        guard isatty(0) == 1 && isatty(1) == 1 || !needsTerminal(editor) else {
            throw DesktopError("there is no terminal for the editor (\(editor)); \(advice)")
        }
        // What the terminal sends to the foreground is for the editor.
        let ignored = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
        defer { for (number, handler) in ignored { signal(number, handler) } }
        let child = try Child(
            ["/bin/sh", "-c", "\(editor) \"$@\"", editor, path], environment: everyVariable, standard: (0, 1, 2),
            hasOwnGroup: false)
        guard let status = child.end(waits: true).flatMap(Child.exitStatus), status == 0 else {
            throw DesktopError("the editor failed (\(editor))")
        }
    }

    /// Editors that wait for a terminal's keys, and would wait for ever without one.
    private static let terminalEditors: Set<String> = [
        "vi", "vim", "nvim", "view", "nano", "pico", "micro", "helix", "hx", "kak", "joe", "mcedit", "ne", "editor",
    ]

    private static func needsTerminal(_ editor: String) -> Bool {
        let program = editor.split(separator: " ").first.map(String.init) ?? ""
        return terminalEditors.contains(program.split(separator: "/").last.map(String.init) ?? "")
    }

    private static func editor() throws(DesktopError) -> String {
        if let chosen = variable("VISUAL") ?? variable("EDITOR") { return chosen }
        guard let found = ["editor", "nano", "vi"].first(where: { Program($0) != nil }) else {
            throw DesktopError("no editor found; set EDITOR to one")
        }
        return found
    }
}
