import Testing
import TripModel
import TripService

@testable import TripExchange

/// What is read of pages as real sites write them.
struct LinkCardTests {
    private func card(
        _ page: String, type: String? = "text/html; charset=utf-8",
        at address: String = "https://example.org/rooms/1?a=b"
    ) throws -> LinkCard {
        try LinkCard(page: Array(page.utf8), contentType: type, address: try #require(WebAddress(address)))
    }

    private func card(json: String, head: String = "") throws -> LinkCard {
        try card(
            "<!doctype html><html><head>\(head)<script type=\"application/ld+json\">\(json)</script></head><body>…</body></html>"
        )
    }

    @Test("a stay of a site for holiday homes: JSON-LD of a VacationRental counts before OpenGraph")
    func vacationRental() throws {
        let card = try self.card(
            json: """
                {"@context":"https://schema.org","@type":"VacationRental","name":"Casa do Rio","description":"By the river.\
                <br>Two terraces &amp; a garden.","image":["https://cdn.example.org/1.jpg","https://cdn.example.org/2.jpg"],
                "latitude":38.7110001234,"longitude":-9.13,"address":{"@type":"PostalAddress","addressLocality":"Lisbon",
                "addressRegion":"Lisbon","addressCountry":"Portugal","streetAddress":"Rua do Rio 1","postalCode":"1100-001"},
                "containsPlace":{"@type":"Accommodation","occupancy":{"@type":"QuantitativeValue","value":4},
                "numberOfBedrooms":2,"bed":[{"@type":"BedDetails","numberOfBeds":1,"typeOfBed":"Queen"},
                {"@type":"BedDetails","numberOfBeds":2}]},"aggregateRating":{"ratingValue":4.9},
                "offers":{"@type":"Offer","priceSpecification":{"@type":"UnitPriceSpecification","price":"120.00",
                "priceCurrency":"EUR","unitCode":"DAY"}},"provider":{"@type":"Person","name":"Ana"}}
                """,
            head: "<meta property=\"og:title\" content=\"Casa do Rio - Rentals\"><meta property='og:type' content=x>")
        #expect(
            card.fields == [
                .title: "Casa do Rio", .details: "By the river.\nTwo terraces & a garden.", .place: "38.7110001,-9.13",
                .address: "Rua do Rio 1, 1100-001 Lisbon, Portugal", .rooms: "2 bedrooms, for 4", .beds: "3",
                .price: "120 EUR a night", .host: "Ana", .itemKind: "stay",
            ])
        #expect(card.picture?.text == "https://cdn.example.org/1.jpg")
    }

