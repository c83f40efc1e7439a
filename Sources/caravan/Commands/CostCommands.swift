import ArgumentParser
import CaravanNode
import Console
import TripModel
import TripService
import TripText

struct CostGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cost",
        abstract: "Record who paid, and who shares it.",
        discussion: """
            Examples:
              caravan cost add Dinner "84 EUR" --by Noah --except Mia
              caravan cost list
              caravan balances
            """,
        subcommands: [
            ListCosts.self, AddCost.self, EditCost.self, RemoveCost.self, ImportCosts.self, ExportCosts.self,
        ],
        defaultSubcommand: ListCosts.self)
}

struct ListCosts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List expenses and payments.", discussion: "Example: caravan cost list --json",
        aliases: ["ls"])

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        try await trip.page(reading, TripJSON.costs) { TerminalText.costs($0, style: Reader.style) }
    }
}

/// The day of an expense or a payment.
enum OneDay {
    static func check(_ text: String?) throws(ServiceError) {
        guard let text, text != "none", !TextClasses.trimmed(text).isEmpty else { return }
        guard let span = DateSpan(typed: TextClasses.trimmed(text)), span.departure == nil else {
            throw ServiceError("--on takes one day, such as 2026-06-12, not \(text.quoted)")
        }
    }
}

/// Who paid, and whose it is.
struct CostOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Who paid; you by default. Of several payers, NAME=AMOUNT each.", valueName: "name"),
        completion: .members)
    var by: [String] = []

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Who shares it equally (repeatable); everybody by default.", valueName: "name"),
        completion: .members)
    var sharers: [String] = []

    @Option(
        help: ArgumentHelp("Everybody but this person shares it (repeatable).", valueName: "name"),
        completion: .members)
    var except: [String] = []

    @Option(help: ArgumentHelp("Share by parts (repeatable).", valueName: "name=n"))
    var parts: [String] = []

    @Option(help: ArgumentHelp("Share by exact amounts (repeatable).", valueName: "name=amount"))
    var exactly: [String] = []

    @Option(help: ArgumentHelp("Share by percent (repeatable).", valueName: "name=percent"))
    var percent: [String] = []

    @Option(
        help: ArgumentHelp("What 1 unit is worth in the home currency, or in another: 0.9512 EUR.", valueName: "rate"))
    var rate: String?

    @Option(help: ArgumentHelp("The day: 2026-06-12.", valueName: "day"))
    var on: String?

    @Option(help: ArgumentHelp("A note.", valueName: "text"))
    var note: String?

    @Option(help: ArgumentHelp("What it was for: food, transport.", valueName: "text"))
    var category: String?

    func validate() throws {
        for (name, text) in [("on", on), ("note", note), ("category", category)] {
            guard let text, TextClasses.trimmed(text).isEmpty else { continue }
            throw ValidationError(
                "--\(name) is empty; leave it out"
                    + (name == "on" ? "" : ", or clear it with `caravan edit ITEM --clear \(name)`"))
        }
        let equally = sharers + except
        guard [equally, parts, exactly, percent].count(where: { !$0.isEmpty }) <= 1 else {
            throw ValidationError("--for with --except, --parts, --exactly and --percent cannot be combined")
        }
    }

    /// Writes over what a cost says so far.
    func alter(_ cost: inout TypedCost) {
        if !by.isEmpty { cost.payers = by }
        if let rate { cost.rate = rate == "none" ? nil : rate }
        for (way, shares) in [(Cost.Way.parts, parts), (.exactly, exactly), (.percent, percent)] where !shares.isEmpty {
            (cost.way, cost.sharers, cost.except) = (way, shares, [])
        }
        if !sharers.isEmpty || !except.isEmpty {
            (cost.way, cost.sharers, cost.except) = (.equally, sharers, except)
        }
    }

    var altersCost: Bool { rate != nil || [by, sharers, except, parts, exactly, percent].contains { !$0.isEmpty } }

    /// Whether the day is cleared.
    var clearsDay: Bool { on == "none" }

    /// What an item says besides.
    var fields: [Field: String] {
        [.dates: on.flatMap { $0 == "none" ? nil : $0 }, .note: note, .category: category].compactMapValues { $0 }
    }
}

struct AddCost: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add an expense.",
        discussion: """
            An amount without a currency is in the home currency, which is that of the oldest expense. An expense in another \
            currency has its own balances, unless you give a rate. Attach a receipt with `caravan photo ITEM FILE`.

            Examples:
              caravan cost add Dinner "84 EUR" --by Noah --except Mia
              caravan cost add Taxi 30 --by Jie=20 --by Mia=10
              caravan cost add Cabin 300 --parts Jie=2 --parts Noah=1
              caravan cost add Fondue "90 CHF" --rate 0.95 --on 2026-06-12 --category food
            """)

    @Argument(help: "What it was.")
    var title: String

    @Argument(help: "The amount: 84, 84.50, 50 CHF.")
    var amount: String

    @OptionGroup var cost: CostOptions
    @OptionGroup var trip: WritingOptions

    func run() async throws {
        try OneDay.check(cost.on)
        var typed = TypedCost(amount: amount)
        cost.alter(&typed)
        let (view, me) = (try await trip.view(), try await trip.me())
        var fields = cost.fields
        do { fields[.cost] = try typed.cost(in: view, by: me).text } catch { throw ServiceError(error) }
        fields[.itemKind] = ItemView.expenseKind
        try await trip.ask(.add([NewItem(title: title, fields: fields)]))
    }
}

