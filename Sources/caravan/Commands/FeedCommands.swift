import ArgumentParser
import Console
import Foundation
import TripExchange
import TripModel
import TripService
import TripText

struct Feeds: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feeds",
        abstract: "Manage feeds: files and local URLs that you browse for items.",
        discussion: """
            A feed can be anything that `caravan import` reads. Only you see your feeds.

            Examples:
              caravan feeds add listings.csv
              caravan feeds add http://192.168.1.5:8000/r.json --as houses
            """,
        subcommands: [ShowFeeds.self, AddFeed.self, RemoveFeed.self], defaultSubcommand: ShowFeeds.self)
}

struct ShowFeeds: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show your feeds.", discussion: "Example: caravan feeds --json",
        aliases: ["list", "ls"])

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        Reader.show(.feeds(try await trip.own().feeds), json: reading.json)
    }
}

struct AddFeed: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a file, or a URL on the local network.",
        discussion: "Reads it once, to check it.\n\nExample: caravan feeds add listings.csv")

    @Argument(help: "A file, or a URL that starts with http://.", completion: .file())
    var origin: String

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("A name for the feed; by default the last part of its path.", valueName: "name"))
    var name: String?

    @OptionGroup var trip: WritingOptions

    func run() async throws {
        let origin = try FeedSource.whole(origin)
        let list = try FeedSource.read(origin)
        let own = origin.split(separator: "/").last.map { String($0.prefix { $0 != "?" }) } ?? ""
        let name = TextClasses.trimmed((name ?? own).displayed(limit: 64))
        guard !name.isEmpty else { throw ServiceError("the feed needs a name; give one with --as") }
        let feed = Feed(name: name, origin: origin)
        _ = try await trip.answer(.addFeed(feed))
        trip.report.tell(
            "Added feed “\(name)” with \(TerminalText.counted(list.entries.count, "item")). Next: caravan browse \(name)",
            TripJSON.added(feed))
    }
}

struct RemoveFeed: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a feed. Items that you added from it stay.",
        discussion: "Example: caravan feeds remove listings.csv", aliases: ["rm"])

    @Argument(help: "The name of the feed.")
    var name: String

    @OptionGroup var trip: WritingOptions

    func run() async throws {
        let left = try await trip.answer(.removeFeed(name: name))
        trip.report.tell("Removed feed \(name.displayed().quoted)", TripJSON.removed(leaving: left, "feeds"))
    }
}

struct Browse: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse",
        abstract: "Browse or search a feed, and add items from it.",
        discussion: """
            A check mark shows items that the trip already has, by their link, or by their title and place. They are not \
            added again.

            Examples:
              caravan browse listings.csv --search river
              caravan browse listings.csv --share 3 --share 8
            """)

    @Argument(help: "A feed, a file, or a URL on the local network.", completion: .file())
    var feed: String

    @Option(help: ArgumentHelp("Only items that contain this text (case-insensitive).", valueName: "text"))
    var search: String?

    @Option(help: ArgumentHelp("Add the item with this number to the trip (repeatable).", valueName: "n"))
    var share: [Int] = []

    @Option(help: ArgumentHelp("Add the item with this number to your wish list (repeatable).", valueName: "n"))
    var wish: [Int] = []

    @Option(help: ArgumentHelp("Append shared items to this list.", valueName: "list"), completion: .lists)
    var list: String?

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        let origin = try await origin
        let entries = try FeedSource.read(origin)
        let rows = Rows(entries: entries, list: .feed(origin))
        let view = try await trip.view()
        if !wish.isEmpty {
            let wishes = try await places(wish, in: rows).map { Wish(entries.entries[$0].item) }
            _ = try await trip.answer(.wish(wishes))
            Output.text(
                reading.json
                    ? TripJSON.answer(.wished(WishReceipt(added: wishes))).line
                    : "Added \(TerminalText.counted(wishes.count, "item")) to your wish list\n")
        }
        if !share.isEmpty {
            let chosen = entries.keeping(try await places(share, in: rows))
            let plan = try ImportPlan(chosen, into: view)
            for items in plan.changes { try await trip.ask(.add(items, list: list), json: reading.json) }
            if plan.knownCount > 0 {
                Output.note("Skipped \(TerminalText.counted(plan.knownCount, "item")) that the trip already has.")
            }
        }
        if share.isEmpty, wish.isEmpty { try await show(rows, ImportPlan.knownPlaces(of: entries, in: view)) }
    }

    private var origin: String {
        get async throws {
            let named = try await trip.own().feeds.first { $0.name == feed }
            if let named { return named.origin }
            let origin = try FeedSource.whole(feed)
            guard WebAddress(origin) != nil || FileManager.default.fileExists(atPath: origin) else {
                throw ServiceError("there is no feed and no file \(feed.displayed().quoted); see `caravan feeds`")
            }
            return origin
        }
    }

    /// What a feed holds now, each row with the mark by which it is known again.
    private struct Rows {
        let entries: ImportedList
        let list: ShownLists.Name
        let marks: [UInt64]

        init(entries: ImportedList, list: ShownLists.Name) {
            self.entries = entries
            self.list = list
            marks = entries.entries.map { Wish($0.item).mark }
        }
    }

    /// The places of the rows that numbers mean, each once.
    private func places(_ numbers: [Int], in rows: Rows) async throws(ServiceError) -> [Int] {
        let answer = try await trip.answer(.meanings(numbers, rows.list, rows.marks))
        guard case .meanings(let meanings) = answer else { throw TripOptions.otherAnswer }
        var places: [Int] = []
        for (number, meaning) in zip(numbers, meanings) {
            switch meaning {
            case .row(let place): if !places.contains(place) { places.append(place) }
            case .gone:
                throw ServiceError(
                    "row \(number) of “\(feed.displayed())” has changed since it was shown; show it again with "
                        + "`caravan browse`")
            case .shownAs(let other):
                throw ServiceError(
                    "no row of “\(feed.displayed())” was shown as \(number); the row in its place was shown as "
                        + "\(other); show the feed again with `caravan browse`")
            case .nothing:
                throw ServiceError(
                    "there is no row \(number) in “\(feed.displayed())”; it has "
                        + TerminalText.counted(rows.entries.entries.count, "row"))
            }
        }
        return places
    }

    private func show(_ rows: Rows, _ known: Set<Int>) async throws {
        let list = rows.entries
        let shown = list.entries.indices.filter { holds(list.entries[$0].item) }
        guard reading.json else {
            let places = search == nil ? nil : shown
            let answer = try await trip.answer(.showRows(rows.list, rows.marks, places: places))
            guard case .numbers(let numbers) = answer, numbers.count == shown.count else {
                throw TripOptions.otherAnswer
            }
            for (place, number) in zip(shown, numbers) {
                Output.line("\(number)\(known.contains(place) ? " ✓" : "")  \(Import.line(list.entries[place].item))")
            }
            if shown.isEmpty { Output.line("No item matches.") }
            return
        }
        let values = shown.map { place -> JSONValue in
            let item = list.entries[place].item
            var values: [String: JSONValue?] = [
                "number": .integer(Int64(place + 1)), "title": .string(item.title),
                "there_already": .bool(known.contains(place)),
            ]
            for (field, text) in item.fields where field != .title { values[field.name] = .string(text) }
            return .object(values)
        }
        Output.text(JSONValue.array(values).line)
    }

    private func holds(_ item: NewItem) -> Bool {
        guard let words = search?.searchedWords else { return true }
        let text = ([item.title] + item.fields.values).joined(separator: "\0").lowercased()
        return words.allSatisfy { text.contains($0) }
    }
}

