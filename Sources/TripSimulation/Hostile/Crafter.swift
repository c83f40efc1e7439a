import ChangeLog
import Convergence
import DeltaCRDT
import SyncEngine
import TripModel
import TripRules

/// Writes any change that the form allows, on some past, by a device whose keys are here.
struct Crafter {
    /// Somebody who is made up.
    struct Invented {
        let secrets: DeviceSecrets
        var isGuest = false

        var replica: ReplicaID { secrets.device.replica }
    }

    let ledger: TripLedger
    let league: League
    /// The past of what is written, which holds the past of each.
    let view: EventSet
    let author: League.Member
    let cryptography: any SessionCryptography

    private var statements: [Int] { view.filter { ledger.entries[$0].statement != nil } }

    // MARK: - Statements

    /// - Parameter hasBody: whether its body can be withheld.
    func statement(
        hasBody: Bool, _ generator: inout SeededGenerator
    ) -> (statement: Statement, invented: Invented?)? {
        if hasBody {
            switch generator.below(3) {
            case 0: return (.beginEpoch(grant(&generator)), nil)
            case 1: return (.grant(grant(&generator)), nil)
            default: return removal(grant: grant(&generator), &generator).map { ($0, nil) }
            }
        }
        switch generator.below(40) {
        case ..<5: return (opening(&generator), nil)
        case ..<12: return newcomer(&generator)
        case ..<14: return guest(&generator)
        case ..<17: return furtherDevice(&generator)
        case ..<23: return repeatedAdmission(&generator).map { ($0, nil) }
        case ..<31: return removal(grant: generator.oneIn(2) ? grant(&generator) : nil, &generator).map { ($0, nil) }
        case ..<33: return (.remove(participant: author.participant, grant: nil), nil)
        case ..<36: return end(&generator).map { ($0, nil) }
        case ..<38: return closing(&generator).map { ($0, nil) }
        default: return (generator.oneIn(2) ? .beginEpoch(grant(&generator)) : .grant(grant(&generator)), nil)
        }
    }

    /// An epoch whose secret is sealed to anybody that the past introduced, or to nobody.
    private func grant(_ generator: inout SeededGenerator) -> EpochGrant {
        let epoch = Forger.epoch(of: .random(using: &generator), using: cryptography)
        let introduced = statements.compactMap { index -> Device? in
            guard case .admit(let admission) = ledger.entries[index].statement else { return nil }
            return admission.device
        }
        var devices: [ReplicaID: Device] = [:]
        for device in introduced where !generator.oneIn(3) { devices[device.replica] = device }
        func sealed(_ cryptography: some Cryptography, _ generator: inout SeededGenerator) -> EpochGrant {
            EpochGrant(epoch, to: Array(devices.values), using: &generator, cryptography)
        }
        return sealed(cryptography, &generator)
    }

    /// An invite of their own, or one that they opened before.
    private func opening(_ generator: inout SeededGenerator) -> Statement {
        let own = statements.compactMap { index -> Statement? in
            guard case .invite = ledger.entries[index].statement, ledger.entries[index].replica == author.replica else {
                return nil
            }
            return ledger.entries[index].statement
        }
        if generator.oneIn(3), let again = generator.pick(ofAll: own, recent: 4) { return again }
        return .invite(
            Invite(
                seed: .random(using: &generator), uses: generator.number(in: 1...2), expires: nil,
                participant: generator.oneIn(8) ? author.participant : nil))
    }

    /// The invites that the past opened.
    private var invites: [(id: Bytes32, invite: Invite)] {
        statements.compactMap { index in
            guard case .invite(let invite) = ledger.entries[index].statement,
                let opener = ledger.devices[ledger.entries[index].replica]
            else { return nil }
            return (id(of: invite, openedBy: opener), invite)
        }
    }

    private func id(of invite: Invite, openedBy opener: Device) -> Bytes32 {
        func id(_ cryptography: some Cryptography) -> Bytes32 { invite.id(openedBy: opener, using: cryptography) }
        return id(cryptography)
    }

