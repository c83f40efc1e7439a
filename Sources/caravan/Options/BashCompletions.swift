import ArgumentParser

/// What the package's script for bash lacks: other names of commands, the words behind `help`, names in any case, and titles that it would
/// expand.
enum BashCompletions {
    /// The script with that, if it is one for bash.
    static func completed(_ script: String) -> String {
        guard script.hasPrefix("#!/bin/bash") else { return script }
        let commands = Caravan.configuration.groupedSubcommands.flatMap(\.subcommands)
        let others = commands.flatMap { command in
            command.configuration.aliases.map { (name: $0, command: command._commandName) }
        }
        let first = commands.first.map { "    \($0._commandName)|" } ?? ""
        let names = script.replacing(first, with: "    \(others.map { $0.name + "|" }.joined())\(first.dropFirst(4))")
        // Only a script that takes words as they are is given all titles: that of 1.0.0 let bash expand them.
        let shell = "local -xr SAP_SHELL=bash"
        let literal = names.replacing(shell, with: "\(shell) \(literalNames)=1")
        let functions = others.map { "_caravan_\($0.name)() { _caravan_\($0.command); }" }
        return ([literal] + functions + [help, anyCase]).joined(separator: "\n\n")
    }

    /// The variable by which the script says that it takes words as they are.
    static let literalNames = "CARAVAN_LITERAL_NAMES"

    private static var help: String {
        let words = WrongCommandLine.commands + HelpTopic.allCases.map(\.rawValue)
        return """
            _caravan_help() {
                repeating_flags=()
                non_repeating_flags=()
                repeating_options=()
                non_repeating_options=()
                __caravan_offer_flags_options -1
                [[ "${positional_number}" -eq 1 ]] && __caravan_add_completions -W '\(words.joined(separator: "\n"))'
            }
            """
    }

    /// `compgen` would compare letters in one case only, and expand each word as a command line is expanded. What is typed has backslashes
    /// where bash quoted the common beginning of several words; the word that is chosen is quoted by bash (`complete -o filenames`).
    private static let anyCase = """
        __caravan_add_completions() {
            local completion typed="${cur//\\\\/}"
            if [[ "${1}" != -W ]]; then
                while IFS='' read -r completion; do
                    COMPREPLY+=("${completion}")
                done < <(IFS=$'\\n' compgen "${@}" -- "${cur}")
                return
            fi
            while IFS='' read -r completion; do
                [[ -n "${completion}" && "${completion,,}" = "${typed,,}"* ]] && COMPREPLY+=("${completion}")
            done <<< "${2}"
        }
        """
}
