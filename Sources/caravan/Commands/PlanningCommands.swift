import ArgumentParser
import CaravanNode
import TripExchange
import TripModel
import TripService
import TripText

struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add an item.",
        discussion: """
            The title may be a link. Without a title, --dates gives the title.

            Examples:
              caravan add "Casa do Rio" --price "120 EUR/night" --dates 2026-06-12..15
              caravan add https://example.org/rooms/1 --fetch
              caravan add --kind dates --dates 2026-06-12..15
              caravan add --lines --list Packing < things.txt
            """)

    @Argument(help: "The title, or a link.")
    var title: String?

    @OptionGroup var fields: FieldOptions
    @OptionGroup var task: TaskOptions

    @Option(help: ArgumentHelp("How many.", valueName: "n"))
    var quantity: Int64?

    @Option(help: ArgumentHelp("Append it to this list.", valueName: "list"), completion: .lists)
    var list: String?

    @Option(help: ArgumentHelp("An amenity in lower case: wifi (repeatable).", valueName: "word"))
    var amenity: [String] = []

    @Flag(help: "Read items from standard input, one per line, such as 3 towels.")
    var lines = false

    @Option(
        help: ArgumentHelp("A picture to attach (repeatable).", valueName: "file"),
        completion: .file())
    var photo: [String] = []

    @Flag(
        inversion: .prefixedNo, exclusivity: .exclusive,
        help: "Fetch its details from its link (see `caravan fetch --help`).")
    var fetch: Bool?

    @OptionGroup var trip: WritingOptions

    func validate() throws {
        if let quantity, quantity < 1 { throw ValidationError("--quantity takes 1 or more") }
        guard
            !lines
                || title == nil && given.isEmpty && quantity == nil && amenity.isEmpty && photo.isEmpty && fetch == nil
        else {
            throw ValidationError("--lines can be combined only with --list")
        }
        guard fetch != true || item == nil || item?.fields[.link] != nil else {
            throw ValidationError("--fetch needs a link; give one as the title or with --link")
        }
        guard lines || item != nil else {
            if title == nil, let dates = given[.dates] {
                throw ValidationError(
                    "the dates \(dates.displayed(limit: 80).quoted) are invalid, or the end is before the start; "
                        + "write 2026-06-12..15, or give a title"
                )
            }
            throw ValidationError("give a title, a link or --lines")
        }
    }

    private var item: NewItem? {
        NewItem(title: title, fields: given, quantity: quantity, amenities: amenity)
    }

    private var given: [Field: String] { fields.given.merging(task.given) { $1 } }

    func run() async throws {
        try given.checkDeadline()
        let parts = NewPhoto.parts(of: try await NewPhoto.read(from: photo))
        var items = lines ? try TypedLines.read(isCounted: false) : [item].compactMap(\.self)
        if let photos = parts.first { items[0].photos = photos }
        let problem = try await isFetching(items) ? await items[0].fetchDetails(trip.report) : nil
        let isTold = Reader.isErrorTerminal && !trip.report.quiet && !trip.report.json
        let known = isTold ? KnownItems.sentence(of: items, in: try await trip.view()) : nil
        try await add(items, parts.dropFirst())
        if let known { trip.report.note(known) }
        guard let problem else { return }
        let message = "\(problem.message); the item was added without its details"
        if fetch == true { throw ServiceError(message) } else { trip.report.note(message) }
    }

    /// Whether details are wanted: now, or always.
    private func isFetching(_ items: [NewItem]) async throws(ServiceError) -> Bool {
        guard fetch == nil else { return fetch == true }
        guard !lines, items.first?.fields[.link] != nil else { return false }
        guard case .status(let status) = try await trip.answer(.status) else { throw TripOptions.otherAnswer }
        return status.fetchesLinks
    }

    private func add(_ items: [NewItem], _ parts: ArraySlice<[NewPhoto]>) async throws {
        guard !parts.isEmpty else { return try await trip.ask(.add(items, list: list)) }
        let answer = try await trip.answer(.add(items, list: list))
        guard case .done(let receipt) = answer, let added = receipt.items.first else { throw TripOptions.otherAnswer }
        for part in parts {
            do { _ = try await trip.answer(.attach(item: .typed(added.shortID), photos: part)) } catch {
                throw ServiceError(
                    "\(error.message); the item was added with some of its photos, add the others with "
                        + "`caravan photo \(added.shortID)`")
            }
        }
        trip.report.tell(answer)
        await trip.noteUnsent(try await trip.access())
    }
}