struct EditCost: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change an expense.",
        discussion: """
            Fields that you leave out don't change. If two people edited it at the same moment, both versions are kept; edit it again to \
            pick one.

            Examples:
              caravan cost edit 12 --amount 90
              caravan cost edit Dinner --by Mia --for Jie --for Mia
              caravan cost edit Fondue --rate none
            """)

    @Argument(help: .item, completion: .expenses)
    var item: String

    @Option(help: ArgumentHelp("The amount: 84, 84.50, 50 CHF.", valueName: "amount"))
    var amount: String?

    @Option(help: ArgumentHelp("What it was.", valueName: "text"))
    var title: String?

    @OptionGroup var cost: CostOptions
    @OptionGroup var trip: WritingOptions

    func validate() throws {
        guard amount != nil || title != nil || cost.altersCost || !cost.fields.isEmpty || cost.clearsDay else {
            throw ValidationError("nothing to change; see `caravan cost edit --help`")
        }
    }

    func run() async throws {
        try OneDay.check(cost.on)
        let found = try await trip.cost(item)
        var edits: [Field: String?] = cost.fields.mapValues { $0 }
        if let title { edits[.title] = title }
        if cost.clearsDay { edits.updateValue(nil, forKey: .dates) }
        guard let known = found.fields[.cost].flatMap({ Cost($0.value) }) else {
            throw ServiceError(TripReplica.paymentChanged)
        }
        let view = try await trip.view()
        var typed = TypedCost(known)
        if let amount { typed.amount = try Self.amount(amount, known) }
        cost.alter(&typed)
        do { edits[.cost] = try typed.cost(in: view, by: try await trip.me()).text } catch let error as TripError {
            throw ServiceError(error)
        }
        let isPicked = found.fields[.cost]?.alternatives.isEmpty == false
        if edits[.cost] == known.text, !isPicked { edits[.cost] = nil }
        try await trip.ask(.act(.edit(edits), on: [.id(found.id)]))
    }

    /// An amount without a currency is in that of the expense.
    private static func amount(_ text: String, _ known: Cost) throws -> String {
        do throws(TripError) {
            return try Money(typed: text, home: known.amount.currency).typed
        } catch { throw ServiceError(error) }
    }
}

struct RemoveCost: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove expenses, or payments that you recorded.",
        discussion: "`caravan restore` brings them back.\n\nExample: caravan cost remove 12", aliases: ["rm"])

    @Argument(help: .items, completion: .costs)
    var item: [String]

    @OptionGroup var trip: WritingOptions

    func run() async throws {
        var found: [ItemReference] = []
        for reference in item { found.append(.id(try await trip.cost(reference).id)) }
        try await trip.ask(.act(.remove, on: found))
    }
}

struct ShowBalances: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "balances",
        abstract: "Show who is owed what, and the fewest payments that settle it.",
        discussion: "Example: caravan balances --json")

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        let access = try await trip.access()
        let view = try await access.view()
        if reading.json {
            Output.text(TripJSON.balances(view).line)
        } else {
            Output.text(TerminalText.balances(view, for: try? await access.me(), style: Reader.style))
        }
    }
}

struct Settle: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settle",
        abstract: "Record a payment between you and another member.",
        discussion: """
            Without an amount, records the payment that `caravan balances` proposes between you two. Only you can remove it; \
            the other person can dispute it with `caravan vote ITEM --against`. It counts either way.

            Examples:
              caravan settle Noah
              caravan settle Noah 28
              caravan settle Mia "10 CHF" --received
            """)

    @Argument(help: "The other person.", completion: .members)
    var name: String

    @Argument(help: "The amount: 28, 28.50, 10 CHF.")
    var amount: String?

    @Flag(help: "You received the money.")
    var received = false

    @Option(help: ArgumentHelp("The day: 2026-06-12.", valueName: "day"))
    var on: String?

    @OptionGroup var trip: WritingOptions

    func run() async throws {
        try OneDay.check(on)
        let (view, me) = (try await trip.view(), try await trip.me())
        do {
            let payment = try payment(in: view, by: me)
            let other = try view.displayName(of: view.person(named: name))
            var fields: [Field: String] = [.payment: payment.text, .itemKind: ItemView.paymentKind]
            fields[.dates] = on == "none" ? nil : on
            let title = payment.payment?.from == me ? "Payment to \(other)" : "Payment from \(other)"
            try await trip.ask(.add([NewItem(title: title, fields: fields)]))
        } catch let error as TripError { throw ServiceError(error) }
    }

    private func payment(in view: TripView, by me: ParticipantID) throws -> Cost {
        let other = try view.person(named: name)
        guard other != me else { throw ServiceError("\(name.quoted) is you; name another person") }
        let costs = view.costs
        if let amount {
            let money = try Money(typed: amount, home: costs.home)
            return try Cost(payment: money, from: received ? other : me, to: received ? me : other)
        }
        let proposed = costs.balances.flatMap { currency, _ in
            costs.transfers(in: currency).filter { transfer in
                Set([transfer.from, transfer.to]) == [me, other] && (!received || transfer.to == me)
            }.map { (currency, $0) }
        }
        guard let (currency, transfer) = proposed.first, proposed.count == 1 else {
            let ways = proposed.compactMap { currency, transfer in
                TerminalText.settleCommand(transfer, Money(transfer.minorUnits, currency), by: me, view)
            }
            throw ServiceError(
                proposed.isEmpty
                    ? "no payment between you and \(name.quoted) is proposed; give an amount, or see `caravan balances`"
                    : "payments in several currencies are proposed; write \(ways.joined(separator: " or "))")
        }
        return try Cost(payment: Money(transfer.minorUnits, currency), from: transfer.from, to: transfer.to)
    }
}

extension WritingOptions {
    func cost(_ reference: String) async throws(ServiceError) -> ItemView {
        try await item(reference, that: \.isOfCosts, listedBy: "caravan cost list") {
            "\($0) is neither an expense nor a payment"
        }
    }
}
