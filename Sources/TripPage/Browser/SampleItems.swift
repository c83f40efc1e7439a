import TripModel

#if DEBUG
/// Things of the sample trip, one for each way in which a thing can look.
extension SampleTrip {
    static let casaDoRio = item(
        1,
        [
            .title: value("Casa do Rio", by: mia), .price: value("€120", by: mia),
            .place: value("38.7139,-9.1334", by: mia), .host: value("Dona Amélia", by: mia),
            .link: value("https://www.example.org/rooms/20417", by: mia),
            .note: value("Roof terrace, 8 minutes to the tram.\nBreakfast until eleven.", by: mia),
        ],
        votes: [vote(jie, .for), vote(mia, .for), vote(noah, .against), vote(ana, .for), vote(ming, .for)], by: mia)
    static let hostel = item(
        2,
        [
            .title: value("Hostel by the station", by: noah), .price: value("€31", by: noah),
            .place: value("38.7143,-9.1231", by: noah),
        ],
        votes: [vote(noah, .for)], by: noah)
    static let stove = item(3, [.title: value("Camping stove")], quantity: 2)

    static let removedHostel = item(2, [.title: value("Hostel by the station", by: noah)], isRemoved: true, by: noah)
    /// As it is in the first moment: nobody voted, nothing is known.
    static let idea = item(4, [.title: value("Day trip to Sintra", by: ana)], by: ana)
    /// Tom answered, and was removed.
    static let boat = item(
        24, [.title: value("Boat trip")],
        attendance: [(jie, .going), (mia, .maybe), (noah, .going), (tom, .going), (ana, .notGoing)])
    static let picnic = item(
        25, [.title: value("Picnic")],
        attendance: people.filter { $0.id != tom.id }.map { ($0, $0.id == mia.id ? .maybe : .going) })
    static let longTitle = item(
        5,
        [
            .title: value(
                "A quiet attic with a view of the river, two balconies, a piano, a cat that comes and goes, and no lift"
            ),
            .price: value("€1,240 for the whole week, cleaning and the cat’s food included"),
        ],
        votes: [vote(jie, .for)])
    static let rightToLeft = item(
        6,
        [
            .title: value("דירה ליד הנהר", by: noa), .price: value("₪450", by: noa),
            .host: value("משפחת לוי", by: noa),
        ],
        votes: [vote(noa, .for), vote(jie, .for)], by: noa)
    static let disputed = item(
        7,
        [
            .title: value("Casa do Rio", by: mia, beside: [("Casa do Tejo", noah)]),
            .price: value("€120", by: mia, beside: [("€110", noah), ("€115", ana)]),
        ],
        votes: [vote(mia, .for), vote(noah, .for)], by: mia)
    static let unwanted = item(
        8, [.title: value("Sleeper bus"), .price: value("€18")],
        votes: [vote(mia, .against), vote(noah, .against), vote(tom, .for)], by: tom)
    static let tied = item(
        9, [.title: value("Pousada", by: ana), .price: value("€95", by: ana)], votes: [vote(jie, .for)])
    static let crowded = item(
        10, [.title: value("Beach house")],
        votes: [jie, mia, noah, ana, ming, noa, lea, max].map { vote($0, $0.id == max.id ? .against : .for) })
    static let done = item(
        11, [.title: value("Train tickets"), .done: value(Field.setValue, by: noah)], quantity: 6)
    static let short = item(12, [.title: value("Towels"), .note: value("big ones")], quantity: -1)
    static let script = item(
        13,
        [
            .title: value("<script>alert(1)</script>"), .price: value("\"><img src=x onerror=alert(1)>"),
            .host: value("'; drop table trips; --"), .note: value("<b>bold</b> &amp; \u{202E}turned"),
            .link: value("javascript:alert(1)"), .place: value("38.7,-9.1<svg>"),
        ])

    /// The trip with other items.
    static func trip(_ items: [ItemView], removed: [ItemView] = []) -> TripView {
        TripView(title: trip.title, participants: trip.participants, items: items, removedItems: removed)
    }
}
#endif
