import ArgumentParser

/// Whether text is set in bold and colors.
enum ColorChoice: String, CaseIterable {
    case auto, always, never

    init(argument name: String) throws {
        guard let choice = ColorChoice(rawValue: name) else {
            throw ValidationError("--color takes auto, always or never")
        }
        self = choice
    }

    /// - Parameter environment: that of https://no-color.org and https://bixense.com/clicolors.
    func isStyled(_ environment: [String: String], atTerminal isTerminal: Bool) -> Bool {
        switch self {
        case .always: return true
        case .never: return false
        case .auto:
            if environment["NO_COLOR"]?.isEmpty == false { return false }
            if let force = environment["CLICOLOR_FORCE"], !["", "0"].contains(force) { return true }
            return isTerminal && environment["TERM"] != "dumb"
        }
    }
}
