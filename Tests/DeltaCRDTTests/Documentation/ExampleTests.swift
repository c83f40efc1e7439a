import DeltaCRDT
import Testing

private let jie = ReplicaID(high: 0x9E37_79B9, low: 1)
private let noah = ReplicaID(high: 0x85EB_CA6B, low: 2)

/// The examples of the documentation, line for line, with what they claim. `Scripts/docs` fails where an example is not here.
@Suite struct ExampleTests {
    @Test func landingPage() throws {
        let jie = ReplicaID(high: 0x9E37_79B9, low: 1)
        let noah = ReplicaID(high: 0x85EB_CA6B, low: 2)

        var mine = AddWinsSet<String>()
        let delta = mine.insert("tent", by: jie)

        var theirs = AddWinsSet<String>()
        theirs.merge(try AddWinsSet(decoding: delta.encoded()))
        #expect(theirs.contains("tent"))
        #expect(noah != jie)
    }

    @Test func saving() throws {
        var list = AddWinsSet<String>()
        let snapshot = list.encoded()
        var log: [[UInt8]] = []
        log.append(list.insert("tent", by: jie).encoded())
        log.append(list.insert("stove", by: jie).encoded())

        var read = try AddWinsSet<String>(decoding: snapshot)
        for delta in log { read.merge(try AddWinsSet(decoding: delta)) }
        #expect(read == list)
    }

    @Test func syncing() throws {
        var (mine, theirs) = (AddWinsSet<String>(), AddWinsSet<String>())
        mine.insert("tent", by: jie)
        theirs.insert("stove", by: noah)
        var (here, there) = (SyncSession<AddWinsSet<String>>(), SyncSession<AddWinsSet<String>>())
        var isQuiet = false
        while !isQuiet {
            isQuiet = true
            while let message = here.message(for: mine) {
                try there.receive(message, into: &theirs)
                isQuiet = false
            }
            while let message = there.message(for: theirs) {
                try here.receive(message, into: &mine)
                isQuiet = false
            }
        }
        #expect(mine == theirs)
    }

    @Test func readme() throws {
        // One name for each device, made once and kept.
        let phone = ReplicaID(high: .random(in: 0...UInt64.max), low: .random(in: 0...UInt64.max))
        let laptop = ReplicaID(high: .random(in: 0...UInt64.max), low: .random(in: 0...UInt64.max))

        var list = AddWinsSet<String>()
        list.formUnion(["tent", "stove"], by: phone)
        var copy = try AddWinsSet<String>(decoding: list.encoded())

        // Both offline: one removes what the other adds again.
        let removal = list.remove("tent")
        let again = copy.insert("tent", by: laptop)

        list.merge(again) { change in print(change) }
        copy.merge(removal)
        #expect(list == copy)
        #expect(list.contains("tent"))
        #expect(copy.delta(since: list.summary()).isEmpty)
    }

    @Test func sets() {
        var mine = AddWinsSet<String>()
        mine.insert("tent", by: jie)
        var theirs = mine

        let removal = mine.remove("tent")
        let addition = theirs.insert("tent", by: noah)

        mine.merge(addition)
        theirs.merge(removal)
        #expect(mine.contains("tent"))
        #expect(mine == theirs)
    }

    @Test func registers() {
        var title = MVRegister<String>()
        title.set("Lisbon", by: jie)
        var other = title

        title.set("Lisbon in June", by: jie)
        other.set("Lisboa", by: noah)

        title.merge(other)
        #expect(title.values.count == 2)
        title.set("Lisboa in June", by: jie)
        #expect(title.values == ["Lisboa in June"])
    }

    @Test func maps() {
        var trips = ORMap<String, ORMap<String, AddWinsSet<String>>>()
        let packed = trips.updateValue(forKey: "Lisbon") { trip in
            trip.updateValue(forKey: "to pack") { $0.insert("tent", by: jie) }
        }
        #expect(trips["Lisbon"]["to pack"].contains("tent"))
        #expect(packed.count == 1)
    }

    @Test func mapOfSets() {
        var trips = ORMap<String, AddWinsSet<String>>()
        let delta = trips.updateValue(forKey: "Lisbon") { $0.insert("tent", by: jie) }
        #expect(delta == trips)
    }

    @Test func aMapReadsItself() {
        var trips = ORMap<String, AddWinsSet<String>>()
        trips.updateValue(forKey: "Lisbon") { $0.insert("tent", by: jie) }
        let delta = trips.update { $0["Porto"].formUnion($0["Lisbon"].elements, by: jie) }
        #expect(trips["Porto"].contains("tent") && delta.keys == ["Porto"])
    }

    @Test func whatFellIsFound() {
        var here = AddWinsSet<String>()
        here.insert("tent", by: jie)
        here.insert("stove", by: jie)
        let away = here
        here.remove("tent")

        var (asking, answering) = (away, here)
        var answer = answering.answer(to: asking.summary())
        asking.merge(answer.delta)
        while !answer.question.isEmpty {
            swap(&asking, &answering)
            answer = answering.answer(to: answer.question)
            asking.merge(answer.delta)
        }
        #expect(!asking.contains("tent") && !answering.contains("tent") && asking.contains("stove"))
    }

