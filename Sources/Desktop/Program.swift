import LibC

/// A program of the desktop, found where a shell would find it.
struct Program {
    let path: String

    /// Nil where no folder of PATH has it.
    init?(_ name: String) {
        let folders = variable("PATH") ?? "/usr/local/bin:/usr/bin:/bin"
        let paths = folders.split(separator: ":").map { (folder) -> String in "\(folder)/\(name)" }
        let found = paths.first { $0.hasPrefix("/") && access($0, X_OK) == 0 }
        guard let found else { return nil }
        path = found
    }

    init(at path: String) { self.path = path }
}

extension Desktop {
    /// Runs a program to its end, with this process's environment, nothing to read, and 1 GiB of memory.
    ///
    /// - Returns: what it printed, at most 1 MiB, and the status that it ended with; nil where a signal ended it.
    /// - Throws: where it took longer.
    package static func run(
        _ path: String, _ arguments: [String], within seconds: Int
    ) async throws(DesktopError) -> (output: [UInt8], status: Int32?) {
        let limits = Child.Limits(seconds: seconds, mebibytes: 1_024, outputBytesMax: 1 << 20)
        let outcome = try await Child.run(Program(at: path), arguments, environment: everyVariable, limits)
        return (outcome.output, outcome.status)
    }
}

/// A variable of the environment; nil where it is not set, or empty.
func variable(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
}

/// Those of these variables that are set, as `NAME=value`.
func variables(_ names: [String]) -> [String] {
    names.compactMap { name in variable(name).map { "\(name)=\($0)" } }
}

/// The whole environment.
var everyVariable: [String] {
    var variables: [String] = []
    var place = environ
    while let variable = place.pointee {
        variables.append(String(cString: variable))
        place += 1
    }
    return variables
}
