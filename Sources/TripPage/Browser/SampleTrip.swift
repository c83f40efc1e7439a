import TripModel
import TripService

#if DEBUG
/// A made-up trip, always the same: what the component browser and its snapshots show.
enum SampleTrip {
    /// 10 June 2026, noon UTC.
    static let now: Int64 = 1_781_092_800_000
    static let minute: Int64 = 60_000
    static let day: Int64 = 86_400_000

    struct Person {
        let id: ParticipantID
        let name: String
    }

    static let jie = person(6, "Jie")
    static let mia = person(0, "Mia")
    static let noah = person(8, "Noah")
    static let ana = person(2, "Ana Lopes")
    static let ming = person(10, "小明")
    static let noa = person(4, "נועה")
    static let lea = person(1, "Lea")
    static let max = person(9, "Max")
    static let tom = person(5, "Tom (out)")

    static let people = [jie, mia, noah, ana, ming, noa, lea, max, tom]

    /// - Parameter number: the hue of their face.
    private static func person(_ number: UInt64, _ name: String) -> Person {
        Person(id: ParticipantID(high: 0, low: number), name: name)
    }

    // MARK: - Things

    static func value(_ text: String, by author: Person = jie, beside others: [(String, Person)] = []) -> FieldView {
        FieldView(
            shown: Proposal(value: text, author: author.id, authorName: author.name),
            alternatives: others.map { Proposal(value: $0.0, author: $0.1.id, authorName: $0.1.name) })
    }

    static func vote(_ voter: Person, _ vote: Vote) -> VoteView {
        VoteView(participant: voter.id, name: voter.name, word: vote, isOut: voter.id == tom.id)
    }

    /// - Parameter number: from 1; it makes the id too.
    static func item(
        _ number: Int, _ fields: [Field: FieldView], votes: [VoteView] = [], quantity: Int64? = nil,
        attendance: [(Person, Attendance)] = [], photos: [PhotoView] = [], isRemoved: Bool = false,
        by author: Person = jie
    ) -> ItemView {
        var sayings = ItemSayings()
        sayings.photos = photos
        sayings.attendance = attendance.map { person, answer in
            AttendanceView(participant: person.id, name: person.name, word: answer, isOut: person.id == tom.id)
        }
        return ItemView(
            id: itemID(number), shortID: shortID(number), number: number, isRemoved: isRemoved, fields: fields,
            votes: votes, tally: votes.reduce(0) { $0 + ($1.isOut ? 0 : $1.word.weight) }, quantity: quantity,
            addedBy: author.id, addedByName: author.name, addedAt: now - Int64(number) * 40 * minute,
            added: stamp(number), touched: stamp(number), sayings: sayings)
    }

    static func shortID(_ number: Int) -> String { "b4e7" + twoDigits(number) + "c0ffee" }

    static func itemID(_ number: Int) -> ItemID {
        ItemID(change: ChangeHash(words: (0, 0xA, 0, UInt64(number))), index: 0)
    }

