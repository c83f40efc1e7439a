import ArgumentParser
import TripModel

/// What an item may say besides its title.
struct FieldOptions: ParsableArguments {
    @Option(help: ArgumentHelp("A remark.", valueName: "text"))
    var note: String?

    @Option(help: ArgumentHelp("A web address.", valueName: "url"))
    var link: String?

    @Option(help: ArgumentHelp("What it costs, as you would write it.", valueName: "text"))
    var price: String?

    // South of the equator a place begins like an option.
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Where it is: LATITUDE,LONGITUDE in degrees.", valueName: "lat,lon")
    )
    var place: String?

    @Option(help: ArgumentHelp("Who offers it.", valueName: "name"))
    var host: String?

    @Option(help: ArgumentHelp("Rooms and beds: 2 bedrooms, 3 beds.", valueName: "text"))
    var rooms: String?

    @Option(help: ArgumentHelp("Anything longer.", valueName: "text"))
    var details: String?

    /// The fields that were given.
    var given: [Field: String] {
        [.note: note, .link: link, .price: price, .place: place, .host: host, .rooms: rooms, .details: details]
            .compactMapValues { $0 }
    }
}
