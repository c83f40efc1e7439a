/// A register that keeps the write of the greatest ``Stamp``; concurrent writes of others are lost.
///
/// Joined by the stamp alone, so one replica must never write two values at one time.
public struct LWWRegister<Value: Hashable & Sendable>: DeltaState {
    /// The value now.
    public typealias Change = Value

    private var write: Write?

    struct Write: Hashable, Sendable {
        let stamp: Stamp
        let value: Value
    }

    /// A register without a value. Complexity: O(1).
    public init() {}

    /// The last value written, nil before the first. Complexity: O(1).
    public var value: Value? { write?.value }

    /// The time and the author of the write. Complexity: O(1).
    public var stamp: Stamp? { write?.stamp }

    /// Writes a value in the name of a replica and returns the delta; nil where it was not written.
    ///
    /// That happens where there is no later time, after one of `UInt64.max`, which only somebody who forges has: then only a replica of
    /// a greater name than the last writer's can write.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - replica: who writes.
    ///   - time: a time that the replica has seen, if it has others than those of this register's writes; the write takes
    ///     one that is greater than both.
    ///
    /// Complexity: O(1).
    @discardableResult
    public mutating func set(_ value: Value, by replica: ReplicaID, after time: UInt64 = 0) -> LWWRegister? {
        let stamp = Stamp(time: Stamp.time(after: max(time, write?.stamp.time ?? 0)), replica: replica)
        if let write, stamp <= write.stamp { return nil }
        write = Write(stamp: stamp, value: value)
        return self
    }

    /// Joins another state or a delta; says whether this state changed. Complexity: O(1).
    @discardableResult
    public mutating func merge(_ other: LWWRegister) -> Bool {
        merge(other) { _ in }
    }

    /// Joins, and calls with the value if it changed. Complexity: O(1), and a comparison of two values.
    @discardableResult
    public mutating func merge(_ other: LWWRegister, onChange: (Value) -> Void) -> Bool {
        guard let theirs = other.write else { return false }
        if let mine = write, theirs.stamp <= mine.stamp { return false }
        let before = value
        write = theirs
        if before != theirs.value { onChange(theirs.value) }
        return true
    }

    /// The least part of this state that, merged into `other`, gives the join of both. Complexity: O(1).
    public func delta(for other: LWWRegister) -> LWWRegister {
        var joined = other
        return joined.merge(self) ? self : LWWRegister()
    }

    /// The write, if there is one. Complexity: O(1).
    public func decomposed() -> [LWWRegister] { write == nil ? [] : [self] }
}

extension LWWRegister: CanonicalCodable where Value: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(size).
    public func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(StateTag.lwwRegister)
        encoder.encode(write != nil)
        if let write {
            write.stamp.encode(into: &encoder)
            write.value.encode(into: &encoder)
        }
    }

    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(size of the bytes read), with a bound on what they may ask for.
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        try decoder.decode(StateTag.lwwRegister)
        guard try decoder.decodeBool() else { return }
        let stamp = try Stamp(from: &decoder)
        write = Write(stamp: stamp, value: try Value(from: &decoder))
    }
}
