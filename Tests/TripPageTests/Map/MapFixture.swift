import TripFixtures
import TripModel
import TripPage
import TripService

/// A trip whose items are what a map shows: the title, the place if it has one, and the votes for it less those against.
struct MapFixture {
    typealias Item = (title: String, place: String?, tally: Int)

    let state: PageState

    init(_ items: [Item], land: Land = Land(), query: PageQuery = PageQuery()) throws {
        let voters = items.map { Int($0.tally.magnitude) }.max() ?? 0
        var world = World(participants: Array(0...voters))
        var ids: [ItemID] = []
        for start in stride(from: 0, to: items.count, by: 50) {
            let batch = items[start..<min(start + 50, items.count)]
            let entry = try world.perform(
                .add(batch.map { ItemDraft(title: $0.title, fields: $0.place.map { [.place: $0] } ?? [:]) }), on: 0)
            let first = world.item(entry)
            let made = world.nodes[0].replica.view.items.suffix(batch.count).map(\.id)
            assert(made.first == first)
            ids += made
        }
        for (id, item) in zip(ids, items) {
            for voter in 0..<Int(item.tally.magnitude) {
                try world.sync(from: 0, to: voter + 1)
                try world.perform(.vote([id], item.tally > 0 ? .for : .against), on: voter + 1)
                try world.sync(from: voter + 1, to: 0)
            }
        }
        let trip = world.view(0)
        var live = LiveTrip(world.nodes[0].replica)
        state = PageState(
            tripID: "lisbon", trip: trip, members: MembersView(people: [], overshotInvites: []),
            status: StatusView(
                title: "Lisbon", you: "Mia", changes: 0, listening: nil, discoveryProblem: nil, writingProblem: nil,
                removal: nil, devices: [], inTwoPlaces: []),
            history: HistoryView(entries: [], names: live.names(of: [])),
            viewer: Viewer(participant: nil), query: query, land: land, now: 0)
    }
}

extension MapFixture {
    static let lisbon: [Item] = [
        ("Casa do Rio", "38.7079,-9.1366", 3), ("Pensão Londres", "38.7139,-9.1456", 1),
        ("Alfama Loft", "38.7118,-9.1300", 0), ("Graça Terrace", "38.7171,-9.1312", 2),
        ("Time Out Market", "38.7067,-9.1459", -1), ("Belém Rooms", "38.6968,-9.2030", 1),
        ("LX Factory Flat", "38.7033,-9.1786", 0), ("Miradouro Studio", "38.7155,-9.1443", 0),
        ("Príncipe Real House", "38.7166,-9.1490", 3), ("Parque Hostel", "38.7700,-9.0950", 0),
        ("Quinta in Sintra", "38.7980,-9.3906", 2), ("Ribeira in Porto", "41.1406,-8.6110", -2),
        ("Surf lesson", nil, 0), ("Tram 28", nil, 1),
    ]

    static let azores: [Item] = [
        ("Ponta Delgada", "37.7394,-25.6687", 1), ("Furnas", "37.7710,-25.3150", 2), ("Angra", "38.6550,-27.2170", 0),
        ("Horta", "38.5340,-28.6300", 0), ("Pico vineyards", "38.5330,-28.5260", 1), ("Flores", "39.4550,-31.1300", 3),
    ]

    static let prague: [Item] = [
        ("Malá Strana", "50.0870,14.4040", 2), ("Vinohrady", "50.0750,14.4480", 1), ("Karlín", "50.0930,14.4520", 0),
        ("Žižkov", "50.0830,14.4550", -1), ("Kutná Hora", "49.9484,15.2682", 1),
    ]

    static let continents: [Item] = [
        ("Brooklyn", "40.6782,-73.9442", 2), ("Harlem", "40.8116,-73.9465", 0), ("Hoboken", "40.7440,-74.0324", 1),
        ("Montmartre", "48.8867,2.3431", 3), ("Marais", "48.8590,2.3620", 1), ("Reykjavík stop", "64.1466,-21.9426", 0),
    ]
}