    @Test("a hotel with a range of prices; its rooms are not what a group rents")
    func hotel() throws {
        let card = try self.card(
            json: """
                {"@context":"http://schema.org","@type":"Hotel","name":"Hotel Alfama","url":"https://evil.example/",
                "priceRange":"Prices for upcoming dates start at €95 per night","numberOfRooms":120,
                "address":{"@type":"PostalAddress","streetAddress":"Largo 1, 1100 Lisbon","addressCountry":"PT"},
                "geo":{"@type":"GeoCoordinates","latitude":"38.71","longitude":"-9.13"},"image":"//cdn.example.org/h.jpg"}
                """)
        #expect(
            card.fields == [
                .title: "Hotel Alfama", .price: "Prices for upcoming dates start at €95 per night",
                .address: "Largo 1, 1100 Lisbon, PT", .place: "38.71,-9.13", .itemKind: "stay",
            ])
        #expect(card.picture?.text == "https://cdn.example.org/h.jpg")
    }

    @Test("a product with offers: the lowest of several prices, and who sells it")
    func product() throws {
        let one = try self.card(
            json: """
                {"@type":["Product","https://schema.org/Thing"],"name":"Tent for 4","brand":{"name":"Camp"},"offers":
                [{"@type":"Offer","price":249.9,"priceCurrency":"EUR","seller":{"@type":"Organization","name":"Outdoor GmbH"}},
                {"@type":"Offer","price":"199","priceCurrency":"EUR"}]}
                """)
        #expect(one.fields == [.title: "Tent for 4", .price: "from 199 EUR", .host: "Outdoor GmbH"])
        let range = try self.card(
            json: """
                {"@type":"Product","name":"Tour","offers":{"@type":"AggregateOffer","lowPrice":"25.000","highPrice":"60",
                "priceCurrency":"USD"}}
                """)
        #expect(range.fields[.price] == "from 25 USD")
        let free = try self.card(
            json: "{\"@type\":\"Product\",\"name\":\"Map\",\"offers\":{\"price\":0,\"priceCurrency\":\"EUR\"}}")
        #expect(free.fields == [.title: "Map"])
    }

    @Test(
        "an event: its days, or its time by its clock",
        arguments: [
            ("\"2026-06-12T21:00:00+01:00\",\"endDate\":\"2026-06-12T23:00:00+01:00\"", "2026-06-12T21:00+01:00"),
            ("\"2026-06-12T21:00\"", "2026-06-12T21:00"), ("\"2026-06-12T21:00:00.000Z\"", "2026-06-12T21:00+00:00"),
            ("\"2026-06-12\",\"endDate\":\"2026-06-14\"", "2026-06-12/2026-06-14"), ("\"2026-06-12\"", "2026-06-12"),
            ("\"soon\"", nil), ("\"2026-06-12T99:99\"", "2026-06-12"),
        ])
    func event(dates: String, field: String?) throws {
        let card = try self.card(
            json: """
                {"@type":"MusicEvent","name":"Fado &amp; more","startDate":\(dates),"location":{"@type":"Place","name":"Clube",
                "address":"Rua 2, Lisbon","geo":{"latitude":38.712,"longitude":-9.127}},"organizer":[{"name":"Clube de Fado"}],
                "offers":[{"price":"25","priceCurrency":"EUR"}]}
                """)
        #expect(card.fields[.dates] == field)
        var rest = card.fields
        rest[.dates] = nil
        #expect(
            rest == [
                .title: "Fado & more", .address: "Clube, Rua 2, Lisbon", .place: "38.712,-9.127",
                .host: "Clube de Fado",
                .price: "25 EUR", .itemKind: "activity",
            ])
    }

    @Test("a restaurant, and an attraction with its place")
    func activities() throws {
        let restaurant = try self.card(
            json: """
                [{"@type":"BreadcrumbList","name":"Home"},{"@type":"Restaurant","name":"Mussels","priceRange":"€€",
                "servesCuisine":"Seafood","address":{"addressLocality":"Brussels","addressCountry":{"@type":"Country",
                "name":"Belgium"}},"image":{"@type":"ImageObject","url":"/img/m.jpg"}}]
                """)
        #expect(
            restaurant.fields == [
                .title: "Mussels", .price: "€€", .address: "Brussels, Belgium", .itemKind: "activity",
            ])
        #expect(restaurant.picture?.text == "https://example.org/img/m.jpg")
        let tower = try self.card(
            json: """
                {"@type":"TouristAttraction","name":"Torre de Belém","geo":{"@type":"GeoCoordinates","latitude":38.6916,
                "longitude":-9.216},"isAccessibleForFree":false,"description":"A tower."}
                """)
        #expect(
            tower.fields == [
                .title: "Torre de Belém", .place: "38.6916,-9.216", .details: "A tower.", .itemKind: "activity",
            ])
    }

    @Test("a graph of things: the stay counts, and not the site or the page around it")
    func graph() throws {
        let card = try self.card(
            json: """
                {"@context":"https://schema.org","@graph":[{"@type":"WebSite","name":"Our site"},{"@type":"Organization",
                "name":"We","address":"Elsewhere"},{"@type":"WebPage","name":"Page","description":"Of the page"},
                {"@type":"BedAndBreakfast","name":"Quinta","address":"Sintra"}]}
                """)
        #expect(card.fields == [.title: "Quinta", .address: "Sintra", .itemKind: "stay"])
        let around = try self.card(
            json: "{\"@type\":\"Organization\",\"name\":\"We\",\"address\":\"Elsewhere\"}", head: "<title>Page</title>")
        #expect(around.fields == [.title: "Page"])
        let list = try self.card(
            json: "{\"@type\":\"ItemList\",\"itemListElement\":[{\"@type\":\"Hotel\",\"name\":\"One of many\"}]}",
            head: "<title>Hotels in Lisbon</title>")
        #expect(list.fields == [.title: "Hotels in Lisbon"])
    }

    @Test("OpenGraph alone, with a price and a place")
    func openGraph() throws {
        let read = try self.card(
            """
            <HTML><HEAD><META PROPERTY="og:title" CONTENT="Casa &quot;do Rio&quot;"><meta property=og:title content=second />
            <meta content='Sunny &#38; quiet' property='og:description'><meta property="og:image" content="http://example.org/a b.jpg">
            <meta property="product:price:amount" content="80"><meta property="product:price:currency" content="EUR">
            <meta property="place:location:latitude" content="38.7"><meta property="place:location:longitude" content="-9.1">
            <meta property="og:locality" content="Lisbon"><meta property="og:country-name" content="Portugal">
            <meta name="description" content="For search"><link rel=canonical href="https://evil.example/">
            """)
        #expect(
            read.fields == [
                .title: "Casa \"do Rio\"", .details: "Sunny & quiet", .price: "80 EUR", .place: "38.7,-9.1",
                .address: "Lisbon, Portugal",
            ])
        #expect(read.picture?.text == "https://example.org/a%20b.jpg")
    }

    @Test("a card of Twitter alone, a title alone, and nothing at all")
    func little() throws {
        let twitter = try self.card(
            """
            <head><meta name="twitter:title" content="Loft"><meta name="twitter:description" content="Bright">
            <meta name="twitter:image" content="pics/loft.png"><meta name="twitter:label1" content="Price">
            <meta name="twitter:data1" content="$80">
            """)
        #expect(twitter.fields == [.title: "Loft", .details: "Bright", .price: "$80"])
        #expect(twitter.picture?.text == "https://example.org/rooms/pics/loft.png")
        #expect(try card("<title>\n  Just a\n title </title>").fields == [.title: "Just a title"])
        for page in ["", "<p>Hello", "<title> \u{200B} </title>", "\0\0\0"] {
            #expect(throws: ServiceError.self) { try card(page) }
        }
        let error = #expect(throws: ServiceError.self) { try card("%PDF", type: "application/pdf") }
        #expect(error?.message == "the link leads to a file (application/pdf), not to a page")
    }

    @Test("the charset of the header, of a meta, and of neither")
    func charsets() throws {
        let latin = Array("<title>Caf".utf8) + [0xE9, 0x20, 0x80, 0x93] + Array("</title>".utf8)
        let read = { (bytes: [UInt8], type: String?) in
            try LinkCard(page: bytes, contentType: type, address: try #require(WebAddress("http://a.b/"))).fields[
                .title]
        }
        #expect(try read(latin, "text/html; charset=ISO-8859-1") == "Café €“")
        #expect(try read(latin, nil) == "Café €“")
        #expect(try read(Array("<meta charset='windows-1252'>".utf8) + latin, "text/html") == "Café €“")
        let old = "<meta http-equiv=Content-Type content=\"text/html; charset=iso-8859-1\">"
        #expect(try read(Array(old.utf8) + latin, "text/html") == "Café €“")
        #expect(try read(Array("<title>Café</title>".utf8), "text/html;charset=\"UTF-8\"") == "Café")
        #expect(try read(latin, "text/html; charset=utf-8")?.hasPrefix("Caf\u{FFFD}") == true)
        // Of another charset, what is ASCII is read.
        #expect(try read(Array("<title>Inn</title>".utf8), "text/html; charset=shift_jis") == "Inn")
        #expect(throws: ServiceError.self) { try read(latin, "text/html; charset=shift_jis") }
    }

    @Test(
        "comments end where browsers end them",
        arguments: [
            ("<!-->", true), ("<!--->", true), ("<!-- a > b -->", true), ("<!-- a --!>", true), ("<!---->", true),
            ("<!a>", true),
            ("<!doctype html>", true), ("<?php a ?>", true), ("</ a>", true), ("<!--!>", false), ("<!-- a --", false),
            ("<!-- a -- >", false), ("<!-- a ->", false), ("<!--", false),
        ])
    func comments(comment: String, isClosed: Bool) throws {
        let page = comment + "<title>Inn</title>"
        if isClosed {
            #expect(try self.card(page).fields == [.title: "Inn"])
        } else {
            #expect(throws: ServiceError.self) { try self.card(page) }
        }
    }

    @Test("broken HTML and broken JSON: what can be read is read")
    func broken() throws {
        let page = """
            <html><head><title>Casa <b>do</b> Rio</title><!-- <title>no</title> --><script>var a = "<meta name='description' content='no'>"
            </script><script type="application/ld+json">{"@type":"Hotel","name":"No"</script><style><title></style>
            <script type='application/ld+json'>//<![CDATA[
            {"@type":"Hostel","description":"Two
            lines","name":"Casa","geo":{"latitude":"north","longitude":1e999},"image":{"url":["data:image/png;base64,AAAA"]}};
            //]]></script><meta name=description content="unquoted > and 'more"><meta name="x" content="
            """
        let read = try self.card(page)
        #expect(read.fields == [.title: "Casa", .details: "Two lines", .itemKind: "stay"])
        #expect(read.picture == nil)
    }

    @Test("each text fits its field: cut, on one line, without what is invisible; what breaks a rule is left out")
    func fitting() throws {
        let long = String(repeating: "a", count: 300)
        let card = try self.card(
            json: """
                {"@type":"Hotel","name":"\(long)","description":"\\u202Eevil\\u0007 text","priceRange":"\\u200B\\u200B",
                "address":"a\\u0000b","geo":{"latitude":91,"longitude":0.5},"containsPlace":{"bed":{"numberOfBeds":100000}}}
                """)
        #expect(card.fields[.title]?.unicodeScalars.count == 200 && card.fields[.title]?.last == "…")
        #expect(card.fields[.price] == nil && card.fields[.place] == nil && card.fields[.beds] == nil)
        #expect(card.fields[.address] == "a b")
        // Prose may change its direction, as a note of a person may.
        #expect(card.fields[.details]?.contains("\u{7}") == false)
    }
}
