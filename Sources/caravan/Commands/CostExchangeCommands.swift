import ArgumentParser
import CaravanNode
import Console
import TripExchange
import TripModel
import TripService
import TripText

struct ImportCosts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import expenses from Splitwise, Spliit or Caravan (CSV).",
        discussion: """
            Skips expenses and payments that the trip already has. If one row is invalid, nothing is added. New payments \
            become expenses, with the same balances.

            Examples:
              caravan cost import lisbon.csv --dry-run
              caravan cost import lisbon.csv --person "Anna Smith=Anna"
            """)

    @Argument(help: "A file, or - for standard input.", completion: .file(extensions: ["csv"]))
    var file: String

    @Option(help: ArgumentHelp("Who a name in the table is in this trip (repeatable).", valueName: "name=member"))
    var person: [String] = []

    @Option(help: ArgumentHelp("The currency of all amounts, instead of that in the table.", valueName: "code"))
    var currency: String?

    @Option(help: ArgumentHelp("Who paid if the table does not say it.", valueName: "name"), completion: .members)
    var payer: String?

    @Flag(name: [.customShort("n"), .long], help: "Show what would be added, and add nothing.")
    var dryRun = false

    @OptionGroup var trip: WritingOptions

    func run() async throws {
        var people: [String: String] = [:]
        for text in person {
            guard let sign = text.lastIndex(of: "=") else { throw ValidationError("write --person NAME=MEMBER") }
            people[String(text[..<sign])] = String(text[text.index(after: sign)...])
        }
        var code: Currency?
        if let currency {
            guard let known = Currency(typed: currency) else {
                throw ValidationError("--currency takes a code of ISO 4217, such as EUR")
            }
            code = known
        }
        let bytes = try BoundedInput.read(file, bytesMax: ExchangeLimits.bytes, tooLong: ImportFormat.tooLong)
        let (view, me) = (try await trip.view(), try await trip.me())
        let found: CostFile
        do throws(ServiceError) {
            found = try CostFile(bytes, in: view, by: me, .init(people: people, currency: code, payer: payer))
        } catch { throw ServiceError("\(file == "-" ? "standard input" : file.displayed()): \(error.message)") }
        // However often an expense is in the table, it is known as often as it is in the trip. Payments are read as expenses.
        var known: [[String]: Int] = [:]
        for item in view.items where item.isOfCosts {
            known[[item.title, item.fields[.dates]?.value ?? "", item.costText ?? ""], default: 0] += 1
        }
        let new = found.items.filter { item in
            let key = [item.title, item.fields[.dates] ?? "", item.fields[.cost] ?? ""]
            guard let count = known[key], count > 0 else { return true }
            known[key] = count - 1
            return false
        }
        if dryRun {
            if !trip.report.json, !trip.report.quiet {
                for item in new {
                    Output.line("\(item.title.displayed()) · \(Field.cost.words(of: item.fields[.cost] ?? ""))")
                }
            }
        } else {
            let (access, act) = (try await trip.access(), UInt64.random(in: 0 ... .max))
            for first in stride(from: 0, to: new.count, by: Self.batch) {
                let request = TripRequest.add(Array(new[first..<min(new.count, first + Self.batch)]))
                _ = try await access.answer(.step(of: act, request))
            }
        }
        let skipped = found.items.count - new.count
        let what = new.count == 1 ? "1 expense" : "\(new.count) expenses"
        let passed = skipped == 0 ? "" : "; skipped \(skipped == 1 ? "1 duplicate" : "\(skipped) duplicates")"
        trip.report.tell(
            new.isEmpty && !dryRun
                ? TerminalText.nothingChanged("added \(what)\(passed)")
                : "\(dryRun ? "Would add" : "Added") \(what)\(passed)",
            .object([
                "added": .integer(Int64(new.count)), "there_already": .integer(Int64(skipped)),
                "dry_run": dryRun ? .bool(true) : JSONValue?.none,
            ]))
        if !dryRun, !new.isEmpty { await trip.noteUnsent(try await trip.access()) }
    }

    /// Expenses of one change: those with the most people fit its bytes.
    private static let batch = 80
}

struct ExportCosts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export expenses and payments as a table (CSV).",
        discussion: "`caravan cost import` reads it again.\n\nExample: caravan cost export costs.csv")

    @Argument(
        help: "The file to create; standard output by default, or with -. Existing files are not overwritten.",
        completion: .file())
    var file: String?

    @OptionGroup var trip: TripOptions

    func run() async throws {
        let text = CostTable.write(try await trip.view())
        if let file, file != "-" {
            try OutputFile.write(Array(text.utf8), to: file)
            Output.text(Reader.path(file) + "\n")
        } else {
            Output.text(text)
        }
    }
}
