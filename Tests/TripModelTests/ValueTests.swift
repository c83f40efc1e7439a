import Testing

@testable import TripModel

/// What people write for prices, days and places, and what is understood of it.
@Suite struct ValueTests {
    @Test(
        "a price is an amount, a currency and what it is paid for",
        arguments: [
            ("80 EUR/night", 8_000, "EUR", .night), ("€80 a night", 8_000, "EUR", .night),
            ("$25 pp", 2_500, "$", .person),
            ("25 USD p.p.", 2_500, "USD", .person), ("€1.200,50 in all", 120_050, "EUR", .all),
            ("$1,200", 120_000, "$", nil), ("1 200 kr total", 120_000, "kr", .all),
            ("CHF 12.5 per person", 1_250, "CHF", .person),
            ("£30 per person per night", 3_000, "GBP", .personAndNight), ("€15 pppn", 1_500, "EUR", .personAndNight),
            ("90", 9_000, nil, nil), ("€90.", 9_000, "EUR", nil), ("1'000 CHF", 100_000, "CHF", nil),
        ] as [(String, Int64, String?, Price.Per?)])
    func price(_ text: String, hundredths: Int64, currency: String?, per: Price.Per?) throws {
        let price = try #require(Price(text))
        #expect(
            price.hundredths == hundredths && price.currency == currency && price.per == per && price.remark.isEmpty)
    }

    @Test(
        "what is not understood stays a phrase, or a remark that nothing is reckoned with",
        arguments: ["free", "", "2×€40", "80 EUR for 2 nights", "€1.2.3", ".,.", "1234567890123 EUR", "€1.234,567"])
    func phrases(_ text: String) { #expect(Price(text) == nil) }

    @Test("a price with words that are not known is compared with its like and shared out with nobody")
    func remarks() throws {
        let week = try #require(Price("€700 a week"))
        #expect(week.remark == "a week" && week.each(people: 2, nights: 7) == nil)
        #expect(week.isComparable(with: try #require(Price("€800 a week"))))
        #expect(!week.isComparable(with: try #require(Price("€800 a night"))))
    }

    @Test("a sum a head is rounded to the nearest hundredth")
    func shares() throws {
        #expect(try #require(Price("100 EUR in all")).each(people: 3, nights: nil) == 3_333)
        #expect(try #require(Price("80 EUR/night")).each(people: 4, nights: 3) == 6_000)
        #expect(try #require(Price("80 EUR/night")).each(people: 4, nights: nil) == nil)
        #expect(try #require(Price("€15 pppn")).each(people: 4, nights: 2) == 3_000)
        #expect(try #require(Price("$25 pp")).shown(2_550) == "$25.50")
    }

    @Test(
        "days are taken as people write them, and kept in one form",
        arguments: [
            ("2026-06-12", "2026-06-12"), ("2026-06-12..15", "2026-06-12/2026-06-15"),
            ("2026-06-12 to 2026-06-15", "2026-06-12/2026-06-15"), ("2026-06-28..07-02", "2026-06-28/2026-07-02"),
            ("2026-06-12/2026-06-12", "2026-06-12"), ("12-15 June 2026", "2026-06-12/2026-06-15"),
            ("June 12–15, 2026", "2026-06-12/2026-06-15"), ("30 Jun - 2 Jul 2026", "2026-06-30/2026-07-02"),
            ("12 June 2026", "2026-06-12"), ("2026-02-29", nil), ("2024-02-29", "2024-02-29"), ("2026-06-15..12", nil),
            ("soon", nil), ("12-15 June", nil), ("2026-06-12/2028-06-12", nil),
            ("30 December 2027 – 2 January 2028", "2027-12-30/2028-01-02"),
            ("December 30, 2027 to January 2, 2028 (3 nights)", "2027-12-30/2028-01-02"),
            ("30 December - 2 January 2028", "2027-12-30/2028-01-02"), ("30 December 2027 - 2 January", nil),
            ("28 June 2027 to 2 July 2027", "2027-06-28/2027-07-02"), ("2 July - 30 June 2026", nil),
            ("12–13 June 2026 (1 night)", "2026-06-12/2026-06-13"), ("12–15 June 2026 (2 nights)", nil),
        ] as [(String, String?)])
    func dates(_ typed: String, kept: String?) { #expect(DateSpan(typed: typed)?.text == kept, "\(typed)") }

    @Test(
        "a day with a time is kept in one form",
        arguments: [
            ("2026-06-12 14:30", "2026-06-12T14:30"), ("2026-06-12, 9:05", "2026-06-12T09:05"),
            ("12 June 2026, 14:30, 2 h", "2026-06-12T14:30/PT2H"),
            ("June 12, 2026 at 14:30 for 1 h 30 min", "2026-06-12T14:30/PT1H30M"),
            ("2026-06-12T14:30/PT90M", "2026-06-12T14:30/PT1H30M"),
            ("2026-06-12T14:30/PT0H5M", "2026-06-12T14:30/PT5M"),
            ("2026-06-12T14:30+01:00[Europe/Lisbon]/PT2H", "2026-06-12T14:30+01:00[Europe/Lisbon]/PT2H"),
            ("2026-06-12T14:30-09:30/PT168H", "2026-06-12T14:30-09:30/PT168H"),
            ("2026-06-12T23:59+00:00", "2026-06-12T23:59+00:00"),
            ("12 June 2026, 14:30, 2 h (UTC-03:30)", "2026-06-12T14:30-03:30/PT2H"),
            ("12 June 2026, 14:30 (UTC)", "2026-06-12T14:30+00:00"), ("12 June 2026, 14:30 (Europe/Lisbon)", nil),
            ("12 June 2026 (UTC)", nil), ("2026-06-12T14:30+01:00 (UTC)", nil), ("12 June 2026, 14:30 (UTC 1)", nil),
            ("2026-06-12T24:00", nil), ("2026-06-12T14:60", nil), ("2026-06-12T14:30/PT0M", nil), ("2026-06-12T", nil),
            ("2026-06-12T14:30/PT168H1M", nil), ("2026-06-12T14:30/P1D", nil), ("2026-06-12T14:30[Europe/Lisbon]", nil),
            ("2026-06-12T14:30+24:00", nil), ("2026-06-12T14:30+01:00[]", nil), ("2026-06-12T14:30+01:00[a b]", nil),
            ("2026-06-12T14:30+01:00[Europe/Lisbon", nil), ("2026-06-12T14:30Z", nil), ("2026-06-12T14:30/", nil),
            ("2026-06-12..15 14:30", nil), ("14:30", nil), ("2026-06-12 14:30 2", nil), ("2026-06-12T+4:30", nil),
        ] as [(String, String?)])
    func times(_ typed: String, kept: String?) throws {
        #expect(DateSpan(typed: typed)?.text == kept, "\(typed)")
        guard let kept else { return }
        #expect(DateSpan(kept)?.text == kept)
    }

    @Test("a time in words names its clock, and is read again by one who knows the clock")
    func timeWords() throws {
        let span = try #require(DateSpan("2026-06-12T14:30+01:00[Europe/Lisbon]/PT2H"))
        #expect(span.words == "12 June 2026, 14:30, 2 h (Europe/Lisbon)")
        let again = DateSpan(typed: span.words) { name, day, minute in
            day.text == "2026-06-12" && minute == 870 ? DayTime.Zone(offset: 60, name: name) : nil
        }
        #expect(again == span)
        #expect(DateSpan("2026-06-12T14:30-03:30")?.words == "12 June 2026, 14:30 (UTC-03:30)")
        let local = try #require(DateSpan("2026-06-12T14:30/PT1H30M"))
        #expect(local.words == "12 June 2026, 14:30, 1 h 30 min" && DateSpan(typed: local.words) == local)
        #expect(span.minutesSince1970 == 29_687_850 && local.minutesSince1970 == nil)
        #expect(Day("2026-06-12")?.weekday == "Friday" && Day("1970-01-01")?.ordinal == Day.ordinalOf1970)
        // The longest value fits, and a field refuses one that is not in its one form.
        let name = String(repeating: "a", count: 40)
        let longest = "2026-06-12T14:30-09:30[\(name)]/PT167H59M"
        #expect(DateSpan(longest)?.text == longest && longest.count <= Limits.datesCharacters)
        #expect(throws: Never.self) { try Field.dates.check(longest) }
        #expect(throws: TripError.self) { try Field.dates.check("2026-06-12T14:30/PT90M") }
    }

    @Test("days in words say no month and no year twice")
    func words() {
        #expect(DateSpan("2026-06-12/2026-06-15")?.words == "12–15 June 2026")
        #expect(DateSpan("2026-06-30/2026-07-02")?.words == "30 June – 2 July 2026")
        // Who knows the year is told of others alone, and of the weekday of one day.
        #expect(DateSpan("2026-06-12/2026-06-15")?.words(in: 2026) == "12–15 June")
        #expect(DateSpan("2026-06-30/2026-07-02")?.words(in: 2027) == "30 June – 2 July 2026")
        #expect(DateSpan("2026-12-30/2027-01-02")?.words(in: 2026) == "30 December – 2 January 2027")
        #expect(DateSpan("2026-06-12T14:30")?.words(in: 2026) == "Fri 12 June, 14:30")
        #expect(DateSpan("2026-06-12")?.words(in: 2027) == "Fri 12 June 2026")
        #expect(DateSpan("2026-12-30/2027-01-02")?.words == "30 December 2026 – 2 January 2027")
        #expect(DateSpan("2024-02-28/2024-03-01")?.nights == 2 && DateSpan("2026-06-12")?.nights == 0)
    }

    @Test(
        "what map apps copy is understood",
        arguments: [
            ("geo:38.711,-9.143", "38.711,-9.143", nil), ("geo:38.711,-9.143;u=35?z=12", "38.711,-9.143", nil),
            ("geo:0,0?q=38.711,-9.143(Casa%20do%20Rio)", "38.711,-9.143", "Casa do Rio"),
            ("geo:0,0?q=Alfama", nil, "Alfama"),
            (
                "https://www.google.com/maps/place/Casa+do+Rio/@38.7,-9.1,17z/data=!4m5!3d38.711!4d-9.143",
                "38.711,-9.143", "Casa do Rio"
            ),
            ("https://www.google.com/maps/@38.711,-9.143,15z", "38.711,-9.143", nil),
            ("https://www.google.com/maps/search/?api=1&query=38.711%2C-9.143", "38.711,-9.143", nil),
            ("https://maps.google.com/?q=loc:38.711,-9.143", "38.711,-9.143", nil),
            ("https://maps.apple.com/?ll=38.711,-9.143&q=Casa%20do%20Rio", "38.711,-9.143", "Casa do Rio"),
            ("https://maps.apple.com/place?coordinate=38.711,-9.143&name=Casa", "38.711,-9.143", "Casa"),
            ("https://www.openstreetmap.org/?mlat=38.711&mlon=-9.143#map=16/38.7/-9.1", "38.711,-9.143", nil),
            ("https://www.openstreetmap.org/#map=16/38.711/-9.143", "38.711,-9.143", nil),
            ("https://osmand.net/map?pin=38.711,-9.143#15/38.7/-9.1", "38.711,-9.143", nil),
            ("https://www.bing.com/maps?cp=38.711~-9.143&lvl=15", "38.711,-9.143", nil),
            ("https://maps.app.goo.gl/abcd", nil, nil),
            ("38°42'36.0\"N 9°08'34.8\"W", "38.71,-9.143", nil), ("38° 42.6' N, 9° 8.58' W", "38.71,-9.143", nil),
            ("N 38.71 W 9.143", "38.71,-9.143", nil), ("38.71° S, 9.143° E", "-38.71,9.143", nil),
            ("(38.711, -9.143)", "38.711,-9.143", nil), ("38,711; -9,143", "38.711,-9.143", nil),
            ("+38.711 -9.143", "38.711,-9.143", nil), ("Alfama, Lisbon", nil, "Alfama, Lisbon"),
            ("98.7,-9.1", nil, nil), ("38°72'0\"N 9°0'0\"W", nil, "38°72'0\"N 9°0'0\"W"),
        ] as [(String, String?, String?)])
    func places(_ text: String, coordinates: String?, name: String?) {
        let reading = PlaceReading(text)
        #expect(reading.coordinates == coordinates && reading.name == name, "\(text): \(reading)")
    }
}
