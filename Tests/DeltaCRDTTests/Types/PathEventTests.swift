import DeltaCRDT
import Testing

/// What a merge tells by path and value.
struct PathEventTests {
    struct Card: RecordSchema {
        var title = MVRegister<String>()
        var labels = AddWinsSet<String>()
        var estimate = CausalCounter()
        var votes = ORMap<String, EnableWinsFlag>()
        var prices = LWWMap<String, Int>()

        static let fields: [RecordField<Card>] = [
            .init(1, \.title), .init(2, \.labels), .init(3, \.estimate), .init(4, \.votes), .init(5, \.prices),
        ]
    }

    typealias Board = ORMap<String, Record<Card>>

    let jie = ReplicaID(high: 1, low: 1)
    let noah = ReplicaID(high: 2, low: 2)

    @Test func eachPlaceIsToldWithItsValues() {
        var mine = Board()
        mine.updateValue(forKey: "tent") {
            $0.title.set("Buy a tent", by: jie)
            $0.labels.insert("shopping", by: jie)
            $0.prices.updateValue(90, forKey: "new", by: jie)
        }
        var theirs = mine
        let delta = theirs.updateValue(forKey: "tent") {
            $0.title.set("Borrow a tent", by: noah)
            $0.labels.remove("shopping")
            $0.labels.insert("urgent", by: noah)
            $0.estimate.add(3, by: noah)
            $0.votes.updateValue(forKey: "noah") { $0.enable(by: noah) }
            $0.prices.updateValue(70, forKey: "new", by: noah)
        }
        let changes = mine.mergeReportingChanges(delta)
        #expect(
            changes.map(\.description) == [
                #"tent.title: ["Buy a tent"] → ["Borrow a tent"]"#, "tent.labels.shopping: shopping → nil",
                "tent.labels.urgent: nil → urgent", "tent.estimate: 0 → 3", "tent.votes.noah: false → true",
                "tent.prices.new: 90 → 70",
            ])
        #expect(changes[0].path == [PathStep("tent"), PathStep("title")])
        #expect(changes[0].new as? [String] == ["Borrow a tent"])
        #expect(changes[3].new as? Int64 == 3)
        let again = mine.mergeReportingChanges(delta)
        #expect(again.isEmpty)
        #expect(mine == theirs)
        let gone = mine.mergeReportingChanges(theirs.removeValue(forKey: "tent"))
        #expect(gone.last?.description == "tent.prices.new: 70 → nil")
    }

    @Test func concurrentValuesAreAllTold() {
        var (mine, theirs) = (Board(), Board())
        mine.updateValue(forKey: "tent") { $0.title.set("A", by: jie) }
        theirs.updateValue(forKey: "tent") { $0.title.set("B", by: noah) }
        let changes = mine.mergeReportingChanges(theirs)
        #expect(changes.map(\.description) == [#"tent.title: ["A"] → ["A", "B"]"#])
    }

    /// What is told, kept by path, is what is shown: after any merge of deltas that came late, twice or not at all.
    @Test(arguments: 1...30 as ClosedRange<UInt64>) func aViewThatFollowsShowsTheState(seed: UInt64) {
        var random = seed &* 0x9E37_79B9_7F4A_7C15
        func draw(_ count: Int) -> Int {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(random >> 33) % count
        }
        var states = [Board(), Board()]
        var views: [[[PathStep]: String]] = [[:], [:]]
        var deltas: [Board] = []
        for _ in 0..<120 {
            let (one, key) = (draw(2), "\(draw(3))")
            let me = [jie, noah][one]
            let act: (inout Board) -> Void
            switch draw(7) {
            case 0: act = { $0.removeValue(forKey: key) }
            case 1: act = { $0.updateValue(forKey: key) { $0.title.set("\(me.high)", by: me) } }
            case 2: act = { $0.updateValue(forKey: key) { $0.labels.insert("label \(key)", by: me) } }
            case 3: act = { $0.updateValue(forKey: key) { $0.labels.remove("label \(key)") } }
            case 4: act = { $0.updateValue(forKey: key) { $0.estimate.add(1, by: me) } }
            case 5: act = { $0.updateValue(forKey: key) { $0.votes.updateValue(forKey: key) { $0.enable(by: me) } } }
            default: act = { $0.updateValue(forKey: key) { $0.prices.removeValue(forKey: key, by: me) } }
            }
            // A view hears of its own acts as of others', by the delta.
            var copy = states[one]
            deltas.append(copy.update(act))
            for (reader, delta) in [(one, deltas[deltas.count - 1]), (draw(2), deltas[draw(deltas.count)])] {
                for change in states[reader].mergeReportingChanges(delta) {
                    views[reader][change.path] = change.new.map { "\($0)" }
                }
                var shown: [[PathStep]: String] = [:]
                states[reader].forEachChange(since: Board(), at: []) { change in
                    shown[change.path] = change.new.map { "\($0)" }
                }
                // What counts nothing and what is off are shown, too.
                let view = views[reader].filter { $0.value != "0" && $0.value != "false" }
                #expect(view == shown)
            }
        }
    }

    @Test func whatIsRestoredAndWhatIsRemovedIsTold() {
        var kept = RestorableMap<String, MVRegister<Int>>()
        var other = kept
        let come = other.mergeReportingChanges(kept.updateValue(forKey: "a", by: jie) { $0.set(1, by: jie) })
        #expect(come.map(\.description) == ["a: nil → [1]"])
        let gone = other.mergeReportingChanges(kept.removeValue(forKey: "a"))
        #expect(gone.map(\.description) == ["a: [1] → nil"])
    }
}
