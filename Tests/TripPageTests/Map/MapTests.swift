import Testing
import TripModel

@testable import TripPage

@Suite struct MapTests {
    private func count(_ part: String, in text: String) -> Int { text.components(of: part) - 1 }

    /// Latitudes and longitudes, the land on their left.
    private func coast(_ points: (Double, Double)...) -> [Sphere.Direction] {
        points.map { Sphere.direction(of: Land.Point(latitude: $0.0, longitude: $0.1)) }
    }

    @Test("a pin bears its card's number, leads to the card, and is named for those who do not see it")
    func pins() throws {
        let fixture = try MapFixture([("Casa <do> Rio", "38.7079,-9.1366", 2), ("Alfama", "38.7118,-9.13", -1)])
        let html = TripPage.mapView(fixture.state).rendered
        let id = fixture.state.trip.items[0].shortID
        #expect(html.contains("href=\"/t/lisbon/?open=\(id)#c-\(id)\" aria-label=\"1 Casa &lt;do&gt; Rio, votes 2\""))
        #expect(count("map-pin map-wanted map-leading", in: html) == 1)
        #expect(count("map-pin map-unwanted", in: html) == 1)
        #expect(html.contains("720 m from Alfama"))
        #expect(html.contains("href=\"geo:38.7079,-9.1366\"") && html.contains("data-copy=\"38.7079,-9.1366\""))
        #expect(html.hasPrefix("<section id=\"map\"") && !html.contains("style="))
    }

    @Test("items without a place are listed with the way to give them one")
    func unplaced() throws {
        let fixture = try MapFixture([("Casa", "38.7,-9.1", 0), ("Surf", nil, 0)])
        let way = "?open=\(fixture.state.trip.items[1].shortID)&amp;edit=1"
        // Somebody who can't edit it has no way.
        #expect(!TripPage.mapView(fixture.state).rendered.contains(way))
        var state = fixture.state
        state.viewer = Viewer(participant: SampleTrip.jie.id)
        #expect(TripPage.mapView(state).rendered.contains(way))
        // What is packed, and days, are nowhere.
        state.trip = SampleTrip.trip([
            SampleTrip.item(1, [.title: SampleTrip.value("Stove")], quantity: 1),
            SampleTrip.item(2, [.title: SampleTrip.value("12 June"), .itemKind: SampleTrip.value("dates")]),
            SampleTrip.item(3, [.title: SampleTrip.value("Surf")]),
        ])
        #expect(MapLayout(state).unplaced.map(\.number) == [3])
        let none = TripPage.mapView(try MapFixture([("Surf", nil, 0)]).state).rendered
        #expect(none.contains("Nothing has a place yet") && !none.contains("<svg"))
        #expect(TripPage.mapView(try MapFixture([]).state).rendered.contains("Nothing has a place yet"))
    }

    @Test("a town that is crowded among far places has a drawing of its own, and every place has one pin")
    func groups() throws {
        let html = TripPage.mapView(try MapFixture(MapFixture.lisbon).state).rendered
        #expect(count("<svg", in: html) == 4)
        #expect(count("class=\"map-pin", in: html) == 12)
        #expect(html.contains("×11") && html.contains("×9"))
        let town = Land.Town(name: "Lisbon", point: Land.Point(latitude: 38.72, longitude: -9.13), population: 500_000)
        let named = TripPage.mapView(try MapFixture(MapFixture.lisbon, land: Land(towns: [town])).state).rendered
        for title in ["All places", "Around Lisbon", "Around Lisbon, closer", "Around Lisbon, closest"] {
            #expect(named.contains("<figcaption>\(title)</figcaption>"), "\(title)")
        }
        let far = try MapFixture([("A", "42.5,1.5", 0), ("B", "38.7,-9.1", 0)], land: Land(towns: [town]))
        #expect(TripPage.mapView(far.state).rendered.contains("<figcaption>All places</figcaption>"))
        let pair = TripPage.mapView(try MapFixture([("A", "38.7,-9.1", 0), ("B", "-33.9,151.2", 0)]).state).rendered
        #expect(count("<svg", in: pair) == 1 && count("class=\"map-pin", in: pair) == 2)
    }

    @Test(
        "places anywhere are drawn on the drawing: at poles, across the antimeridian, at antipodes, in one spot",
        arguments: [
            ["90,0", "90,180", "89.99,10"], ["-90,0"], ["0,179.9", "0,-179.9"], ["10,20", "-10,-160"],
            ["1,1", "1,1", "1,1"], ["0,0", "0,120", "0,-120"],
        ])
    func anywhere(places: [String]) throws {
        let html = TripPage.mapView(try MapFixture(places.map { ("Spot", $0, 0) }).state).rendered
        #expect(count("class=\"map-pin", in: html) == places.count)
        #expect(!html.contains("nan") && !html.contains("inf") && !html.contains("1000000"))
    }

