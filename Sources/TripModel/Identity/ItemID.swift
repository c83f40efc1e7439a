package import DeltaCRDT

/// The name of an item: the dot of the operation that made it.
package struct ItemID: Hashable, Sendable {
    package let dot: Dot

    package init(dot: Dot) {
        self.dot = dot
    }

    /// The fewest digits of `digits` that are ever shown.
    package static let shownDigits = 12

    /// 64 lowercase hexadecimal digits that name the item. The first 16 mix the replica and the counter, so that a
    /// short prefix tells items of one replica apart; the others spell both out, so that no two items share them all.
    package var digits: String { ItemDigits(self).text(64) }

    /// What the item is called where no other begins alike.
    package var leastShortID: String { ItemDigits(self).text(Self.shownDigits) }

    /// The first 16 digits as a number.
    var mixedWord: UInt64 { Self.mix(Self.mix(dot.replica.high) ^ Self.mix(dot.replica.low &+ dot.counter)) }

    private static func mix(_ word: UInt64) -> UInt64 {
        SplitMix64.mixed(word &+ SplitMix64.increment)
    }
}

extension ItemID: Comparable {
    package static func < (left: ItemID, right: ItemID) -> Bool { left.dot < right.dot }
}
