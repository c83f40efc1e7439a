import DeltaCRDT
import Foundation
import Testing

/// States that were written once and must be read for ever: `Golden/TYPE.hex` has the name of a state and its bytes on each
/// line. A line is never changed; where the format gets another version, it gets other lines.
@Suite struct GoldenTests {
    @Test func whatWasWrittenIsReadAndWrittenAgain() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Golden")
        var known: Set<String> = []
        for file in GoldenFile.all {
            known.insert("\(file.name).hex")
            let text = try? String(contentsOf: folder.appending(path: "\(file.name).hex"), encoding: .utf8)
            #expect(text == file.text, "Golden/\(file.name).hex should be\n\(file.text)")
            for line in (text ?? "").split(separator: "\n") {
                let parts = line.split(separator: ":")
                let bytes = try #require(parts.last.flatMap(Self.bytes), "\(file.name): \(line)")
                let reads = try #require(file.reads[String(parts[0])], "\(file.name): \(line)")
                #expect(reads(bytes), "\(file.name), \(parts[0]): read as another value, or written otherwise")
            }
        }
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder.path())) == known)
    }

    private static func bytes(_ hexadecimal: Substring) -> [UInt8]? {
        let digits = hexadecimal.compactMap(\.hexDigitValue)
        guard digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}

/// What one file must hold.
private struct GoldenFile {
    let name: String
    private(set) var text = ""
    /// By a state's name, whether bytes are read as that state and written again as they are.
    private(set) var reads: [String: ([UInt8]) -> Bool] = [:]

    init(_ name: String) { self.name = name }

    func with<State: CanonicalCodable & Equatable>(
        _ name: String, _ state: State, knownReplicas: [ReplicaID] = []
    ) -> GoldenFile {
        var file = self
        let bytes = state.encoded(knownReplicas: knownReplicas)
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        file.text += "\(name):\(digits)\n"
        file.reads[name] = { bytes in
            let read = try? State(decoding: bytes, knownReplicas: knownReplicas)
            return read == state && read?.encoded(knownReplicas: knownReplicas) == bytes
        }
        return file
    }

    private static let jie = ReplicaID(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)
    private static let noah = ReplicaID(high: 0xFFFF_FFFF_FFFF_FFFF, low: 1)

    static var all: [GoldenFile] {
        counters + sets + flags + registers + maps + records + sequences + causality
    }

    private static var counters: [GoldenFile] {
        var grown = GCounter()
        let delta = grown.add(300, by: jie)
        grown.add(.max, by: noah)
        var both = PNCounter()
        both.add(7, by: jie)
        both.add(-9, by: noah)
        both.add(-1, by: jie)
        var votes = VoteCounter<String, String>()
        for (choice, subject, voter) in [
            (VoteCounter<String, String>.Choice.for, "hut", "Jie"), (.against, "hut", "Noah"), (.for, "hostel", "Jie"),
            (.neither, "hut", "Noah"), (.against, "tent by the lake", "Noah"), (.against, "hotel", "Michelle"),
        ] { votes.cast(choice, on: subject, by: voter) }
        let ballot = votes.cast(.for, on: "hotel", by: "Michelle")
        var byReplica = VoteCounter<Dot, ReplicaID>()
        for (choice, counter, voter) in [
            (VoteCounter<Dot, ReplicaID>.Choice.for, UInt64(1), jie), (.against, 300, jie), (.for, 1, noah),
        ] { byReplica.cast(choice, on: Dot(replica: noah, counter: counter), by: voter) }
        return [
            GoldenFile("GCounter").with("empty", GCounter()).with("delta", delta).with("state", grown),
            GoldenFile("PNCounter").with("empty", PNCounter()).with("state", both),
            GoldenFile("VoteCounter").with("empty", VoteCounter<String, String>()).with("delta", ballot)
                .with("state", votes).with("by replica", byReplica)
                .with("by replica, in an envelope", byReplica, knownReplicas: [noah, jie]),
        ]
    }