    @Test("of a thousand places the 200 most wanted are drawn, the others are counted, and the page stays small")
    func thousand() throws {
        var items = (0..<1000).map { index -> MapFixture.Item in
            let north = 38.7 + Double(index % 37) / 300
            let east = -9.1 - Double(index % 41) / 250
            return ("Item \(index)", "\(north),\(east)", 0)
        }
        items[999].tally = 1
        let html = TripPage.mapView(try MapFixture(items).state).rendered
        #expect(count("class=\"map-pin", in: html) == 200 && html.contains("800 more have a place"))
        #expect(html.contains("aria-label=\"1000 Item 999, votes 1\"") && html.utf8.count < 250_000)
    }

    @Test("land is filled, a shore drawn, and the sources of both are credited; what is not known is said")
    func land() throws {
        let land = Land(
            coasts: [coast((38.6, -9.2), (38.6, -9.0), (38.8, -9.0), (38.8, -9.2))],
            towns: [
                Land.Town(name: "Lis & boa", point: Land.Point(latitude: 38.72, longitude: -9.13), population: 500_000)
            ])
        let html = TripPage.mapView(try MapFixture([("Casa", "38.7,-9.1", 0)], land: land).state).rendered
        for part in [
            "map-sea", "class=\"map-land\" d=\"M", "Around Lis &amp; boa", "GSHHG", "GeoNames, CC BY",
        ] {
            #expect(html.contains(part), "\(part)")
        }
        #expect(html.contains("3.4 km from Lis &amp; boa") && !html.contains("Debian"))
        // A town is known by one point: what is near that may lie in another one.
        let near = TripPage.mapView(try MapFixture([("Casa", "38.721,-9.13", 0)], land: land).state).rendered
        #expect(near.contains("near Lis &amp; boa") && !near.contains("in Lis &amp; boa"))
        let bare = TripPage.mapView(try MapFixture([("Casa", "38.7,-9.1", 0)]).state).rendered
        #expect(
            bare.contains("Scripts/coast") && bare.contains("libtimezonemap-data") && !bare.contains("GeoNames, CC BY")
        )
    }

    @Test("the wildest shore stays within its bytes")
    func bounded() throws {
        let wild = (0..<20_000).map { index -> Sphere.Direction in
            let north = Double(index * 7919 % 1000) / 5000
            let east = Double(index * 104_729 % 1000) / 5000
            return Sphere.direction(of: Land.Point(latitude: 38.6 + north, longitude: -9.2 + east))
        }
        let land = Land(coasts: [wild])
        let html = TripPage.mapView(try MapFixture([("Casa", "38.7,-9.1", 0)], land: land).state).rendered
        #expect(html.utf8.count < LandLayer.bytesMaxOfAll + 5_000)
    }

    /// Whether land is drawn at a raft, which has 0° N 20° E on the other side of the earth.
    private func isAground(_ coasts: [[Sphere.Direction]]) -> Bool {
        let raft = coast((0, -160))
        let (projection, frame) = MapFigure.view(of: raft, kilometresMin: 24)
        let layer = LandLayer(land: Land(coasts: coasts), projection: projection, frame: frame, bytesMax: 9_000)
        var crossings = 0
        for ring in coasts.flatMap(layer.drawn) {
            for (a, b) in zip(ring, ring.dropFirst() + ring.prefix(1)) where (a.x <= 180) != (b.x <= 180) {
                if a.y + (180 - a.x) / (b.x - a.x) * (b.y - a.y) > 150 { crossings += 1 }
            }
        }
        return crossings % 2 == 1
    }

    @Test("a continent on the other side of the earth is not drawn, on whatever side its coast passes there")
    func otherSide() {
        let africa = coast((-30, -10), (-30, 50), (30, 50), (30, -10))
        let lake = coast((-10, 10), (-10, 30), (10, 30), (10, 10))
        #expect(!isAground([africa]) && !isAground([africa, lake]))
        for west in [19.999, 20.001] { #expect(!isAground([coast((-30, west), (-30, 50), (30, 50), (30, west))])) }
    }

    @Test("a continent around a drawing fills it, however far away its coast is; a lake in it does not")
    func around() {
        let continent = coast((-50, 140), (-50, -160), (-50, -100), (50, -100), (50, -160), (50, 140))
        let lake = coast((-1, -161), (-1, -159), (1, -159), (1, -161))
        #expect(isAground([continent]) && !isAground([continent, lake]))
    }

    @Test("an expanded card has a small drawing of where its item is; without a place or known land it has none")
    func crop() throws {
        let land = Land(coasts: [coast((38.6, -9.2), (38.6, -9), (38.8, -9))])
        let items: [MapFixture.Item] = [("Casa", "38.7,-9.1", 0), ("Surf", nil, 0)]
        let (known, bare) = (try MapFixture(items, land: land).state, try MapFixture(items).state)
        let crop = #"class="map-crop""#
        let card = { (state: PageState, index: Int) in
            TripPage.expandedCard(state.trip.items[index], id: "c", state: state).html.rendered
        }
        #expect(card(known, 0).contains(crop) && card(known, 0).contains("viewBox=\"0 0 360 150\""))
        #expect(!card(known, 1).contains(crop) && !card(bare, 0).contains(crop))
    }
}

extension String {
    /// In how many parts a text that is not empty cuts this one.
    fileprivate func components(of divider: String) -> Int {
        self.split(separator: divider, omittingEmptySubsequences: false).count
    }
}
