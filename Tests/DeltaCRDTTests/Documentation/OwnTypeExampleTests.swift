import DeltaCRDT
import Testing

private let jie = ReplicaID(high: 0x9E37_79B9, low: 1)
private let noah = ReplicaID(high: 0x85EB_CA6B, low: 2)

private enum Parts {
    struct Trip: Hashable, Sendable {
        var title = MVRegister<String>()
        var toPack = AddWinsSet<String>()

        mutating func merge(_ other: Trip) {
            title.merge(other.title)
            toPack.merge(other.toPack)
        }
    }
}

struct HighestBid: CausalState {
    typealias Store = DotFun<Int>
    typealias Change = [Int]

    var causal: Causal<DotFun<Int>>

    init(_ causal: Causal<DotFun<Int>>) { self.causal = causal }

    var bid: Int? { causal.store.entries.map(\.value).max() }

    mutating func place(_ bid: Int, by replica: ReplicaID) -> HighestBid {
        let dot = context.nextDot(for: replica)
        // What it overwrites is what it names in its context and does not hold up.
        let delta = Causal(store: DotFun(dot, bid), context: causal.store.dots())
        causal.merge(delta)
        return HighestBid(delta)
    }
}

extension HighestBid: CanonicalCodable {
    func encode(into encoder: inout CanonicalEncoder) { causal.encode(into: &encoder) }
    init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        self.init(try Causal(from: &decoder))
    }
}

private enum SeveralStores {
    struct Board: Hashable {
        var names = DotMap<String, DotFun<String>>()
        var pins = DotSet()
        var context = CausalContext()

        mutating func merge(_ other: Board) {
            names.merge(other.names, context: context, otherContext: other.context)
            pins.merge(other.pins, context: context, otherContext: other.context)
            context.merge(other.context)
        }
    }
}

/// The types that the article on writing one's own shows, at work.
@Suite struct OwnTypeExampleTests {
    @Test func structureOfParts() {
        var mine = Parts.Trip()
        var theirs = Parts.Trip()
        mine.title.set("Lisbon", by: jie)
        theirs.toPack.insert("tent", by: noah)
        mine.merge(theirs)
        #expect(mine.title.values == ["Lisbon"] && mine.toPack.contains("tent"))
    }

    @Test func storeWithAnotherFace() throws {
        var mine = HighestBid()
        var theirs = HighestBid()
        let first = mine.place(5, by: jie)
        theirs.merge(try HighestBid(decoding: first.encoded()))
        let low = mine.place(7, by: jie)
        let high = theirs.place(9, by: noah)
        mine.merge(high)
        theirs.merge(low)
        #expect(mine == theirs && mine.bid == 9)
        // A bid that has seen all others counts, though it is lower.
        let last = mine.place(3, by: jie)
        theirs.merge(last)
        #expect(theirs.bid == 3)
        var bids = ORMap<String, HighestBid>()
        bids.updateValue(forKey: "hut") { _ = $0.place(4, by: jie) }
        #expect(bids["hut"].bid == 4)
    }

    @Test func storesUnderOneContext() {
        var mine = SeveralStores.Board()
        let dot = Dot(replica: jie, counter: 1)
        mine.names["hut"] = DotFun(dot, "by the lake")
        mine.context.insert(dot)
        var removal = SeveralStores.Board()
        removal.context = mine.names.dots()
        mine.merge(removal)
        #expect(mine.names.isEmpty && mine.context.contains(dot))
    }
}
