/// A fault that a published library had, by name.
public enum Mutation: String, CaseIterable, Sendable {
    /// Two people count in one entry of a counter, which is merged by its maximum.
    case sharedEntry = "shared-entry"
    /// A set that promises that adds win, and goes by the clock.
    case clockSet = "clock-set"
    /// A merge does not advance the local Lamport clock.
    case frozenClock = "frozen-clock"
    /// A merge takes over the other side's replica id.
    case borrowedName = "borrowed-name"
    /// A delta interval with a gap is applied as if it were whole.
    case gappedInterval = "gapped-interval"
    /// Gaps left by deltas that arrive in the wrong order are read as removals.
    case holesAsRemoves = "holes-as-removes"
    /// Synchronization needs every message to arrive.
    case losslessOnly = "lossless-only"
    /// Tombstones are dropped after a time.
    case expiringTombstones = "expiring-tombstones"
    /// A write is acknowledged before it is durable.
    case earlyAcknowledgement = "early-acknowledgement"
    /// A write that a power failure truncated is read as complete.
    case tornWrite = "torn-write"
    /// A replica restored from a backup reuses numbers.
    case reusedNumbers = "reused-numbers"
    /// The view has the order of a hash table.
    case hashOrder = "hash-order"
    /// A removal deletes the parts of an item that somebody edits concurrently.
    case emptyShell = "empty-shell"
    /// A reader refuses bytes that writers write.
    case narrowReader = "narrow-reader"
    /// A replica that received a number at the readers' limit continues from it, and nobody can read it any more.
    case passedLimit = "passed-limit"
    /// Equal elements are written as they were typed.
    case twoForms = "two-forms"
}

/// Says which fault a type has, at compile time: a mutant and its correct twin differ only in this.
public protocol Variant: Sendable {
    /// Nil for none.
    static var mutation: Mutation? { get }
}

/// Without a fault.
public enum Sound: Variant {
    /// None.
    public static var mutation: Mutation? { nil }
}

enum SharedEntry: Variant { static var mutation: Mutation? { .sharedEntry } }
enum ClockSet: Variant { static var mutation: Mutation? { .clockSet } }
enum FrozenClock: Variant { static var mutation: Mutation? { .frozenClock } }
enum BorrowedName: Variant { static var mutation: Mutation? { .borrowedName } }
enum GappedInterval: Variant { static var mutation: Mutation? { .gappedInterval } }
enum HolesAsRemoves: Variant { static var mutation: Mutation? { .holesAsRemoves } }
enum LosslessOnly: Variant { static var mutation: Mutation? { .losslessOnly } }
enum ExpiringTombstones: Variant { static var mutation: Mutation? { .expiringTombstones } }
enum EarlyAcknowledgement: Variant { static var mutation: Mutation? { .earlyAcknowledgement } }
enum TornWrite: Variant { static var mutation: Mutation? { .tornWrite } }
enum ReusedNumbers: Variant { static var mutation: Mutation? { .reusedNumbers } }
enum HashOrder: Variant { static var mutation: Mutation? { .hashOrder } }
enum EmptyShell: Variant { static var mutation: Mutation? { .emptyShell } }
enum NarrowReader: Variant { static var mutation: Mutation? { .narrowReader } }
enum PassedLimit: Variant { static var mutation: Mutation? { .passedLimit } }
enum TwoForms: Variant { static var mutation: Mutation? { .twoForms } }
