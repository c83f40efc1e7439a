import DeltaCRDT

/// The name of an item: that of the operation that made it.
package struct ItemID: Hashable, Sendable {
    package let operation: OperationID

    package init(operation: OperationID) {
        self.operation = operation
    }

    package init(change: ChangeHash, index: OperationIndex) {
        operation = OperationID(change: change, index: index)
    }

    /// The fewest digits of `digits` that are ever shown.
    package static let shownDigits = 12

    /// 64 lowercase hexadecimal digits that name the item. The first 16 mix the beginning of the change's hash and the
    /// operation's index, and differ for all items of one change; the others are the rest of the hash.
    package var digits: String { ItemDigits(self).text(64) }

    /// What the item is called where no other begins alike.
    package var leastShortID: String { ItemDigits(self).text(Self.shownDigits) }

    /// The first 16 digits as a number: for one change a bijection of the index, spread evenly.
    package var mixedWord: UInt64 {
        SplitMix64.mixed(operation.change.words.0 &+ (UInt64(operation.index) + 1) &* SplitMix64.increment)
    }
}

extension ItemID: Comparable {
    package static func < (left: ItemID, right: ItemID) -> Bool { left.operation < right.operation }
}
