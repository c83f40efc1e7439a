/// A fault that a published library had, by name.
public enum Mutation: String, CaseIterable, Sendable {
    case sharedEntry = "shared-entry"
    case clockSet = "clock-set"
    case frozenClock = "frozen-clock"
    case borrowedName = "borrowed-name"
    case gappedInterval = "gapped-interval"
    case holesAsRemoves = "holes-as-removes"
    case losslessOnly = "lossless-only"
    case expiringTombstones = "expiring-tombstones"
    case earlyAcknowledgement = "early-acknowledgement"
    case tornWrite = "torn-write"
    case reusedNumbers = "reused-numbers"
    case hashOrder = "hash-order"
    case emptyShell = "empty-shell"
}

/// Says which fault a type has, at compile time: a mutant and its sound twin differ in this alone.
public protocol Variant: Sendable {
    static var mutation: Mutation? { get }
}

/// Without a fault.
public enum Sound: Variant { public static var mutation: Mutation? { nil } }

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
