import TripModel

/// What a column of a table, or a member of an object, says of an item: the names of our own fields, those of Inside Airbnb's
/// `listings.csv`, and what other listings call the same.
enum ListingColumn: Hashable {
    case field(Field)
    case quantity
    /// The title of the list that it is in.
    case list
    /// Words, with a comma between two.
    case amenities
    /// Details that may hold HTML, as those of listings do.
    case description
    /// Whether the item is removed where it comes from.
    case removed
    /// In degrees.
    case latitude, longitude
    /// Whole numbers, of which `Field.rooms` is made where it is not told.
    case bedrooms, accommodates
    /// What kind of place it is, and where: a note where there is none.
    case roomType, neighbourhood
    /// The numbers by which Airbnb knows a listing and its host: its shorter table has no link.
    case listingID, hostID

    /// Nil for what says nothing that an item keeps. Names differ in capitals, blanks and hyphens.
    init?(named name: String) {
        let known = String(decoding: name.utf8.map(Self.plain), as: UTF8.self)
        if let field = Field.ofPlans.first(where: { $0.name == known }) {
            self = .field(field)
        } else if let column = Self.others[known] {
            self = column
        } else {
            return nil
        }
    }

    private static func plain(_ byte: UInt8) -> UInt8 {
        switch byte {
        case 0x41...0x5A: byte | 0x20
        case 0x20, 0x2D: 0x5F
        default: byte
        }
    }

    private static let others: [String: ListingColumn] = [
        "name": .field(.title),
        "url": .field(.link), "listing_url": .field(.link), "href": .field(.link),
        "host_name": .field(.host),
        "description": .description, "summary": .description,
        "list": .list, "amenities": .amenities,
        "notes": .field(.note),
        "coordinates": .field(.place), "location": .field(.place),
        "latitude": .latitude, "lat": .latitude,
        "longitude": .longitude, "lon": .longitude, "lng": .longitude, "long": .longitude,
        "quantity": .quantity, "count": .quantity,
        "removed": .removed,
        "bedrooms": .bedrooms, "accommodates": .accommodates,
        "room_type": .roomType,
        "neighbourhood_cleansed": .neighbourhood, "neighbourhood": .neighbourhood, "neighborhood": .neighbourhood,
        "id": .listingID, "host_id": .hostID,
    ]
}
