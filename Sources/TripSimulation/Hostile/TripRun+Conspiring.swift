import ChangeLog
import Convergence
import DeltaCRDT
import SyncEngine
import TripModel
import TripRules

// Members in league, who write what they like and choose who hears of it.
extension TripRun {
    /// - Parameters:
    ///   - id: whose changes they have just heard, and who is told with more than even odds.
    ///   - other: another who is told with more than even odds.
    mutating func conspire(_ fault: TripFault, _ id: World.NodeID, _ other: World.NodeID, _ draw: UInt64) {
        guard world.machines[id].isRunning else { return }
        var generator = SeededGenerator(seed: draw)
        ledger.isCrafted = true
        league.hear(ledger.durable(on: id))
        if fault == .retoldChange {
            guard let index = generator.pick(ofAll: Array(league.known), recent: 40) else { return }
            tell([index], near: id, other, fault, &generator)
            return
        }
        guard league.crafted.count < League.craftedMax,
            let index = craft(near: id, hasBody: fault == .withheldBody, &generator)
        else { return }
        league.note(index)
        let told = isTracing ? ledger.told(index) : ""
        note("members in league write \(told)")
        tell([index], near: id, other, fault, &generator)
    }

    /// Tells some nodes a change with what they lack of its past.
    private mutating func tell(
        _ indices: [Int], near id: World.NodeID, _ other: World.NodeID, _ fault: TripFault,
        _ generator: inout SeededGenerator
    ) {
        for target in world.machines.indices where world.machines[target].isRunning {
            // Who is named is told mostly, and nobody else half of the time.
            let odds: UInt64 = target == id || target == other ? 5 : 2
            guard generator.below(6) < odds else { continue }
            tell(indices, to: target, fault, &generator)
        }
    }

    private mutating func tell(
        _ indices: [Int], to target: World.NodeID, _ fault: TripFault, _ generator: inout SeededGenerator
    ) {
        let log = world.machines[target].node.log
        // Only somebody who is in there is listened to.
        guard let speaker = league.members.first(where: { !$0.isGuest && log.isIn($0.replica) }) else { return }
        var told = EventSet()
        for index in indices {
            told.formUnion(ledger.entries[index].past)
            told.insert(index)
        }
        let missing = told.filter { log.graph.index(of: ledger.entries[$0].hash) == nil || indices.contains($0) }
        guard missing.count <= League.toldMax else { return }
        let isWithheld = fault == .withheldBody && generator.oneIn(2) || generator.oneIn(8)
        let records = missing.map { index in
            let signed = ledger.entries[index].signed
            return isWithheld && indices.contains(index) ? signed.head : signed.record
        }
        let speeches =
            generator.oneIn(3) ? records.map { [$0] } : [records]
        guard
            speak(
                speeches.map { .message(Message.changes($0).encoding) }, to: target, as: speaker.secrets, &generator)
        else { return }
        happened(isWithheld ? .withheldBody : fault)
        note("and tell machine \(target)\(isWithheld ? ", without its body" : "")")
    }

    // MARK: - What they write

    /// A change of one of them, on some of what they know; nil where there is nothing of the kind.
    private mutating func craft(near id: World.NodeID, hasBody: Bool, _ generator: inout SeededGenerator) -> Int? {
        let introduced = league.members.filter { member in
            ledger.admissions[member.replica]?.contains { league.known.contains($0) } ?? false
        }
        guard let author = generator.pick(ofAll: introduced, recent: 6) else { return nil }
        var view = past(near: id, &generator)
        let own = league.known.filter { ledger.entries[$0].replica == author.replica }
        // Mostly on what they wrote last, else beside something that they wrote.
        var previous = generator.oneIn(4) ? generator.pick(ofAll: own, recent: 8) : own.last
        if generator.oneIn(10) { previous = nil }
        if let previous { include(previous, in: &view) }
        let admissions = ledger.admissions[author.replica] ?? []
        if !admissions.contains(where: { view.contains($0) }) {
            guard let admission = admissions.first(where: { league.known.contains($0) }) else { return nil }
            include(admission, in: &view)
        }
        let crafter = Crafter(ledger: ledger, league: league, view: view, author: author, cryptography: cryptography)
        if !author.isGuest, !(hasBody && generator.oneIn(2)), !generator.oneIn(6),
            let statement = statement(by: crafter, hasBody: hasBody, &generator)
        {
            return register(crafter.signed(statement, previous: previous, &generator))
        }
        return craftContent(crafter, previous, on: id, &generator)
    }