    private static var sets: [GoldenFile] {
        var places = GSet<String>()
        for place in ["Lisbon", "Lisboa", "", "Évora", "Lisbon by the sea, and a name that is longer than thirty-two"] {
            places.insert(place)
        }
        var items = AddWinsSet<String>()
        items.formUnion(["tent", "rope", "caf\u{E9}", "cafe\u{301}"], by: jie)
        let delta = items.insert("stove", by: noah)
        let removal = items.remove("rope")
        items.insert("rope", by: noah)
        var packed = AddWinsSet<String>()
        packed.formUnion((0..<40).map { "item \($0)" }, by: jie)
        var even = AddWinsSet<String>()
        even.formUnion((10..<30).map { "\($0)" }, by: jie)
        var plain = AddWinsSet<String>()
        plain.formUnion((0..<16).map { "é\($0)" }, by: jie)
        var numbers = AddWinsSet<UInt64>()
        numbers.formUnion((0..<12).map { $0 * $0 * 1000 }, by: jie)
        var guests = RemoveWinsSet<String>()
        guests.insert("Ana", by: jie)
        guests.remove("Rui", by: noah)
        guests.remove("Ana", by: noah)
        guests.insert("Eva", by: jie)
        return [
            GoldenFile("GSet").with("empty", GSet<String>()).with("texts", places),
            GoldenFile("AddWinsSet").with("empty", AddWinsSet<String>()).with("add", delta).with("removal", removal)
                .with("removal in an envelope", removal, knownReplicas: [noah, jie]).with("state", items)
                .with("packed", packed).with("packed, of one length", even).with("not packed", plain)
                .with("numbers", numbers),
            GoldenFile("RemoveWinsSet").with("empty", RemoveWinsSet<String>()).with("state", guests),
        ]
    }

    private static var flags: [GoldenFile] {
        var on = EnableWinsFlag()
        on.enable(by: jie)
        var other = on
        other.enable(by: noah)
        on.enable(by: jie)
        on.merge(other)
        let disabling = other.disable()
        var off = DisableWinsFlag()
        off.enable(by: jie)
        var twin = off
        off.disable(by: noah)
        twin.enable(by: jie)
        off.merge(twin)
        return [
            GoldenFile("EnableWinsFlag").with("empty", EnableWinsFlag()).with("delta", disabling).with("state", on),
            GoldenFile("DisableWinsFlag").with("empty", DisableWinsFlag()).with("state", off),
        ]
    }

    private static var registers: [GoldenFile] {
        var last = LWWRegister<String>()
        last.set("Lisbon", by: jie)
        last.set("Lisboa", by: noah, after: 1000)
        var title = MVRegister<String>()
        title.set("Lisbon", by: jie)
        var other = title
        let delta = title.set("Lisbon in June", by: jie)
        other.set("Lisboa", by: noah)
        title.merge(other)
        return [
            GoldenFile("LWWRegister").with("empty", LWWRegister<String>()).with("state", last),
            GoldenFile("MVRegister").with("empty", MVRegister<String>()).with("delta", delta).with("state", title),
        ]
    }

    private static var maps: [GoldenFile] {
        var prices = LWWMap<String, Int64>()
        prices.updateValue(120, forKey: "hut", by: jie)
        prices.updateValue(-5, forKey: "tent", by: noah)
        prices.removeValue(forKey: "hut", by: noah)
        prices.updateValue(1 << 40, forKey: "hotel", by: jie)
        var trips = ORMap<String, ORMap<UInt64, AddWinsSet<String>>>()
        trips.updateValue(forKey: "Lisbon") { $0.updateValue(forKey: 1) { $0.insert("tent", by: jie) } }
        trips.updateValue(forKey: "Porto") { $0.updateValue(forKey: 2) { $0.insert("rope", by: noah) } }
        let delta = trips.updateValue(forKey: "Lisbon") { $0.updateValue(forKey: 2) { $0.insert("stove", by: noah) } }
        trips.updateValue(forKey: "Lisbon") { $0.updateValue(forKey: 1) { $0.remove("tent") } }
        trips.updateValue(forKey: "Lisbon") { $0.updateValue(forKey: 2) { $0.insert("lamp", by: jie) } }
        return [
            GoldenFile("LWWMap").with("empty", LWWMap<String, Int64>()).with("state", prices),
            GoldenFile("ORMap").with("empty", ORMap<String, ORMap<UInt64, AddWinsSet<String>>>()).with("delta", delta)
                .with("state", trips),
        ]
    }

    private static var records: [GoldenFile] {
        var counter = CausalCounter()
        counter.add(5, by: jie)
        counter.add(-7, by: noah)
        counter.add(1, by: jie)
        var card = Record<Card>()
        card.title.set("Lisbon", by: jie)
        card.labels.insert("shopping", by: noah)
        card.isDone.enable(by: jie)
        card.steps.updateValue(forKey: 300) { $0.set(true, by: noah) }
        let delta = card.update { $0.estimate.add(3, by: jie) }
        let place = Evolving(EvolvingPlace(name: "Lisbon", price: -1))
        return [
            GoldenFile("CausalCounter").with("empty", CausalCounter()).with("state", counter),
            GoldenFile("Record").with("empty", Record<Card>()).with("delta", delta).with("state", card),
            GoldenFile("Evolving").with("empty", Evolving<EvolvingPlace>()).with("state", place),
        ]
    }

