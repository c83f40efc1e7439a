import TripModel

/// What a page is about, as its data in JSON-LD names it by the words of schema.org.
struct SchemaThing {
    /// How much is known of what it is. The best thing of a page counts.
    private enum Rank: Int { case text = 1, thing, activity, stay }

    private let value: JSONText
    private let types: [String]
    private let rank: Rank

    /// The best of a page's things: the first stay, or else the first activity, another thing, a text. Nil where there is none.
    ///
    /// Complexity: O(n), and at most `LinkLimits.things` values.
    init?(in data: [JSONText]) {
        var best: SchemaThing?
        // The next one stands last.
        var waiting: [JSONText] = data.prefix(LinkLimits.things).reversed()
        var count = 0
        while let value = waiting.popLast(), count < LinkLimits.things {
            count += 1
            if let values = value.array {
                waiting += values.prefix(LinkLimits.things - count).reversed()
                continue
            }
            if let thing = SchemaThing(value), thing.rank.rawValue > best?.rank.rawValue ?? 0 { best = thing }
            waiting += ["mainEntityOfPage", "mainEntity", "@graph"].compactMap { value[$0] }
        }
        guard let best else { return nil }
        self = best
    }

    private init?(_ value: JSONText) {
        types = (value["@type"]?.array ?? value["@type"].map { [$0] } ?? []).prefix(16).compactMap { type in
            // "https://schema.org/Hotel", "schema:Hotel".
            type.text?.split { "/:#".contains($0) }.last.map(String.init)
        }
        guard let rank = Self.rank(types, value) else { return nil }
        (self.value, self.rank) = (value, rank)
    }

    private static func rank(_ types: [String], _ value: JSONText) -> Rank? {
        if types.contains(where: stays.contains) { return .stay }
        if types.contains(where: { activities.contains($0) || $0.hasSuffix("Event") }) { return .activity }
        if types.contains(where: others.contains) { return nil }
        if types.contains(where: texts.contains) { return .text }
        // A kind of shop or of business that is none of these, too.
        let isThing = types.contains("Product") || ["geo", "address", "offers"].contains { value[$0] != nil }
        return isThing && !types.isEmpty ? .thing : nil
    }

    private static let stays: Set<String> = [
        "Accommodation", "Apartment", "ApartmentComplex", "BedAndBreakfast", "Campground", "CampingPitch",
        "GatedResidenceCommunity", "Hostel", "Hotel", "HotelRoom", "House", "LodgingBusiness", "LodgingReservation",
        "Motel", "Residence", "Resort", "Room", "RVPark", "SingleFamilyResidence", "SkiResort", "Suite",
        "VacationRental",
    ]

    private static let activities: Set<String> = [
        "AmusementPark", "Aquarium", "ArtGallery", "BarOrPub", "Beach", "BoatTrip", "BowlingAlley", "Brewery",
        "BusTrip", "CafeOrCoffeeShop", "Casino", "Church", "CivicStructure", "ComedyClub", "Distillery",
        "EventVenue", "FastFoodRestaurant", "Festival", "FoodEstablishment", "GolfCourse", "HealthClub",
        "HinduTemple", "IceCreamShop", "LakeBodyOfWater", "LandmarksOrHistoricalBuildings", "Landform", "Mosque",
        "Mountain", "MovieTheater", "Museum", "MusicVenue", "NightClub", "Park", "PerformingArtsTheater",
        "PlaceOfWorship", "PublicSwimmingPool", "Restaurant", "SportsActivityLocation", "StadiumOrArena",
        "SwimmingPool", "Synagogue", "TouristAttraction", "TouristDestination", "TouristTrip", "Trip", "Waterfall",
        "Winery", "Zoo",
    ]

    /// What a page holds beside what it is about.
    private static let others: Set<String> = [
        "BreadcrumbList", "FAQPage", "ImageObject", "ItemList", "Organization", "Corporation", "Person", "SearchAction",
        "WebSite",
    ]

