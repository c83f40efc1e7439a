import ArgumentParser
import TripModel
import TripService

/// What an item may say besides its title.
struct FieldOptions: ParsableArguments {
    @Option(help: ArgumentHelp("A note.", valueName: "text"))
    var note: String?

    @Option(help: ArgumentHelp("A web address.", valueName: "url"))
    var link: String?

    @Option(
        help: ArgumentHelp("Price: 80 EUR/night, $25 pp, 300 in total.", valueName: "text")
    )
    var price: String?

    // South of the equator a place begins like an option.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Location: LATITUDE,LONGITUDE, a map link, geo:…, 38°42'36\"N 9°8'34\"W, or words.", valueName: "place"
        )
    )
    var place: String?

    @Option(help: ArgumentHelp("Name or address of the place.", valueName: "text"))
    var address: String?

    @Option(
        help: ArgumentHelp("stay, activity, bring, idea or dates.", valueName: "kind"),
        completion: .kinds,
        transform: ItemKind.init(argument:))
    var kind: ItemKind?

    @Option(
        help: ArgumentHelp("The day or days: 2026-06-12..15, \"12-15 June 2026\".", valueName: "days"))
    var dates: String?

    @Option(help: ArgumentHelp("Number of beds.", valueName: "n"))
    var beds: Int?

    @Option(help: ArgumentHelp("Name of the host.", valueName: "name"))
    var host: String?

    @Option(help: ArgumentHelp("Telephone number.", valueName: "number"))
    var phone: String?

    @Option(help: ArgumentHelp("Rooms, such as 2 bedrooms, a kitchen.", valueName: "text"))
    var rooms: String?

    @Option(help: ArgumentHelp("A longer description.", valueName: "text"))
    var details: String?

    func validate() throws {
        try given.checkTexts()
        if let beds, beds < 1 { throw ValidationError("--beds takes 1 or more") }
    }

    /// The fields that were given.
    var given: [Field: String] {
        var given: [Field: String] = [
            .note: note, .link: link, .price: price, .address: address, .host: host, .phone: phone, .rooms: rooms,
            .details: details, .itemKind: kind?.rawValue, .dates: dates.map(ClockRules.days),
            .beds: beds.map(String.init),
        ]
        .compactMapValues { $0 }
        if let place { given.note(place: place) }
        return given
    }
}

/// Who is to do an item, and by when.
struct TaskOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Who is to do it.", valueName: "name"), completion: .members)
    var assignee: String?

    @Option(help: ArgumentHelp("By when: 2026-06-03, or \"2026-06-03 18:00\".", valueName: "day"))
    var due: String?

    func validate() throws { try given.checkTexts() }

    /// The fields that were given.
    var given: [Field: String] { [.assignee: assignee, .due: due.map(ClockRules.days)].compactMapValues { $0 } }
}

extension [Field: String] {
    /// Throws if one of them was given without a text.
    func checkTexts() throws {
        for (field, text) in sorted(by: { $0.key.name < $1.key.name }) where TextClasses.trimmed(text).isEmpty {
            throw ValidationError(
                "--\(field.name) is empty; leave it out, or clear it with `caravan edit ITEM --clear \(field.name)`")
        }
    }

    /// Throws if the deadline among them has passed by the reader's clock.
    func checkDeadline() throws(ServiceError) {
        guard let due = self[.due], let today = Reader.today else { return }
        if let fault = Deadline.fault(due, today: today) { throw ServiceError(fault) }
    }
}

extension ItemKind {
    init(argument name: String) throws {
        guard let kind = ItemKind(named: name) else {
            throw ValidationError("--kind takes \(ItemKind.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        self = kind
    }
}