    private static var sequences: [GoldenFile] {
        var plan = Text()
        plan.insert("Lisbon in June", at: 0, by: jie)
        var other = plan
        let delta = plan.insert("late ", at: 10, by: noah)
        let removal = other.remove(0..<6)
        other.insert("Évora", at: 0, by: jie)
        plan.merge(other)
        var note = RichText()
        note.insert("Évora in June", at: 0, by: jie)
        let bold = note.mark(0..<6, "bold", by: noah)
        note.insert("late ", at: 10, by: noah)
        note.mark(10..<19, "link", value: "https://évora", expanding: .none, by: jie)
        note.unmark(2..<4, "bold", by: jie)
        note.remove(14..<16)
        note.mark(0..<6, "italic", by: jie)
        note.unmark(0..<8, "italic", expanding: .both, by: noah)
        var long = Text()
        var places = List<String>()
        places.insert(contentsOf: ["Lisbon", "Porto", "Évora"], at: 0, by: jie)
        places.remove(at: 1)
        places.insert("Sintra", at: 1, by: noah)
        var days = MovableList<String>()
        days.insert(contentsOf: ["museum", "beach", "castle"], at: 0, by: jie)
        days.move(from: 2, to: 0, by: noah)
        var folders = Tree()
        let (maps, _) = folders.insert(under: nil, by: jie)
        let (photos, _) = folders.insert(under: maps, by: noah)
        folders.remove(maps, by: jie)
        folders.move(photos, under: nil, by: noah)
        for number in 0..<60 { long.insert("a plan of day \(number), ", at: 0, by: jie) }
        return [
            GoldenFile("Text").with("empty", Text()).with("insertion", delta)
                .with("insertion in an envelope", delta, knownReplicas: [noah, jie]).with("removal", removal)
                .with("state", plan).with("packed", long),
            GoldenFile("RichText").with("empty", RichText()).with("mark", bold)
                .with("mark in an envelope", bold, knownReplicas: [noah, jie]).with("state", note),
            GoldenFile("List").with("empty", List<String>()).with("state", places),
            GoldenFile("MovableList").with("empty", MovableList<String>()).with("state", days),
            GoldenFile("Tree").with("empty", Tree()).with("state", folders),
            GoldenFile("SequenceAnchor").with("end", SequenceAnchor.end)
                .with("after", plan.anchor(at: 3, staying: .after)),
        ]
    }

    private struct EvolvingPlace: EvolvingValue {
        var name = ""
        var price: Int?

        static let fields: [EvolvingField<EvolvingPlace>] = [.init(1, \.name), .init(300, \.price)]
    }

    private static var causality: [GoldenFile] {
        var context = CausalContext()
        context.insert(replica: jie, counters: 1...1000)
        context.insert(replica: jie, counters: 1002...1002)
        context.insert(replica: noah, counters: 5...Dot.maximumCounter)
        var set = AddWinsSet<UInt64>()
        set.formUnion([1, 2, 3], by: jie)
        set.insert(4, by: noah)
        let lacking = set
        set.remove(2)
        var gaps = AddWinsSet<UInt64>()
        for counter: UInt64 in [1, 3, 4, 9] { gaps.insert(counter, dot: Dot(replica: jie, counter: counter)) }
        gaps.insert(5, dot: Dot(replica: noah, counter: 300))
        var counter = PNCounter()
        counter.add(7, by: jie)
        counter.add(-9, by: noah)
        var places = GSet<String>()
        for place in ["Lisbon", "Lisbon by the sea"] { places.insert(place) }
        var votes = VoteCounter<String, String>()
        votes.cast(.for, on: "hut", by: "Jie")
        var store = DotMap<UInt64, DotFun<Bool>>()
        store[9] = DotFun(Dot(replica: noah, counter: 3), true)
        return [
            GoldenFile("CausalContext").with("empty", CausalContext()).with("islands", context)
                .with("one", CausalContext(Dot(replica: jie, counter: 7)), knownReplicas: [jie]),
            GoldenFile("VersionVector").with("empty", VersionVector()).with("two", context.versionVector),
            GoldenFile("StateSummary").with("empty", StateSummary()).with("state", set.summary())
                .with("beyond gaps", gaps.summary()),
            GoldenFile("RangeSummary").with("empty", RangeSummary())
                .with("question", lacking.answer(to: set.summary()).question),
            GoldenFile("EntrySummary").with("empty", EntrySummary()).with("counter", counter.summary())
                .with("set", places.summary()).with("votes", votes.summary()),
            GoldenFile("Causal").with("state", Causal(store: store, context: context)),
            GoldenFile("Dot").with("dot", Dot(replica: jie, counter: 300))
                .with("known", Dot(replica: noah, counter: 1), knownReplicas: [jie, noah]),
            GoldenFile("Numbers").with("Int64.min", Int64.min).with("-1", Int64(-1)).with("UInt64.max", UInt64.max)
                .with("true", true).with("text", "Évora").with("UInt8.max", UInt8.max).with("Int16.min", Int16.min)
                .with("1.5", 1.5).with("none", Int?.none).with("some", Int?.some(-1)).with("array", ["hut", "tent"]),
        ]
    }
}