    /// All that is known, or some of it.
    private func past(near id: World.NodeID, _ generator: inout SeededGenerator) -> EventSet {
        var view = EventSet()
        if generator.oneIn(3) { view = ledger.durable(on: id) }
        let known = Array(league.known)
        let statements = known.filter { ledger.entries[$0].statement != nil }
        for _ in 0..<generator.number(in: 1...3) {
            let pool = generator.oneIn(2) ? statements : known
            if let index = generator.pick(ofAll: pool, recent: 10) { include(index, in: &view) }
        }
        return view
    }

    private func include(_ index: Int, in view: inout EventSet) {
        view.formUnion(ledger.entries[index].past)
        view.insert(index)
    }

    private mutating func register(_ change: SignedChange) -> Int {
        ledger.register(change, author: -1, at: world.time)
    }

    private mutating func statement(
        by crafter: Crafter, hasBody: Bool, _ generator: inout SeededGenerator
    ) -> Statement? {
        if !hasBody, generator.oneIn(12), let statement = admissionOfJoiner(crafter, &generator) { return statement }
        guard let crafted = crafter.statement(hasBody: hasBody, &generator) else { return nil }
        if let invented = crafted.invented, league.member(invented.replica) == nil {
            guard league.mayInvent else { return nil }
            league.invent(invented.secrets, isGuest: invented.isGuest)
        }
        return crafted.statement
    }

    /// Somebody with the founder's link asked one of them, who heard the consent.
    private func admissionOfJoiner(_ crafter: Crafter, _ generator: inout SeededGenerator) -> Statement? {
        let joiners = machineOf.indices.filter { machineOf[$0] != nil && !conditions.isMember($0) }
        guard let node = generator.pick(ofAll: joiners, recent: 8) else { return nil }
        return crafter.admission(
            of: founding.secrets[node], named: "Person \(node)", by: founding.linkInvite)
    }

    /// Adds something, or votes for or comments on what others added.
    private mutating func craftContent(
        _ crafter: Crafter, _ previous: Int?, on id: World.NodeID, _ generator: inout SeededGenerator
    ) -> Int? {
        guard let (action, meaning) = crafter.content(on: people[id].items, &generator),
            let content = try? people[id].shown.replica.perform(
                action, by: ParticipantID(crafter.author.participant))
        else { return nil }
        let signed = crafter.signed(nil, content: content, previous: previous, &generator)
        let count = ledger.entries.count
        let index = register(signed)
        guard index == count else { return index }
        specification.add(
            TripSpecification.Act(
                change: index, participant: crafter.author.participant, meaning: meaning,
                past: ledger.entries[index].past, lamport: signed.change.lamport, hash: signed.hash),
            shown: ledger.entries[index].past)
        return index
    }
}

extension SeededGenerator {
    /// One of some, mostly of the last few; nil where there are none.
    mutating func pick<Element>(ofAll elements: [Element], recent: Int) -> Element? {
        guard !elements.isEmpty else { return nil }
        let some = oneIn(3) ? elements[...] : elements.suffix(recent)
        return some[some.startIndex + Int(below(UInt64(some.count)))]
    }
}

extension TripLedger {
    /// What is durable on a machine's disk.
    func durable(on id: World.NodeID) -> EventSet {
        var durable = EventSet()
        for index in holders[id].held where isDurable(index, on: id) { durable.insert(index) }
        return durable
    }

    /// What a change says, for a trace.
    func told(_ index: Int) -> String {
        let entry = entries[index]
        func person(_ participant: Bytes32) -> String {
            String(
                describing: admissions.values.joined().first { change in
                    if case .admit(let admission) = entries[change].statement {
                        admission.device.participant == participant
                    } else {
                        false
                    }
                }.map { "the person of \($0)" } ?? "the founder")
        }
        let what =
            switch entry.statement {
            case nil: "content"
            case .found: "a founding"
            case .invite(let invite): "an opening for \(invite.uses)"
            case .closeInvite: "a closing"
            case .admit(let admission): "an admission of \(person(admission.device.participant))"
            case .remove(let participant, let kept, _):
                "a removal of \(person(participant))" + (kept.map { ", which keeps \($0.count)" } ?? "")
            case .beginEpoch: "an epoch"
            case .grant: "a grant"
            case .end(_, let last, _): "an end of a device" + (last == nil ? "" : " as of a change")
            }
        let links = entry.dependencies.map(String.init).joined(separator: ", ")
        let author = devices[entry.replica].map { person($0.participant) } ?? "somebody"
        return "\(index): \(what) by \(author), on \(links)"
    }
}