    private func newcomer(_ generator: inout SeededGenerator) -> (statement: Statement, invented: Invented?)? {
        guard league.mayInvent,
            let invite = generator.pick(ofAll: invites.filter { $0.invite.participant == nil }, recent: 4)
        else { return nil }
        let secrets = secrets(firstOf: .invited(invite.id), &generator)
        return admission(of: secrets, named: "Mallory's", by: invite.id).map { ($0, Invented(secrets: secrets)) }
    }

    private func guest(_ generator: inout SeededGenerator) -> (statement: Statement, invented: Invented?)? {
        guard league.mayInvent else { return nil }
        let secrets = secrets(firstOf: .guest(of: author.participant), &generator)
        return admission(of: secrets, named: "Mallory's guest", by: nil).map {
            ($0, Invented(secrets: secrets, isGuest: true))
        }
    }

    private func furtherDevice(_ generator: inout SeededGenerator) -> (statement: Statement, invented: Invented?)? {
        guard league.mayInvent else { return nil }
        func secrets(
            _ cryptography: some Cryptography, _ generator: inout SeededGenerator
        ) -> DeviceSecrets {
            DeviceSecrets(
                signingSeed: .random(using: &generator), agreementSecret: .random(using: &generator),
                of: author.participant, using: cryptography)
        }
        let device = secrets(cryptography, &generator)
        return admission(of: device, named: "Mallory's device", by: nil).map { ($0, Invented(secrets: device)) }
    }

    private func secrets(firstOf origin: Origin, _ generator: inout SeededGenerator) -> DeviceSecrets {
        func secrets(_ cryptography: some Cryptography, _ generator: inout SeededGenerator) -> DeviceSecrets {
            DeviceSecrets(
                signingSeed: .random(using: &generator), agreementSecret: .random(using: &generator),
                firstOf: origin, using: cryptography)
        }
        return secrets(cryptography, &generator)
    }

    /// - Parameter invite: nil for a guest or a further device; nothing may be said by one that the past did not open.
    func admission(of one: DeviceSecrets, named name: String, by invite: Bytes32?) -> Statement? {
        if let invite, !invites.contains(where: { $0.id == invite }) { return nil }
        let message = Admission.consentMessage(trip: ledger.trip, device: one.device, name: name)
        return .admit(
            Admission(
                device: one.device, name: name, invite: invite,
                consent: cryptography.sign(message, seed: one.signingSeed), grant: nil))
    }

    /// What anybody said of somebody, with the consent that it holds, said again.
    private func repeatedAdmission(_ generator: inout SeededGenerator) -> Statement? {
        let opened = Set(invites.map(\.id))
        let known = league.known.compactMap { index -> Admission? in
            guard case .admit(let admission) = ledger.entries[index].statement else { return nil }
            let isSound =
                admission.invite.map { opened.contains($0) }
                ?? (admission.device.participant == author.participant
                    || ledger.entries[index].replica == author.replica)
            return isSound ? admission : nil
        }
        guard let again = generator.pick(ofAll: known, recent: 12) else { return nil }
        return .admit(
            Admission(
                device: again.device, name: again.name, invite: again.invite, consent: again.consent, grant: nil))
    }

    private func removal(grant: EpochGrant?, _ generator: inout SeededGenerator) -> Statement? {
        let introduced = statements.compactMap { index -> (participant: Bytes32, parent: Bytes32?)? in
            guard case .admit(let admission) = ledger.entries[index].statement else { return nil }
            return (admission.device.participant, opener(of: admission.invite, hostedBy: index))
        }
        let below = introduced.filter { $0.parent == author.participant }
        let pool = below.isEmpty || generator.oneIn(4) ? introduced : below
        guard let one = generator.pick(ofAll: pool, recent: 8)?.participant else { return nil }
        var kept: [Bytes32]?
        if generator.oneIn(4) {
            let some = Array(view)
            kept = Set(
                (0..<generator.number(in: 0...2)).compactMap { _ in
                    generator.pick(ofAll: some, recent: 8).map { ledger.entries[$0].hash }
                }
            ).sorted()
        }
        return .remove(participant: one, kept: kept, grant: grant)
    }

