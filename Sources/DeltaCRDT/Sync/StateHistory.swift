/// The versions that a state went through, for a program that shows earlier ones: its deltas one after the other, and a whole state now
/// and then.
///
/// States keep no history: what was removed is gone. So note each delta here, your own and those of peers, as it is merged. A version is
/// how many were noted. It belongs to this history: others note the same deltas in other orders, and removals have no names that
/// all could use.
///
/// ```swift
/// var note = Text()
/// var history = StateHistory<Text>()
/// history.append(note.insert("Lisbon in June", at: 0, by: jie))
/// history.append(note.replace(10..<14, with: "May", by: noah))
///
/// let june = try history.state(at: 1)
/// june.string                // "Lisbon in June"
/// june.changes(to: note)     // [.removed(10..<14), .inserted("May", at: 10)]
/// ```
///
/// Kept are bytes. Whole states take no more of them than deltas, so that a history takes at most twice what its deltas take.
public struct StateHistory<State: DeltaState & CanonicalCodable>: Hashable, Sendable {
    /// Of each version but the first, what it added.
    private var deltas: [[UInt8]] = []
    /// Whole states, by their versions, which ascend.
    private var snapshots: [Snapshot] = []
    /// How many bytes the deltas since the last whole state take, and how many are too many.
    private var pending = 0
    private var most = Self.least

    private static var least: Int { 256 }

    /// The last version. Complexity: O(1).
    public private(set) var latest = State()

    private struct Snapshot: Hashable {
        let version: Int
        let bytes: [UInt8]
    }

    /// Nothing but version 0, the empty state. Complexity: O(1).
    public init() {}

    /// The last version: how many deltas were noted. Complexity: O(1).
    public var version: Int { deltas.count }

    /// How many bytes are kept, beside the last version. Complexity: O(versions).
    public var byteCount: Int { deltas.reduce(0) { $0 + $1.count } + snapshots.reduce(0) { $0 + $1.bytes.count } }

    /// Notes a delta; returns the version that it makes. One that changes nothing makes none.
    ///
    /// Complexity: that of the merge, and O(size of the delta) amortised.
    @discardableResult
    public mutating func append(_ delta: State) -> Int {
        guard latest.merge(delta) else { return version }
        let bytes = delta.encoded()
        deltas.append(bytes)
        pending += bytes.count
        if pending > most {
            let whole = latest.encoded()
            most = max(Self.least, whole.count)
            // A state may be greater than what made it: it waits until the deltas are as long.
            if whole.count <= pending {
                snapshots.append(Snapshot(version: version, bytes: whole))
                pending = 0
            }
        }
        return version
    }

    /// The state as it was at a version, which must be one.
    ///
    /// - Throws: ``DecodingFailure`` where the state's type can't read what it wrote; of the library's types, never.
    ///
    /// Complexity: that of reading a whole state, and of merging deltas of about as many bytes.
    public func state(at version: Int) throws(DecodingFailure) -> State {
        require(version >= 0 && version <= self.version, "a version is one that was noted")
        if version == self.version { return latest }
        let snapshot = snapshots.partitioningIndex { $0.version > version } - 1
        var (state, next) = (State(), 0)
        if snapshot >= 0 {
            (state, next) = (try State(decoding: snapshots[snapshot].bytes), snapshots[snapshot].version)
        }
        for delta in deltas[next..<version] { state.merge(try State(decoding: delta)) }
        return state
    }

    /// Forgets what was before a version, which becomes the first that can be had: earlier ones are that one. The numbers stay.
    ///
    /// - Throws: as ``state(at:)``.
    ///
    /// Complexity: as of ``state(at:)``, and O(versions).
    public mutating func forget(before version: Int) throws(DecodingFailure) {
        let first = try state(at: version)
        snapshots.removeAll { $0.version <= version }
        snapshots.insert(Snapshot(version: 0, bytes: first.encoded()), at: 0)
        for index in 0..<version { deltas[index] = State().encoded() }
    }
}