    private static let texts: Set<String> = [
        "Article", "BlogPosting", "NewsArticle", "WebPage", "AboutPage", "ItemPage", "Recipe", "VideoObject",
    ]

    // MARK: - What it says

    var title: String? { text("name") ?? text("headline") }
    var description: String? { text("description") }

    var kind: ItemKind? {
        switch rank {
        case .stay: .stay
        case .activity: .activity
        case .thing, .text: nil
        }
    }

    /// Who offers it: not a brand, which is no person to ask.
    var host: String? {
        ["provider", "organizer"].lazy.compactMap { Self.name(value[$0]) }.first
            ?? (rank == .stay ? nil : offers.lazy.compactMap { Self.name($0["seller"]) }.first)
    }

    /// In degrees, with no more decimals than a place has.
    var coordinates: (latitude: String, longitude: String)? {
        for place in [value["geo"], value, location?["geo"], location].compactMap({ Self.first($0) }) {
            guard let latitude = place["latitude"]?.text, let longitude = place["longitude"]?.text else { continue }
            // What is left out is often written as 0, 0.
            let isPlace = [latitude, longitude].contains { $0.contains { ("1"..."9").contains($0) } }
            return isPlace ? (Self.degrees(latitude), Self.degrees(longitude)) : nil
        }
        return nil
    }

    /// "Casa do Rio, Rua do Rio 1, 1100-001 Lisbon, Portugal": of something that takes place elsewhere, with the place's name.
    var address: String? {
        guard let location else { return Self.address(value["address"]) }
        let parts = [Self.name(location), Self.address(location["address"])].compactMap(\.self)
        return parts.isEmpty ? location.text : parts.joined(separator: ", ")
    }

    /// Days, and a time of one day, as `Field.dates` holds them; nil for what has none.
    var dates: String? {
        guard let start = text("startDate"), let first = Day(String(start.prefix(10))) else { return nil }
        let last = text("endDate").flatMap { Day(String($0.prefix(10))) }
        if let last, last != first { return DateSpan(arrival: first, departure: last)?.text }
        // "2026-06-12T20:00:00+01:00": seconds are no part of a plan.
        let time = String(start.dropFirst(10).prefix(6))
        let zone = start.dropFirst(16).drop { $0 != "+" && $0 != "-" && $0 != "Z" }
        let offset = zone == "Z" ? "+00:00" : String(zone)
        return (DateSpan(first.text + time + offset) ?? DateSpan(first.text + time) ?? DateSpan(first.text))?.text
    }

    // MARK: - Rooms

    var bedrooms: String? { number(rented["numberOfBedrooms"]) }
    var guests: String? { number(rented["occupancy"]) }

    /// How many beds it has in all.
    var beds: String? {
        let beds = (rented["bed"]?.array ?? rented["bed"].map { [$0] } ?? []).prefix(64)
        let counts = beds.compactMap { bed in number(bed["numberOfBeds"]) ?? bed.text }.compactMap { Int($0) }
        let sum = counts.filter { (1...Limits.countMax).contains($0) }.reduce(0, +)
        return sum > 0 ? String(sum) : nil
    }

    /// What is rented as a whole. A hotel's rooms are not: nobody sleeps in all of them.
    private var rented: JSONText {
        let inner = value["containsPlace"]?.array ?? value["containsPlace"].map { [$0] } ?? []
        return inner.count == 1 ? inner[0] : value
    }

    /// A number, or one of a QuantitativeValue.
    private func number(_ value: JSONText?) -> String? {
        value?.text ?? ["value", "maxValue"].lazy.compactMap { value?[$0]?.text }.first
    }

    // MARK: - Prices

    /// "120 EUR a night", "from 25 EUR", "€€".
    var price: String? {
        let prices = offers.flatMap(Self.prices)
        guard let lowest = prices.min(by: { $0.amount < $1.amount }) else { return text("priceRange") }
        let isOne = prices.allSatisfy { $0.amount == lowest.amount && $0.isWhole }
        return (isOne ? "" : "from ") + lowest.words
    }