    /// The parent of a person who comes by an invite, or is a guest.
    private func opener(of invite: Bytes32?, hostedBy index: Int) -> Bytes32? {
        guard let invite else { return ledger.devices[ledger.entries[index].replica]?.participant }
        let opening = statements.first { index in
            guard case .invite(let opened) = ledger.entries[index].statement,
                let opener = ledger.devices[ledger.entries[index].replica]
            else { return false }
            return id(of: opened, openedBy: opener) == invite
        }
        return opening.flatMap { ledger.devices[ledger.entries[$0].replica]?.participant }
    }

    private func end(_ generator: inout SeededGenerator) -> Statement? {
        let introduced = statements.compactMap { index -> Device? in
            guard case .admit(let admission) = ledger.entries[index].statement, admission.invite == nil,
                admission.device.participant == author.participant, admission.device.replica != author.replica
            else { return nil }
            return admission.device
        }
        guard let device = generator.pick(ofAll: introduced, recent: 4) else { return nil }
        let written = view.filter { ledger.entries[$0].replica == device.replica }
        let last = generator.oneIn(3) ? nil : generator.pick(ofAll: written, recent: 4)
        return .end(
            replica: device.replica, last: last.map { ledger.entries[$0].hash },
            grant: generator.oneIn(2) ? grant(&generator) : nil)
    }

    private func closing(_ generator: inout SeededGenerator) -> Statement? {
        generator.pick(ofAll: invites, recent: 6).map { .closeInvite(id: $0.id) }
    }

    // MARK: - Content

    /// Something new, or a vote or a comment on what the past holds.
    func content(
        on items: [(name: TripSpecification.Name, id: ItemID)], _ generator: inout SeededGenerator
    ) -> (TripAction, TripSpecification.Meaning)? {
        let number = generator.below(1_000_000)
        let seen = items.filter { view.contains($0.name.change) }
        guard !generator.oneIn(3), let item = generator.pick(ofAll: seen, recent: 6) else {
            let title = "Mallory's \(number)"
            return (.add([ItemDraft(title: title)]), .add(fields: [.title: title], quantity: 0))
        }
        if generator.oneIn(3) {
            return (.comment(item.id, "Mallory's \(number)"), .comment(item: item.name, "Mallory's \(number)"))
        }
        let vote: Vote? = generator.oneIn(3) ? .against : .for
        return (.vote([item.id], vote), .vote(item: item.name, vote))
    }

    // MARK: - Signing

    /// - Parameter previous: the change before it in its log, which the past holds.
    func signed(
        _ statement: Statement?, content: [UInt8] = [], previous: Int?, _ generator: inout SeededGenerator
    ) -> SignedChange {
        var covered = EventSet()
        for index in view { covered.formUnion(ledger.entries[index].past) }
        if let previous { covered.insert(previous) }
        let heads = Array(view.subtracting(covered)).suffix(ChangeBounds.headsMax)
        let before = previous.map { ledger.entries[$0].signed.change }
        let lamport = (heads + [previous].compactMap { $0 }).map { ledger.entries[$0].signed.change.lamport }.max()
        let change = Change(
            trip: ledger.trip, replica: author.replica, number: (before?.number ?? 0) + 1,
            previous: previous.map { ledger.entries[$0].hash }, heads: heads.map { ledger.entries[$0].hash }.sorted(),
            subjects: TripContent(content).subjectHashes.sorted(), lamport: (lamport ?? 0) + 1,
            wallTime: Int64(generator.below(1 << 40)), statement: statement,
            salt: Bytes16(high: generator.next(), low: generator.next()), content: content)
        func signed(_ cryptography: some Cryptography) -> SignedChange {
            SignedChange(change, signingSeed: author.secrets.signingSeed, using: cryptography)
        }
        return signed(cryptography)
    }
}
