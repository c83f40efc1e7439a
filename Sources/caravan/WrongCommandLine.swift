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
        // Both are told before all that they left missing.
        if let unknown = unknownCommand ?? unknownOption { return unknown }
        let message =
            Caravan.message(for: error).split(separator: "\n").first.map(String.init) ?? "invalid command line"
        let plain = message.prefix(1).lowercased() + message.dropFirst()
        if let flags = contradiction(plain) { return flags }
        if let negative { return negative }
        // The amount of `settle` may be left out, so a wrong one leaves nothing missing.
        let isMissing = plain.hasPrefix("missing expected argument") || plain.hasPrefix("give a")
        if isMissing || plain.hasPrefix("unknown option") && words.first == "settle",
            let number = negativeNumber
        {
            return Self.dash(number)
        }
        if isMissing, isTripNamed { return plain + "; -t names the trip here" }
        return plain + (form ?? (areQuotesMissing ? "; put a \(quotable) of several words in quotes" : ""))
            + (isAmountSplit ? "; put an amount with its currency in quotes, like \"84 EUR\"" : "")
    }

    /// Two flags of which one undoes the other.
    private func contradiction(_ message: String) -> String? {
        let parts = message.split(separator: "'")
        guard message.contains("' had already been set with flag '"), parts.count > 3, parts[1] != parts[3] else {
            return nil
        }
        return "\(parts[3]) and \(parts[1]) cannot be combined"
    }

    private var isAmountSplit: Bool {
        guard ["cost", "settle"].contains(words.first), Caravan.message(for: error).contains("nexpected argument")
        else {
            return false
        }
        return zip(words, words.dropFirst()).contains { amount, currency in
            amount.last?.isNumber == true && amount.first?.isNumber == true && currency.utf8.count == 3
                && currency.allSatisfy(\.isLetter)
        }
    }

    /// Whether the short option of the trip was typed, perhaps for a title.
    private var isTripNamed: Bool { words.prefix { $0 != "--" }.contains("-t") }

    private var quotable: String { words.first == "note" ? "text" : "title" }

    private var areQuotesMissing: Bool {
        ["add", "new", "note"].contains(words.first) && words.dropFirst(2).first?.hasPrefix("-") == false
            && Caravan.message(for: error).contains("nexpected argument")
    }

    /// That there is no such command, and the nearest one.
    private var unknownCommand: String? {
        guard let word = words.first, !word.hasPrefix("-"), word != "help" else { return nil }
        guard !word.isBlank else { return "the command is empty" }
        guard let group = Self.types.first(where: { Self.names(of: $0).contains(word) }) else {
            return Self.unknown(word, among: Self.types, in: "caravan")
        }
        let commands = group.configuration.subcommands.flatMap(Self.names)
        // A group whose usual command takes a word may mean that by it.
        guard let next = words.dropFirst().first, !next.hasPrefix("-"), !commands.isEmpty, !commands.contains(next),
            next != "help", Caravan.message(for: error).contains("nexpected argument")
        else { return nil }
        // `note` takes the title of an item there.
        if word == "note", NearNames.nearest(next, among: commands) == nil { return nil }
        return Self.unknown(next, among: group.configuration.subcommands, in: "caravan \(word)")
    }

    private static func unknown(
        _ word: String, among commands: [any ParsableCommand.Type], in group: String
    ) -> String {
        let names = commands.flatMap(Self.names)
        // Two letters are the beginning of a command more often than of a title.
        let begun = word.count == 2 ? names.first { $0.hasPrefix(word) } : nil
        let near = (begun ?? NearNames.nearest(word, among: names)).map { "; did you mean `\(group) \($0)`?" }
        let few = commands.count > 12 ? "" : "; `\(group)` has \(list(commands))"
        return "there is no command `\(group) \(word.displayed(limit: 40))`\(near ?? few)"
    }

    /// Commands by their first names.
    private static func list(_ commands: [any ParsableCommand.Type]) -> String {
        commands.map { $0._commandName }.joined(separator: ", ")
    }

    /// How the command that was meant is written.
    private var hint: String {
        // The usage is that of the group's usual command, which wasn't meant.
        if unknownCommand != nil, let group = words.first, Self.commands.contains(group) {
            return "see caravan \(group) --help"
        }
        let usage = Caravan.fullMessage(for: error).split(separator: "\n").first { $0.hasPrefix("Usage: ") }
        guard let usage, usage.hasPrefix("Usage: caravan "), !usage.hasSuffix("<subcommand>") else {
            return "see caravan --help"
        }
        return "usage: " + written(usage.dropFirst(7))
    }

    /// A group's usual command has a name, too, which people don't type.
    private func written(_ usage: Substring) -> String {
        let group = Self.types.first { Self.names(of: $0).contains(words.first ?? "") }
        guard let group, let usual = group.configuration.defaultSubcommand,
            words.count < 2 || !Self.names(of: usual).contains(words[1])
        else { return String(usage) }
        let name = "caravan \(group._commandName)"
        return String(usage).replacing("\(name) \(usual._commandName)", with: name, maxReplacements: 1)
    }

    /// The names of all commands.
    static var commands: [String] {
        types.flatMap(names)
    }

    private static var types: [any ParsableCommand.Type] {
        Caravan.configuration.groupedSubcommands.flatMap(\.subcommands)
    }

    private static func names(of command: any ParsableCommand.Type) -> [String] {
        [command._commandName] + command.configuration.aliases
    }

    // MARK: - Values

    /// Why a number behind an option was not read as its value.
    private var negative: String? {
        guard Caravan.message(for: error).contains("issing value for"),
            let place = words.indices.dropLast().first(where: {
                words[$0].hasPrefix("-") && Double(words[$0 + 1]).map { $0 < 0 } == true
            })
        else { return nil }
        let option = String(words[place].prefix { $0 != "=" })
        let form = forms.first { $0.option == option }?.form ?? "a value from 0"
        return "\(words[place + 1].displayed(limit: 40)) is below 0; \(option.displayed(limit: 40)) takes \(form)"
    }

    /// A number below 0 that the command took for an option. A quantity may be one.
    private var negativeNumber: String? {
        guard words.first != "quantity" else { return nil }
        return words.prefix { $0 != "--" }.first { $0.hasPrefix("-") && Double($0)?.isFinite == true }
    }

    /// What to do with a text that starts with a dash.
    static func dash(_ word: String) -> String {
        let letters = word.dropFirst()
        if letters.first == "t", letters.count > 1, !letters.allSatisfy(CommandWords.shortOptions.contains) {
            let trip = letters.dropFirst(letters.dropFirst().first == "=" ? 2 : 1)
            return "put a blank after -t (-t \(trip.prefix(40))), or -- before a text that starts with a dash"
        }
        if let first = letters.first, letters.count > 1, CommandWords.shortOptions.contains(first),
            letters.allSatisfy({ $0.isASCII && $0.isLetter })
        {
            return "“\(word.prefix(40))” is no row of short options; write -j -q, or put -- before a text"
        }
        return "“\(word.prefix(40))” starts with a dash; put -- before it, or = between an option and its value"
    }

    /// How a value is written that could not be read.
    private var form: String? {
        let message = Caravan.message(for: error)
        guard message.contains("is invalid for '") else { return nil }
        return forms.first { option, _ in message.contains("'\(option) ") || message.contains("'\(option)'") }
            .map { "; write \($0.form)" }
    }

    /// A new item has a quantity, and no other one to add to.
    private var forms: [(option: String, form: String)] {
        (words.first == "add" ? [(option: "--quantity", form: "a whole number from 1")] : []) + Self.forms
    }

    private static let forms: [(option: String, form: String)] = [
        ("--port", "a number from 0 to 65535"), ("--page-port", "a number from 0 to 65535"),
        ("--expires", "a time such as 30m, 12h or 7d, 3650d at most"),
        ("--since", "a day such as 2026-06-12, or 2d, 12h or 30m"),
        ("--patience", "a time such as 45s or 30m"), ("--limit", "a whole number from 1"),
        ("--count", "a whole number from 1"),
        ("--uses", "a whole number from 1"), ("--minutes", "a whole number from 1"),
        ("--beds", "a whole number from 1"), ("--points", "a whole number from 1"),
        ("--agree", "a percentage from 1 to 100, without %"),
        ("--quantity", "a number: 12, +2 or -1"), ("<quantity>", "a number: 12, +2 or -1"),
        ("--share", "the number of a row"), ("--wish", "the number of a row"), ("--remove", "the number of a comment"),
    ]

    /// `help` of something that is neither a command nor a topic, or of more than that.
    static func refuseUnknownHelp(_ words: [String]) throws {
        guard words.count > 1, words[0] == "help", !words[1].hasPrefix("-") else { return }
        let command = types.first { names(of: $0).contains(words[1]) }
        guard command != nil || HelpTopic(Array(words.prefix(2))) != nil else {
            let topics = HelpTopic.allCases.map(\.rawValue)
            let near = NearNames.nearest(words[1], among: commands + topics)
            throw ValidationError(
                "there is no command or topic \(words[1].displayed(limit: 40).quoted); "
                    + (near.map { "did you mean `caravan help \($0)`?" }
                        ?? "the topics are \(topics.joined(separator: ", "))"))
        }
        guard words.count > 2, !words[2].hasPrefix("-") else { return }
        let subcommands = command?.configuration.subcommands ?? []
        let isKnown = subcommands.flatMap(names).contains(words[2])
        guard !isKnown || words.count > 3 else { return }
        throw ValidationError(
            isKnown || subcommands.isEmpty
                ? "`caravan \(words.prefix(isKnown ? 3 : 2).joined(separator: " "))` takes no further word"
                : unknown(words[2], among: subcommands, in: "caravan \(words[1])"))
    }

    /// A group of commands without one of them, which a script would take for done.
    static func refuseMissingCommand(_ words: [String]) throws {
        guard words.count == 1, let group = types.first(where: { names(of: $0).contains(words[0]) }),
            group.configuration.defaultSubcommand == nil, !group.configuration.subcommands.isEmpty
        else { return }
        throw ValidationError(
            "a command is missing; `caravan \(words[0])` has \(list(group.configuration.subcommands))")
    }

    // MARK: - Options

    /// The first option that the command has not, and which is near; or the first text that looks like one.
    private var unknownOption: String? {
        guard let dump = try? JSONDecoder().decode(Dump.self, from: Data(Caravan._dumpHelp().utf8)) else { return nil }
        var command = dump.command
        // The library's own, which it does not tell.
        var options = command.options + ["--generate-completion-script"]
        for word in words.prefix(while: { $0 != "--" }) {
            if let next = command.subcommands?.first(where: {
                $0.commandName == word || $0.aliases?.contains(word) == true
            }) {
                command = next
                let usual = next.subcommands?.first { $0.commandName == next.defaultSubcommand }
                options = next.options + (usual?.options ?? [])
            } else if word.hasPrefix("-"), case let name = String(word.prefix { $0 != "=" }), !options.contains(name) {
                let unknown = "unknown option '\(name.displayed(limit: 40))'"
                if word.hasPrefix("--") {
                    if word.contains(where: \.isWhitespace) { return Self.dash(word) }
                    return unknown + (NearNames.nearest(name, among: options).map { "; did you mean \($0)?" } ?? "")
                }
                // A number below 0 and a dash alone are no options.
                if name.count == 2, name.last?.isLetter == true {
                    return unknown + "; put -- before a text that starts with a dash"
                }
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
                (arguments ?? []).flatMap { $0.names ?? [] }.map { ($0.kind == "long" ? "--" : "-") + $0.name }
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
