import ArgumentParser

/// What an item may say besides its title.
struct FieldOptions: ParsableArguments {
    @Option(help: "A remark.")
    var note: String?

    @Option(help: "A web address.")
    var link: String?

    @Option(help: "What it costs, as you would write it.")
    var price: String?

    @Option(help: "Where it is: LATITUDE,LONGITUDE in degrees.")
    var place: String?

    @Option(help: "Who offers it.")
    var host: String?

    @Option(help: "Anything longer.")
    var details: String?

    /// The fields that were given, by name.
    var given: [String: String] {
        ["note": note, "link": link, "price": price, "place": place, "host": host, "details": details]
            .compactMapValues { $0 }
    }
}
