import Platform

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