struct Recent: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recent",
        abstract: "Show the items you viewed last.",
        discussion: """
            Lists what you opened with `caravan show` on this device, latest first. Only you see it.

            Example: caravan recent
            """)

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        let answer = try await trip.answer(reading.json ? .viewed : .shown(.viewed))
        guard case .items(let items) = answer else { return Reader.show(answer, json: reading.json) }
        if reading.json {
            let group = try await trip.view().group
            return Reader.page(TripJSON.items(items, of: group).line, json: true)
        }
        for item in items {
            let price = item.fields[.price].map { " · " + $0.value.displayed() } ?? ""
            Output.line("\(item.number)  \(item.title.displayed())\(price)\(item.isRemoved ? " (removed)" : "")")
        }
        if items.isEmpty { Output.line("Nothing viewed yet. Open an item with `caravan show ITEM`.") }
    }
}

/// Where a feed comes from.
enum FeedSource {
    /// As it means the same wherever it is asked for.
    static func whole(_ origin: String) throws(ServiceError) -> String {
        let origin = try ServiceError.name(origin, of: "feed", listing: "caravan feeds")
        return origin.lowercased().hasPrefix("http://") || origin.lowercased().hasPrefix("https://")
            ? origin : WholePath.of(origin)
    }

    /// The same on a thread of its own, for a program that goes on meanwhile.
    static func readAside(_ origin: String) async throws(ServiceError) -> ImportedList {
        let outcome = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: Result { () throws(ServiceError) in try read(origin) })
            }
        }
        return try outcome.get()
    }

    static func read(_ origin: String) throws(ServiceError) -> ImportedList {
        let isAddress = WebAddress(origin) != nil
        guard !isAddress || !origin.lowercased().hasPrefix("https://") else {
            throw ServiceError("feeds must be files or http:// URLs on the local network; save the page as a file")
        }
        let bytes =
            isAddress
            ? try NearbyPage.fetch(origin, bytesMax: ExchangeLimits.bytes, tooLong: ImportFormat.tooLong)
            : try BoundedInput.read(origin, bytesMax: ExchangeLimits.bytes, tooLong: ImportFormat.tooLong)
        // What stands behind an address's path is no part of a name.
        let name = isAddress ? String(origin.prefix { $0 != "?" && $0 != "#" }) : origin
        do { return try ImportFormat(fileName: name, bytes).read(bytes, clock: ClockRules.zone) } catch {
            throw ServiceError("\(origin.displayed()): \(error.message)")
        }
    }
}