    @Test func votesCountOnce() {
        var votes = VoteCounter<String, String>()
        votes.cast(.for, on: "hut", by: "Jie")
        votes.cast(.for, on: "hut", by: "Jie")
        votes.cast(.against, on: "hut", by: "Noah")
        votes.cast(.neither, on: "hut", by: "Noah")
        #expect(votes.tally(of: "hut") == 1)
    }

    @Test func removalIsAContext() {
        var jies = AddWinsSet<String>()
        jies.insert("tent", by: jie)
        var noahs = jies

        let removal = noahs.remove("tent")
        #expect(removal.isEmpty)
        #expect(removal.context.contains(Dot(replica: jie, counter: 1)))

        let again = jies.insert("tent", by: jie)
        jies.merge(removal)
        noahs.merge(again)
        #expect(jies.contains("tent"))
        #expect(jies == noahs)
    }

    @Test func mergesTellWhatIsNew() {
        var mine = AddWinsSet<String>()
        var batch = mine.insert("tent", by: jie)
        batch.merge(mine.insert("stove", by: jie))

        var theirs = AddWinsSet<String>()
        var told: [SetChange<String>] = []
        theirs.merge(batch) { told.append($0) }
        theirs.merge(batch) { told.append($0) }
        #expect(told == [.inserted("tent"), .inserted("stove")])
    }

    @Test func summariesAskForWhatIsMissing() {
        var here = AddWinsSet<String>()
        here.formUnion(["tent", "stove", "rope"], by: jie)
        var away = here

        here.insert("lamp", by: jie)
        here.remove("stove")

        let summary = away.summary()
        let missing = here.delta(since: summary)
        away.merge(missing)
        #expect(away == here)
        #expect(missing.elements == ["lamp"])
    }

    @Test func bytesOfTheFormat() throws {
        let replica = ReplicaID(high: 0, low: 1)
        var set = AddWinsSet<String>()
        set.insert("tent", by: replica)
        set.insert("rope", by: replica)
        let removal = set.remove("tent")
        #expect(set.encoded() == [0x14, 1, 5] + replica.bytes + [5, 6, 4] + Array("rope".utf8))
        #expect(removal.encoded(knownReplicas: [replica]) == [0x14, 1, 2, 0, 5])
    }

    @Test func records() {
        struct Card: RecordSchema {
            var title = MVRegister<String>()
            var labels = AddWinsSet<String>()
            var votes = LWWMap<String, Bool>()
            var estimate = CausalCounter()
            var steps = ORMap<String, EnableWinsFlag>()

            static let fields: [RecordField<Card>] = [
                .init(1, \.title), .init(2, \.labels), .init(3, \.votes), .init(4, \.estimate), .init(5, \.steps),
            ]
        }

        var board = ORMap<String, Record<Card>>()
        let delta = board.updateValue(forKey: "tent") { card in
            card.title.set("Buy a tent", by: jie)
            card.labels.insert("shopping", by: jie)
            card.estimate.add(2, by: jie)
            card.steps.updateValue(forKey: "compare") { $0.enable(by: jie) }
        }

        var theirs = ORMap<String, Record<Card>>()
        theirs.merge(delta)
        #expect(theirs["tent"].title.values == ["Buy a tent"])
        #expect(theirs["tent"].estimate.value == 2)
    }

    @Test func record() {
        struct Card: RecordSchema {
            var title = MVRegister<String>()
            var labels = AddWinsSet<String>()
            var estimate = CausalCounter()

            static let fields: [RecordField<Card>] = [.init(1, \.title), .init(2, \.labels), .init(3, \.estimate)]
        }

        var board = ORMap<String, Record<Card>>()
        let delta = board.updateValue(forKey: "tent") { card in
            card.title.set("Buy a tent", by: jie)
            card.labels.insert("shopping", by: jie)
        }
        #expect(board["tent"].title.values == ["Buy a tent"])
        #expect(delta == board)
    }

    @Test func evolvingValues() {
        struct Place: EvolvingValue {
            var name = ""
            var price: Int?  // since the second version

            static let fields: [EvolvingField<Place>] = [.init(1, \.name), .init(2, \.price)]
        }

        var place = MVRegister<Evolving<Place>>()
        place.set(Evolving(Place(name: "hut", price: 40)), by: jie)
        #expect(place.values.map(\.name) == ["hut"])
    }

    @Test func canonicalValues() {
        var places = AddWinsSet<Canonical<[String]>>()
        places.insert(Canonical(["caf\u{E9}", "Lisbon"]), by: jie)
        places.insert(Canonical(["cafe\u{301}", "Lisbon"]), by: jie)
        #expect(places.count == 2)
    }
}