    static func stamp(_ lamport: Int) -> LamportTimestamp {
        LamportTimestamp(
            lamport: UInt64(lamport),
            hash: ChangeHash(words: (0, UInt64(twoDigits(lamport), radix: 16) ?? 0, 0, 0)))
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

    // MARK: - The whole

    static let trip = TripView(
        title: value("Lisbon in June"),
        participants: people.map {
            ParticipantView(id: $0.id, name: $0.name, displayName: $0.name, isOut: $0.id == tom.id)
        },
        items: [casaDoRio, hostel, stove], removedItems: [])

    static func member(
        _ person: Person, depth: Int, sponsor: Person?, isGuest: Bool = false, isHere: Bool = true,
        lastHeard: Int64? = nil, removal: RemovalView? = nil, devices: Int = 1
    ) -> MemberView {
        MemberView(
            id: person.id.description, name: person.name, depth: depth, sponsor: sponsor?.name, isGuest: isGuest,
            isYou: person.id == jie.id, isHere: isHere, removal: removal, lastHeard: lastHeard,
            devices: (0..<devices).map { .init(id: "0\($0)", name: nil, isHere: isHere, lastHeard: lastHeard) })
    }

    static let members = MembersView(
        people: [
            member(jie, depth: 0, sponsor: nil, devices: 2),
            member(mia, depth: 1, sponsor: jie),
            member(ana, depth: 2, sponsor: mia, isHere: false, lastHeard: now - 130 * minute),
            member(noa, depth: 3, sponsor: ana, isHere: false),
            member(noah, depth: 1, sponsor: jie),
            member(lea, depth: 1, sponsor: jie, isGuest: true, isHere: false),
            member(max, depth: 1, sponsor: jie, isGuest: true, isHere: false),
            member(ming, depth: 1, sponsor: jie, isHere: false, lastHeard: now - 3 * day),
            member(
                tom, depth: 1, sponsor: jie, isHere: false,
                removal: RemovalView(.removed, by: jie.name, at: now - 2 * day)),
        ],
        overshotInvites: [])

    static func status(
        _ devices: [DeviceStatus], discoveryProblem: String? = nil, writingProblem: String? = nil,
        removal: RemovalView? = nil, inTwoPlaces: [String] = [], mailboxes: [MailboxView] = [],
        isArchived: Bool = false
    ) -> StatusView {
        StatusView(
            title: "Lisbon in June", you: jie.name, changes: 148,
            listening: .init(port: 7423, addresses: ["192.168.1.20:7423"]), discoveryProblem: discoveryProblem,
            writingProblem: writingProblem, removal: removal, devices: devices, inTwoPlaces: inTwoPlaces,
            mailboxes: mailboxes, isArchived: isArchived)
    }

    static func device(
        _ person: Person, isHere: Bool = true, lacks: Int = 0, isYours: Bool = false, inMailbox: Int = 0
    ) -> DeviceStatus {
        DeviceStatus(
            id: "0" + String(person.id.low), label: person.name, isYours: isYours, isHere: isHere, lacks: lacks,
            lastHeard: isHere ? now : now - 130 * minute, inMailbox: inMailbox)
    }

    static let statusOfAll = status([device(mia), device(noah), device(ana, isHere: false)])

    static let mailboxes = [
        MailboxView(
            number: 1, address: "/srv/jie/Nextcloud/trip", code: "9f2c51e07ab34d6685d0c1e2f3a4b596", problem: nil,
            lastReached: now - 2 * minute),
        MailboxView(
            number: 2, address: "https://jie@cloud.example.org/trip", code: "00112233445566778899aabbccddeeff",
            problem: "cloud.example.org refuses the password; add the mailbox again", lastReached: nil),
    ]

    /// What Jie shares from: of each kind something that is in the trip already, and something that is not.
    static let sources = Sources(
        wishes: Offer.all([
            NewItem(title: "Boat trip", fields: [.price: "40 EUR/person"]), here(casaDoRio),
        ]),
        viewed: [casaDoRio.id, hostel.id], feeds: ["stays.csv", "r/houses <b>"],
        feed: .read(
            Offer.all([
                NewItem(
                    title: "Loft <script>alert(1)</script>",
                    fields: [
                        .link: "https://example.org/rooms/7", .price: "95 EUR/night", .host: "Ana", .place: "38.7,-9.1",
                        .note: "Entire home · Alfama",
                    ]),
                here(hostel), NewItem(title: "Boat trip", fields: [.price: "40 EUR/person"]),
            ])))

    /// An offer of what is in the trip.
    private static func here(_ item: ItemView) -> NewItem {
        NewItem(title: item.title, fields: item.fields.mapValues(\.value).filter { $0.key == .place })
    }

    static func history(_ entries: [HistoryEntry]) -> HistoryView {
        HistoryView(
            entries: entries,
            names: HistoryNames(
                people: trip.participants,
                items: trip.items.map { .init(id: $0.id, shortID: $0.shortID, number: $0.number) }))
    }

    /// The whole trip as Jie sees it, but for what is changed.
    static func state(_ change: (inout PageState) -> Void = { _ in }) -> PageState {
        var state = PageState(
            tripID: "5eed0000000000000000000000000001", trip: trip, members: members, status: statusOfAll,
            history: history(historyEntries), viewer: Viewer(participant: jie.id), now: now)
        change(&state)
        return state
    }

    /// "http://192.168.1.20:7423/" as libqrencode draws it: a row a number, its lowest 25 bits from left to right.
    static let code = CodePicture(
        rows: [
            0x1FC5C7F, 0x1054F41, 0x174165D, 0x175D25D, 0x174895D, 0x105BB41, 0x1FD557F, 0x000EE00, 0x1F7AAAA,
            0x06356E2, 0x0CE479B, 0x1D81EA1, 0x04ED107, 0x158838A, 0x137315B, 0x16B61C9, 0x17E63FC, 0x0011B18,
            0x1FD4F5B, 0x104D91D, 0x175D5FF, 0x175C335, 0x175F1F5, 0x105A775, 0x1FD60EF,
        ].map { bits in (0..<25).map { bits >> (24 - $0) & 1 == 1 } })
}
#endif
