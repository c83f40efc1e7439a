import ArgumentParser
import Foundation
import LibC
import TripModel
import TripService

/// What holds for any command. These options may stand before the command's name, and all but `--trip` after it too: a trip is
/// named there only where the command is about one.
struct GlobalOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The trip, by its title or the start of its id.", valueName: "trip"), completion: .trips)
    var trip: String?

    @Option(
        help: ArgumentHelp("The folder of your trips, instead of $CARAVAN_HOME.", valueName: "folder"),
        completion: .directory)
    var home: String?

    @Option(
        help: ArgumentHelp("Bold text and colors: auto, always or never.", valueName: "when"),
        completion: .list(ColorChoice.allCases.map(\.rawValue)), transform: ColorChoice.init(argument:))
    var color = ColorChoice.auto

    @Flag(help: "Print long texts at once, and not a screen at a time.")
    var noPager = false

    /// What was typed before and between the words of the command; nil where nothing was, which costs no time.
    static let given = CommandWords.typed.global.isEmpty ? nil : try? parse(CommandWords.typed.global)

    func validate() throws {
        if home?.isEmpty == true { throw ValidationError("--home needs a folder") }
    }

    /// A relative folder in the environment would be another home in each folder where a command is typed.
    static func refuseRelativeHome() throws(ServiceError) {
        let home = ProcessInfo.processInfo.environment["CARAVAN_HOME"] ?? ""
        guard home.isEmpty || home.hasPrefix("/") else {
            throw ServiceError(
                "CARAVAN_HOME is \(home.displayed().quoted), which is a relative folder; set it to an absolute one")
        }
    }

    /// Lets this process, and those that it starts, go by them. The environment says the same, and is overruled by them.
    func apply() {
        if let home { setenv("CARAVAN_HOME", WholePath.of(home), 1) }
        if let trip { setenv("CARAVAN_TRIP", trip, 1) }
    }
}

/// The words of a command line: those of the command, and those that hold for any.
struct CommandWords: Equatable {
    private(set) var global: [String] = []
    private(set) var command: [String] = []

    /// Those of this process.
    static let typed = CommandWords(CommandLine.arguments.dropFirst())

    /// The options that are taken, and whether a value follows each.
    private static let everywhere = ["--home": true, "--color": true, "--no-pager": false]
    private static let beforeTheCommand = ["--trip": true, "-t": true]

    init(_ words: some Collection<String>) {
        var words = Self.apart(words)[...]
        // The shell asks what could come next, and the simulator has options of its own.
        if words.first?.hasPrefix("---") == true {
            command += words
            return
        }
        while let word = words.popFirst() {
            if word == "--" || command == ["simulate"] {
                command += [word] + words
                return
            }
            let name = String(word.prefix { $0 != "=" })
            let hasCommand = command.contains { !$0.hasPrefix("-") }
            guard let takesValue = Self.everywhere[name] ?? (hasCommand ? nil : Self.beforeTheCommand[name]) else {
                command.append(word)
                continue
            }
            global.append(word)
            if takesValue, word == name, let value = words.popFirst() { global.append(value) }
        }
        if command.first == "-V" { command[0] = "--version" }
    }

    /// The short options that many commands have.
    static let shortOptions: Set<Character> = ["j", "n", "q", "t", "y"]

    /// Whether a word is a row of short options, such as -jt. An option that takes a value is last.
    static func isRow(_ word: String) -> Bool {
        let letters = word.dropFirst()
        return word.hasPrefix("-") && letters.count > 1 && Set(letters).count == letters.count
            && letters.allSatisfy(shortOptions.contains) && !letters.dropLast().contains("t")
    }

    /// Words with each row of short options as single ones. What the shell asks, what the simulator is told and texts
    /// behind -- stay.
    private static func apart(_ words: some Collection<String>) -> [String] {
        if let first = words.first, first.hasPrefix("---") || first == "simulate" { return Array(words) }
        var apart: [String] = []
        var isText = false
        for word in words {
            isText = isText || word == "--"
            if !isText, isRow(word) {
                apart += word.dropFirst().map { "-\($0)" }
            } else {
                apart.append(word)
            }
        }
        return apart
    }
}
