import ArgumentParser
import CaravanNode
import Console
import Foundation
import TripExchange
import TripModel
import TripService
import TripText

struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Add what a file, a pipe or a link of a list holds.",
        discussion: """
            A table (CSV; the columns of Inside Airbnb's listings.csv are known), a listing in JSON (a page of Reddit too, \
            as /r/NAME.json gives it), links or things by the line, or a link that `caravan export --as url` made. What is \
            there already, by its link or by its title and place, is passed over. Where one row is wrong, nothing is added. A file that \
            `caravan export --sealed` made brings all that was done where it was made.
            Examples: caravan import listings.csv --dry-run, wl-paste | caravan import -
            """)

    @Argument(help: "A file, - for standard input, or a link of a list in quotes.")
    var source: String

    @Flag(help: "Add what is there already too.")
    var all = false

    @Flag(help: "Say what would be added, and add nothing.")
    var dryRun = false

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        if BundleFile.isBundle(source) { return try await takeIn() }
        let list = try list
        let view = try await trip.view()
        let plan: ImportPlan
        do { plan = try ImportPlan(list, into: view, addingAll: all) } catch { throw named(error) }
        if dryRun {
            if !reading.json { for item in plan.changes.joined() { Output.line(Self.line(item)) } }
        } else {
            try await add(plan)
        }
        report(plan, of: list)
    }

    private func takeIn() async throws {
        guard !dryRun, !all else {
            throw ServiceError("a sealed file is taken in whole: leave --all and --dry-run out")
        }
        try await trip.ask(.takeIn(bundle: WholePath.of(source)), json: reading.json)
    }

    /// Whole changes, one after the other: what an error leaves is whole as well, and the same import adds the rest.
    private func add(_ plan: ImportPlan) async throws {
        let access = try await trip.access()
        var added = 0
        for items in plan.changes {
            do { _ = try await access.answer(.add(items)) } catch {
                guard added > 0 else { throw error }
                throw ServiceError(
                    "\(added) of \(plan.itemCount) items were added, the same import will add the rest: \(error.message)"
                )
            }
            added += items.count
        }
    }

    private func report(_ plan: ImportPlan, of list: ImportedList) {
        guard reading.json else { return Output.line(plan.sentence(for: list, isDone: !dryRun)) }
        Output.text(
            JSONValue.object([
                "name": list.name.map { .string($0) }, "added": .integer(Int64(plan.itemCount)),
                "there_already": .integer(Int64(plan.knownCount)), "hidden": .integer(Int64(list.hiddenCount)),
                "shortened": .integer(Int64(list.shortenedCount)), "changes": .integer(Int64(plan.changes.count)),
                "dry_run": dryRun ? .bool(true) : JSONValue?.none,
            ]).line)
    }

    static func line(_ item: NewItem) -> String {
        let facts = [item.title, item.fields[.price], item.fields[.link]].compactMap { $0?.displayed() }
        return facts.joined(separator: " · ") + (item.quantity.map { " ×\($0)" } ?? "")
    }

    // MARK: - Where it comes from

    private var list: ImportedList {
        get throws(ServiceError) {
            if source.hasPrefix(ListLink.prefix) { return try ImportFormat.link.read(Array(source.utf8)) }
            if source.hasPrefix("caravan:") {
                throw ServiceError("this is an invite, which lets you in: run `caravan join LINK --as NAME`")
            }
            guard WebAddress(source) == nil else {
                throw ServiceError("no address is fetched: save what it shows as a file, and import that")
            }
            let bytes = try BoundedInput.read(
                source, bytesMax: ExchangeLimits.bytes, tooLong: ImportFormat.tooLong)
            let format = ImportFormat(fileName: source) ?? ImportFormat(detecting: bytes)
            do { return try format.read(bytes) } catch { throw named(error) }
        }
    }

    /// An error of what was read, by the name of that.
    private func named(_ error: ServiceError) -> ServiceError {
        if source.hasPrefix(ListLink.prefix) { return error }
        return ServiceError("\(source == "-" ? "standard input" : source.displayed()): \(error.message)")
    }
}

struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the trip for other programs, and for people without one.",
        discussion: """
            As Markdown, a table (csv), a calendar (ics), places on a map (gpx, kml), JSON, or a link that holds the list \
            (url): CSV, JSON and the link can be imported again. With --sealed, all that was done goes into a file that people \
            of this trip alone can read, for whom no network reaches: `caravan import FILE` takes it in.
            Examples: caravan export lisbon.gpx, caravan export --as url, caravan export --sealed lisbon.sealed
            """)

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "markdown, csv, ics, gpx, kml, json or url; by default what the file's name ends in, or markdown.",
            valueName: "form"),
        transform: { text in
            guard let format = ExportFormat(rawValue: text.lowercased()) else {
                let names = ExportFormat.allCases.map(\.rawValue)
                throw ValidationError("--as takes \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")")
            }
            return format
        })
    var format: ExportFormat?

    @Flag(help: "All that was done, without photos, sealed for the people of this trip: for a stick.")
    var sealed = false

    @Argument(help: "The file to make; standard output where none is named. One that is there is left alone.")
    var file: String?

    @OptionGroup var trip: TripOptions

    func validate() throws {
        guard sealed else { return }
        guard format == nil else { throw ValidationError("--sealed has a form of its own: leave --as out") }
        guard file != nil else { throw ValidationError("name the file to make: caravan export --sealed FILE") }
    }

    func run() async throws {
        if sealed, let file { return try await trip.ask(.makeBundle(path: WholePath.of(file))) }
        guard case .trip(let view) = try await trip.answer(.view) else {
            throw ServiceError("the trip's node answered something else: is it of another version?")
        }
        let format = format ?? file.flatMap { ExportFormat(fileName: $0) } ?? .markdown
        let text = try format.write(view)
        if let file {
            try NewFile.write(Array(text.utf8), to: file)
            Output.line(file)
        } else {
            Output.text(text)
        }
        let leftOut = format.leftOutCount(view)
        if leftOut > 0 { Output.note("\(leftOut) of \(view.items.count) items have no place, and are left out.") }
    }
}
