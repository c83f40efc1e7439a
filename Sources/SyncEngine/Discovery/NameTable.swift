import ChangeLog

/// The instance names that are present, and what is known of each.
struct NameTable: Sendable {
    /// What made a name.
    enum Maker: Sendable {
        /// A key that this node dials under.
        case credential(Credential)
        /// No key that is here, so far.
        case unknown
    }

    private(set) var makers: [String: Maker] = [:]
    private var departed = BoundedMemory<String>()
    private var unresolved: [String: Retry] = [:]

    /// When a name is looked up again behind which no address was found, or none at which anybody was met: a link was down, a
    /// packet was lost, or somebody else answered.
    private struct Retry: Sendable {
        /// `nil` while an answer is awaited.
        var due: UInt64?
        var backoff: Backoff
        /// Whether there are addresses, and nobody was met there.
        let isStale: Bool
    }

    var count: Int { makers.count }

    /// How many were made with a key that is here.
    var knownCount: Int {
        makers.values.count {
            if case .credential = $0 { true } else { false }
        }
    }

    func contains(_ instance: String) -> Bool { makers[instance] != nil }

    /// Whether a name that left may not be believed again.
    func hasDeparted(_ instance: String) -> Bool { departed.contains(instance) }

    /// The key that made a name; nil where that is not here.
    func credential(of instance: String) -> Credential? {
        guard case .credential(let credential) = makers[instance] else { return nil }
        return credential
    }

    mutating func insert(_ instance: String, madeBy maker: Maker) { makers[instance] = maker }

    /// Forgets a name to make room for another.
    mutating func forget(_ instance: String) {
        makers[instance] = nil
        unresolved[instance] = nil
    }

    /// - Returns: whether the name was present.
    mutating func depart(_ instance: String, limit: Int) -> Bool {
        guard let maker = makers.removeValue(forKey: instance) else { return false }
        unresolved[instance] = nil
        if case .credential = maker { departed.insert(instance, limit: limit) }
        return true
    }

    // MARK: - Names that led nowhere

    /// Whether a name is looked up again by itself.
    func isRetried(_ instance: String) -> Bool { unresolved[instance]?.due != nil }

    /// Whether a name is looked up for its addresses were dialled in vain.
    func isStale(_ instance: String) -> Bool { unresolved[instance]?.isStale ?? false }

    mutating func retry(_ instance: String, from first: UInt64, within longest: UInt64, isStale: Bool, at now: UInt64) {
        var backoff = unresolved[instance]?.backoff ?? Backoff(first: first)
        unresolved[instance] = Retry(due: now + backoff.next(upTo: longest), backoff: backoff, isStale: isStale)
    }

    /// An answer came that says nothing new: what was planned holds.
    mutating func isUnchanged(_ instance: String) { unresolved[instance]?.due = nil }

    mutating func resolved(_ instance: String) { unresolved[instance] = nil }

    /// Takes the names that are to be looked up again, in their order; the answer sets the next time.
    mutating func takeDue(at now: UInt64) -> [String] {
        guard !unresolved.isEmpty else { return [] }
        let due = unresolved.filter { $0.value.due.map { $0 <= now } ?? false }.keys.sorted()
        for instance in due { unresolved[instance]?.due = nil }
        return due
    }

    var nextRetry: UInt64? { unresolved.values.compactMap(\.due).min() }

    func checkInvariants() {
        precondition(unresolved.keys.allSatisfy { makers[$0] != nil }, "what is looked up again is present")
        precondition(makers.keys.allSatisfy { !departed.contains($0) }, "what left is not here")
    }
}
