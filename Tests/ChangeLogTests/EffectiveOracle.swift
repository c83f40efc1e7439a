import DeltaCRDT
import TripSimulation

@testable import ChangeLog

/// What follows from a set of changes by the rules of Documentation/Protocol.md's section 5, for a log to be held against.
struct EffectiveOracle {
    private let held: HeldChanges
    private let rules: EffectiveRules<HeldChanges>
    private let cryptography: any Cryptography

    /// - Parameter fault: what it gets wrong; nil for what the page says.
    init(_ changes: [SignedChange], using cryptography: any Cryptography, fault: CountingFault? = nil) {
        held = HeldChanges(changes)
        rules = EffectiveRules(held, using: cryptography, fault: fault)
        self.cryptography = cryptography
    }

    var persons: [Bytes32: EffectiveRules<HeldChanges>.Person] { rules.persons }

    var effective: Set<Bytes32> { Set(held.changes.keys.filter(rules.isEffective)) }

    var retained: Set<Bytes32> {
        effective.reduce(into: effective) { $0.formUnion(held.pasts[$1] ?? []) }
    }

    /// Retained changes that no retained one has in its past.
    var heads: Set<Bytes32> {
        let retained = retained
        return retained.subtracting(retained.flatMap { held.pasts[$0] ?? [] })
    }

    /// Retained changes with no retained successor in their log.
    var frontier: Set<Bytes32> {
        let retained = retained
        return retained.subtracting(retained.compactMap { held.previous(of: $0) })
    }

    /// The invites by which somebody new may be let in, whatever the time.
    var openInvites: Set<Bytes32> {
        let retained = retained
        let ids = held.statements.compactMap { name, statement -> Bytes32? in
            guard case .invite(let invite) = statement, let opener = held.device(held.replica(of: name)) else {
                return nil
            }
            return invite.id(openedBy: opener, using: cryptography)
        }
        return Set(ids.filter { rules.isOpen($0, in: retained.contains) })
    }
}

/// Changes by their hashes, in the order in which they came.
struct HeldChanges: ChangeHistory {
    let changes: [Bytes32: SignedChange]
    let pasts: [Bytes32: Set<Bytes32>]
    let statements: [(name: Bytes32, statement: Statement)]
    private let arrivals: [Bytes32: Int]

    init(_ held: [SignedChange]) {
        changes = Dictionary(uniqueKeysWithValues: held.map { ($0.hash, $0) })
        arrivals = Dictionary(uniqueKeysWithValues: held.enumerated().map { ($1.hash, $0) })
        statements = held.compactMap { signed in signed.change.statement.map { (signed.hash, $0) } }
        pasts = held.sorted { $0.stamp < $1.stamp }.reduce(into: [:]) { pasts, signed in
            pasts[signed.hash] = signed.change.links.reduce(into: []) {
                $0.insert($1)
                $0.formUnion(pasts[$1] ?? [])
            }
        }
    }

    func replica(of name: Bytes32) -> ReplicaID { changes[name]?.change.replica ?? ReplicaID(high: 0, low: 0) }
    func stamp(of name: Bytes32) -> ChangeTimestamp {
        changes[name]?.stamp ?? ChangeTimestamp(lamport: 0, hash: name)
    }
    func past(of name: Bytes32, contains other: Bytes32) -> Bool { pasts[name]?.contains(other) ?? false }
    func previous(of name: Bytes32) -> Bytes32? { changes[name]?.change.previous }
    func links(of name: Bytes32) -> [Bytes32] { changes[name]?.change.links ?? [] }
    func arrival(of name: Bytes32) -> Int { arrivals[name] ?? 0 }
    func name(of hash: Bytes32) -> Bytes32? { changes[hash] == nil ? nil : hash }

    func device(_ replica: ReplicaID) -> Device? {
        for (_, statement) in statements {
            switch statement {
            case .found(let device, _, _) where device.replica == replica: return device
            case .admit(let admission) where admission.device.replica == replica: return admission.device
            default: break
            }
        }
        return nil
    }
}
