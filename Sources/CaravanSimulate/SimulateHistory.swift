import ArgumentParser
import Console
import Convergence

/// Checks what clients of a running system did and read.
struct SimulateHistory: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "caravan simulate history",
        abstract: "Check a log of what each client did and read, with nothing known of messages.",
        discussion: """
            Each line is a JSON object. The article “Check a history” of Convergence's documentation describes them. The exit \
            status is 1 if the log shows that a law is violated.

            Examples:
              caravan simulate history set log.jsonl
              caravan simulate history map log.jsonl --policy either
            """)

    enum Policy: String, CaseIterable, ExpressibleByArgument {
        case addWins = "add-wins"
        case either
    }

    enum Keeps: String, CaseIterable, ExpressibleByArgument { case one, all }

    @Argument(help: ArgumentHelp("counter, set, register, map, list or text.", valueName: "type"))
    var type: String

    @Argument(help: ArgumentHelp("The log.", valueName: "file.jsonl"))
    var file: String

    @Option(help: ArgumentHelp("Who wins over a concurrent remove: add-wins or either.", valueName: "name"))
    var policy = Policy.addWins

    @Option(help: ArgumentHelp("Concurrent values that are shown: one or all.", valueName: "number"))
    var keeps = Keeps.one

    func validate() throws {
        guard DataType.Kind(rawValue: type) != nil else {
            let kinds = DataType.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("there is no type “\(type.prefix(40))”; choose from \(kinds)")
        }
    }

    func run() async throws {
        guard let kind = DataType.Kind(rawValue: type) else { return }
        let data = DataType(kind, policy: policy == .either ? .either : .addWins, keepsAll: keeps == .all)
        let text = try SimulateFile.text(at: file, bytesMax: 4 << 20)
        let history: RecordedHistory
        do {
            history = try RecordedHistory(data, parsing: text)
        } catch {
            throw SimulateFile.Problem(description: "\(file): \(error)")
        }
        guard let anomaly = history.anomaly() else {
            return Output.line("no violation in \(history.entries.count) events")
        }
        Output.line(anomaly.description)
        throw ExitCode.failure
    }
}