/// Things a line each, as people paste them.
enum TypedLines {
    /// The most bytes of them: what fits one change.
    private static let bytesMax = Limits.contentBytes

    /// - Parameter isCounted: whether there is one of what bears no number.
    static func read(isCounted: Bool = true) throws -> [NewItem] {
        var bytes: [UInt8] = []
        while bytes.count <= bytesMax, let line = readLine(strippingNewline: false) { bytes += Array(line.utf8) }
        guard bytes.count <= bytesMax else {
            throw ServiceError("this is too much for one change; paste fewer lines at once")
        }
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).compactMap { line in
            WebAddress(TextClasses.trimmed(String(line))) == nil
                ? NewItem(line: line, isCounted: isCounted) : NewItem(typed: String(line))
        }
    }
}

struct Edit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Edit an item.",
        discussion: """
            The value that you set replaces all proposed ones. What others write while your --editor is open is kept as \
            another proposal. `none` clears --dates and --due. `caravan undo` undoes fields, amenities and the quantity \
            separately.

            Examples:
              caravan edit 2 --price 110 --clear note
              caravan edit 2 --amenity wifi --quantity +1
            """)

    @Argument(help: .item, completion: .items)
    var item: String

    @Option(help: "A new title.")
    var title: String?

    @OptionGroup var fields: FieldOptions
    @OptionGroup var task: TaskOptions

    @Option(
        help: ArgumentHelp("A field to clear (repeatable).", valueName: "field"),
        completion: .fields,
        transform: { try Field(named: $0) })
    var clear: [Field] = []

    @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "Mark it as done or not done.")
    var done: Bool?

    @Option(
        help: ArgumentHelp("Add an amenity in lower case: wifi (repeatable).", valueName: "word"))
    var amenity: [String] = []

    @Option(help: ArgumentHelp("Remove an amenity (repeatable).", valueName: "word"))
    var noAmenity: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The quantity: 12, or +2 or -1 to change it.", valueName: "n"))
    var quantity: NewQuantity?

    @Flag(help: "Edit all fields in your editor ($VISUAL, $EDITOR).")
    var editor = false

    @OptionGroup var trip: WritingOptions

    func validate() throws {
        let isChanged = !actions.isEmpty
        if editor {
            guard !isChanged else { throw ValidationError("--editor cannot be combined with other options") }
            return
        }
        guard isChanged else {
            throw ValidationError(
                "nothing to change; give a field such as --title or --price, --clear FIELD, or --editor")
        }
        guard !clear.contains(.title) else {
            throw ValidationError("the title can't be cleared; write another one with --title")
        }
        if let field = clear.first(where: { given[$0] != nil }) {
            throw ValidationError("--\(field.name) and --clear \(field.name) cannot be combined")
        }
    }

    func run() async throws {
        if editor { return try await EditInEditor(item: item, trip: trip).run() }
        try given.checkDeadline()
        let address = try await keptAddress()
        try await edit()
        if let address { trip.report.note("The address is still \(address.quoted); `--clear address` clears it.") }
    }

    /// The address of the coordinates that are replaced, if it stays.
    private func keptAddress() async throws(ServiceError) -> String? {
        guard let place = given[.place], given[.address] == nil, !clear.contains(.address) else { return nil }
        let fields = try await trip.item(item).fields
        guard let old = fields[.place]?.value, old != Field.place.normalized(place) else { return nil }
        return fields[.address]?.value
    }

    private func edit() async throws {
        guard actions.count > 1 else { return try await trip.ask(.act(actions[0], on: [.typed(item)])) }
        // By its id: after the first change its title may be another.
        let id = try await trip.item(item).id
        let access = try await trip.access()
        var receipts: [Receipt] = []
        var same: [ServiceError] = []
        for action in actions {
            switch await Self.outcome(of: action, on: id, access) {
            case .success(.done(let receipt)): receipts.append(receipt)
            case .success: throw TripOptions.otherAnswer
            case .failure(let error) where error.code == .unchanged: same.append(error)
            case .failure(let error):
                throw receipts.isEmpty
                    ? error : ServiceError("\(error.message); the edit was made in part, see `caravan show \(item)`")
            }
        }
        guard let last = receipts.last else { return trip.report.tellUnchanged(same[0]) }
        trip.report.tell(.done(last.of(.edited)))
        await trip.noteUnsent(access)
    }

    private static func outcome(
        of action: ItemAction, on item: ItemID, _ access: TripAccess
    ) async -> Result<TripAnswer, ServiceError> {
        do { return .success(try await access.answer(.act(action, on: [.id(item)]))) } catch { return .failure(error) }
    }

    private var given: [Field: String] { fields.given.merging(task.given) { $1 } }

    /// What is to be done, one after the other: each is a change of its own.
    private var actions: [ItemAction] {
        var actions: [ItemAction] = []
        var edits: [Field: String?] = given.mapValues { $0 }
        if let title { edits[.title] = title }
        // Words say where it is in place of coordinates.
        if fields.place != nil, given[.place] == nil { edits.updateValue(nil, forKey: .place) }
        if let done { edits.updateValue(done ? Field.setValue : nil, forKey: .done) }
        let without = [Field.dates, .due].filter { given[$0] == "none" }
        for field in clear + without { edits.updateValue(nil, forKey: field) }
        if !edits.isEmpty { actions.append(.edit(edits)) }
        if !(amenity + noAmenity).isEmpty { actions.append(.changeAmenities(added: amenity, removed: noAmenity)) }
        if let quantity { actions.append(quantity.action) }
        return actions
    }
}

struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove items.",
        discussion: """
            `caravan restore` brings them back.

            Examples:
              caravan remove 3
              caravan remove 3 5 --dry-run
            """, aliases: ["rm"])

    @Argument(help: .items, completion: .items)
    var item: [String]

    @OptionGroup var dryRun: DryRunOptions
    @OptionGroup var trip: WritingOptions

    func run() async throws {
        guard dryRun.isDry else { return try await trip.ask(.act(.remove, on: .typed(item))) }
        var found: [ItemView] = []
        for reference in item { found.append(try await trip.item(reference)) }
        let receipt = Receipt(.removed, found.filter { !$0.isRemoved }, unchanged: found.filter(\.isRemoved))
        let lines = found.map { item in
            item.isRemoved
                ? "Nothing would change: \(item.number) \(item.title.quoted) is already removed"
                : "Would remove \(item.number) \(item.title.quoted)"
        }
        trip.report.tell(lines.joined(separator: "\n"), TripJSON.receipt(receipt, isDry: true))
    }
}

struct CastVote: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vote", abstract: "Vote for or against items.",
        discussion: """
            Examples:
              caravan vote 1 3
              caravan vote 2 --against
              caravan vote 4 --if-need-be
            """)

    @Argument(help: .items, completion: .items)
    var item: [String]

    @Flag(help: "Vote against.")
    var against = false

    @Flag(help: "OK if need be; not counted in the tally.")
    var ifNeedBe = false

    @OptionGroup var trip: WritingOptions

    func validate() throws {
        guard !against || !ifNeedBe else { throw ValidationError("--against and --if-need-be cannot be combined") }
    }

    func run() async throws {
        try await trip.ask(.act(.vote(against ? .against : ifNeedBe ? .ifNeedBe : .for), on: .typed(item)))
    }
}

struct Unvote: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unvote",
        abstract: "Withdraw your votes.", discussion: "Example: caravan unvote 1 3")

    @Argument(help: .items, completion: .items)
    var item: [String]

    @OptionGroup var trip: WritingOptions

    func run() async throws { try await trip.ask(.act(.vote(nil), on: .typed(item))) }
}

struct Quantity: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quantity",
        abstract: "Set an item's quantity, or add to it.",
        discussion: """
            Examples:
              caravan quantity 4 12
              caravan quantity 4 +2
              caravan quantity 4 -1
            """)

    @Argument(help: .item, completion: .items)
    var item: String

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("How many there are: 12. Or how many more or less: +2, -1.", valueName: "quantity"))
    var quantity: [NewQuantity] = []

    // How an exact number was written before.
    @Option(help: ArgumentHelp("How many there are.", valueName: "n", visibility: .hidden))
    var set: Int64?

    @OptionGroup var trip: WritingOptions

    func validate() throws {
        guard quantity.count == (set == nil ? 1 : 0) else {
            throw ValidationError("give one quantity: 12, +2 or -1")
        }
    }

    func run() async throws {
        let action = set.map { .setQuantity($0) } ?? quantity[0].action
        try await trip.ask(.act(action, on: [.typed(item)]))
    }
}

extension Field {
    /// Reads a field's name from the command line.
    init(named name: String, among fields: [Field] = Field.ofPlans) throws {
        guard let field = fields.first(where: { $0.name == name.lowercased() }) else {
            let names = fields.map(\.name)
            let hint =
                NearNames.nearest(name, among: names).map { "did you mean “\($0)”?" }
                ?? "the fields are \(names.joined(separator: ", "))"
            throw ValidationError("there is no field “\(name.prefix(40))”; \(hint)")
        }
        self = field
    }
}
