import ArgumentParser

/// What the package's script for bash lacks: other names of commands, the words behind `help`, and names in any case.
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
        let functions = others.map { "_caravan_\($0.name)() { _caravan_\($0.command); }" }
        return ([names] + functions + [help, anyCase]).joined(separator: "\n\n")
    }

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

    /// `compgen` would compare letters in one case only, and expand each word as a command line is expanded.
    private static let anyCase = """
        __caravan_add_completions() {
            local completion
            if [[ "${1}" != -W ]]; then
                while IFS='' read -r completion; do
                    COMPREPLY+=("${completion}")
                done < <(IFS=$'\\n' compgen "${@}" -- "${cur}")
                return
            fi
            while IFS='' read -r completion; do
                [[ -n "${completion}" && "${completion,,}" = "${cur,,}"* ]] && COMPREPLY+=("${completion}")
            done <<< "${2}"
        }
        """
}