    private struct Amount {
        let amount: Double
        /// Whether it is the price, and not the lowest of several.
        let isWhole: Bool
        let words: String
    }

    private var offers: ArraySlice<JSONText> {
        (value["offers"]?.array ?? value["offers"].map { [$0] } ?? []).prefix(64)
    }

    private static func prices(of offer: JSONText) -> [Amount] {
        let detailed = offer["priceSpecification"].flatMap(first)
        for (source, name) in [(offer, "price"), (detailed, "price"), (offer, "lowPrice"), (detailed, "minPrice")] {
            guard let text = (source?[name]?.text).map(decimal), text.utf8.count <= 32 else { continue }
            guard let price = Price(text), price.hundredths > 0 else { continue }
            let currency = [source, offer].lazy.compactMap { $0?["priceCurrency"]?.text }.first { !$0.isBlank }
            let unit = [source?["unitCode"], source?["unitText"]].lazy.compactMap { $0?.text?.lowercased() }
            let isNightly = unit.contains { ["day", "night", "per night", "nightly"].contains($0) }
            // Some write "€25" as the amount.
            let words = price.currency == nil ? price.amount + (currency.map { " \($0)" } ?? "") : text
            let isWhole = name == "price" || offer["highPrice"]?.text == text
            return [
                Amount(
                    amount: Double(price.hundredths), isWhole: isWhole, words: words + (isNightly ? " a night" : ""))
            ]
        }
        return []
    }

    /// Numbers of data have points and no other separators: "80.000" is eighty.
    private static func decimal(_ text: String) -> String {
        let parts = text.trimmed.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].utf8.count > 2, parts.allSatisfy({ $0.allSatisfy(\.isNumber) }) else {
            return text.trimmed
        }
        return "\(parts[0]).\(parts[1].prefix(2))"
    }

    // MARK: - Pictures

    /// The address of one, as it is written.
    var picture: String? {
        guard let image = Self.first(value["image"] ?? value["photo"]) else { return nil }
        return image.text ?? ["contentUrl", "url"].lazy.compactMap { image[$0]?.text }.first
    }

    // MARK: - Parts

    private var location: JSONText? { Self.first(value["location"]) }

    private func text(_ name: String) -> String? { Self.first(value[name])?.text.flatMap { $0.isBlank ? nil : $0 } }

    /// The value, or the first of several.
    private static func first(_ value: JSONText?) -> JSONText? { value?.array.map(\.first) ?? value }

    private static func name(_ value: JSONText?) -> String? {
        let value = first(value)
        return (value?["name"].flatMap { first($0)?.text } ?? nil).flatMap { $0.isBlank ? nil : $0 }
    }

    private static func address(_ value: JSONText?) -> String? {
        guard let value = first(value) else { return nil }
        if let text = value.text { return text.isBlank ? nil : text }
        let part = { (name: String) -> String? in
            guard let part = first(value[name]) else { return nil }
            return (part.text ?? self.name(part))?.trimmed
        }
        let town = [part("postalCode"), part("addressLocality")].compactMap(\.self).filter { !$0.isBlank }
        var parts: [String] = []
        let all: [String?] = [
            part("streetAddress"), town.joined(separator: " "), part("addressRegion"), part("addressCountry"),
        ]
        for part in all {
            // Many a town is its own region, and many a street has its town with it.
            guard let part, !part.isBlank, !parts.contains(where: { $0.hasSuffix(part) }) else { continue }
            parts.append(part)
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private static func degrees(_ text: String) -> String {
        let text = text.trimmed
        guard let point = text.firstIndex(of: ".") else { return text }
        return String(text.prefix(upTo: text.index(point, offsetBy: 8, limitedBy: text.endIndex) ?? text.endIndex))
    }
}
