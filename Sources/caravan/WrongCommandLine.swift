import ArgumentParser
import Foundation
import TripModel

/// What is wrong with a command line, in one line for people.
struct WrongCommandLine {
    let error: any Error
    let words: [String]

    /// The most characters of an error that are shown: it may repeat what somebody typed.
    private static let lengthMax = 400

    var line: String { "\(complaint.displayed(limit: Self.lengthMax)) (\(hint))" }

    private var complaint: String {
        let message =
            Caravan.message(for: error).split(separator: "\n").first.map(String.init) ?? "invalid command line"
        let plain = message.prefix(1).lowercased() + message.dropFirst()
        // An option that is not known is told before all that it left missing.
        if plain.hasPrefix("missing expected argument"), let option = unknownOption { return option }
        return plain + (misspelling.map { "; \($0)" } ?? "")
    }

    /// What was meant, where the first word is no command, or quotes were left out.
    private var misspelling: String? {
        guard let word = words.first, !word.hasPrefix("-") else { return nil }
        if ["add", "new"].contains(word), words.dropFirst(2).first?.hasPrefix("-") == false {
            return "put a title of several words in quotes"
        }
        guard !Self.commands.contains(word) else { return nil }
        return NearNames.nearest(word, among: Self.commands).map { "did you mean `caravan \($0)`?" }
    }

    /// How the command that was meant is written.
    private var hint: String {
        let usage = Caravan.fullMessage(for: error).split(separator: "\n").first { $0.hasPrefix("Usage: ") }
        guard let usage, usage.hasPrefix("Usage: caravan "), !usage.hasSuffix("<subcommand>") else {
            return "see caravan --help"
        }
        return "usage: " + usage.dropFirst(7)
    }

    /// The names of all commands.
    private static var commands: [String] {
        Caravan.configuration.groupedSubcommands.flatMap(\.subcommands).flatMap {
            [$0._commandName] + $0.configuration.aliases
        }
    }

    /// `help` of something that is neither a command nor a topic.
    static func refuseUnknownHelp(_ words: [String]) throws {
        guard words.count > 1, words[0] == "help", !words[1].hasPrefix("-"), !commands.contains(words[1]) else {
            return
        }
        let topics = HelpTopic.allCases.map(\.rawValue)
        let near = NearNames.nearest(words[1], among: commands + topics).map { "did you mean `caravan help \($0)`?" }
        throw ValidationError(
            "there is no command or topic \(words[1].displayed(limit: 40).quoted); "
                + (near ?? "the topics are \(topics.joined(separator: ", "))"))
    }

    // MARK: - Options

    /// The first option that the command has not, and which is near.
    private var unknownOption: String? {
        guard let dump = try? JSONDecoder().decode(Dump.self, from: Data(Caravan._dumpHelp().utf8)) else { return nil }
        var command = dump.command
        var options = command.options
        for word in words.prefix(while: { $0 != "--" }) {
            if let next = command.subcommands?.first(where: {
                $0.commandName == word || $0.aliases?.contains(word) == true
            }) {
                command = next
                let usual = next.subcommands?.first { $0.commandName == next.defaultSubcommand }
                options = next.options + (usual?.options ?? [])
            } else if word.hasPrefix("--"), case let name = String(word.prefix { $0 != "=" }), !options.contains(name) {
                let near = NearNames.nearest(name, among: options).map { "; did you mean \($0)?" } ?? ""
                return "unknown option '\(name.displayed(limit: 40))'\(near)"
            }
        }
        return nil
    }

    /// What the program says of its commands.
    private struct Dump: Decodable {
        let command: Command

        final class Command: Decodable {
            let commandName: String
            let aliases: [String]?
            let defaultSubcommand: String?
            let subcommands: [Command]?
            let arguments: [Argument]?

            var options: [String] {
                (arguments ?? []).flatMap { $0.names ?? [] }.filter { $0.kind == "long" }.map { "--" + $0.name }
            }
        }

        struct Argument: Decodable {
            let names: [Name]?
        }

        struct Name: Decodable {
            let kind: String
            let name: String
        }
    }
}
