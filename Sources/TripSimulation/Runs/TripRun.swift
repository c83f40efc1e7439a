import ChangeLog
package import Convergence
import DeltaCRDT
import Sodium
import SyncEngine
import TripModel
import TripRules

/// A plan as real nodes carry it out.
package struct TripRun: SimulatedRun {
    /// What people at one machine see.
    struct Person {
        let participant: Bytes32
        var version: Version
        var shown = Shown()
        /// The version that made what is shown.
        var shownAs: Version
        /// The items that they were ever shown.
        var items: [(name: TripSpecification.Name, id: ItemID)] = []
        var look = Look()
        var forms: Forms = [:]
        var editAsSeen: EditAsSeen?
        /// Their own wish list, as it follows from what they are shown.
        var wishes = WishList()
        /// The changes that they are shown.
        var seen = EventSet()
        /// What they wait for.
        var ticket: UInt64?
        /// Until when they do nothing, for they were told that there is no room.
        var pausedUntil: UInt64 = 0
        /// Added up over the changes that they were shown: equal for equal sets of changes.
        var holding: UInt64 = 0
        /// After how many milliseconds the machine is started again when its next write is cut.
        var downtime: UInt64?
        init(participant: Bytes32, version: Version) {
            (self.participant, self.version, shownAs) = (participant, version, version)
        }
    }

    /// When what was begun ends.
    enum Ending {
        case restart(World.NodeID)
        case unblock(Int)
        case unthrottle(World.NodeID)
        case makeRoom(World.NodeID)
        case unhide(World.NodeID, from: World.NodeID)
        case truth(about: World.NodeID)
        case punctualNames
        case forgetNames(World.NodeID)
        case soundMailbox(TripFault)
        case hand(TripFault, from: World.NodeID, to: World.NodeID, UInt64)
    }

    let conditions: TripConditions
    package let plan: TripPlan
    let isTracing: Bool
    let cryptography: any SessionCryptography
    var world: World
    var ledger: TripLedger
    var specification = TripSpecification()
    var people: [Person] = []
    /// What changes say to the devices of one person alone.
    var ownNotes: [Int: (participant: Bytes32, bytes: [UInt8])] = [:]
    /// The machine of each node of the plan; nil before it comes.
    var machineOf: [World.NodeID?]
    let founding: Founding
    var agenda = EventQueue<Ending>()
    package var outcome = TripOutcome()
    var attacks = Attacks()
    var league: League
    /// What machines' nodes said when they were looked at last.
    var claims: [World.NodeID: Claim] = [:]
    var arrivals = Arrivals()
    var recorder = Recorder()
    var copies = 0
    var removalCount = 0
    /// The machines of those who are out, in the end.
    var expelled: Set<World.NodeID> = []
    var sampleCount = 0
    var nextTicket: UInt64 = 1
    /// Machines that have just heard that somebody is out.
    private var haveHeard: Set<World.NodeID> = []
    /// The devices of which machines' people were told, since the world was looked at, that they write in two places.
    var toldForks: [World.NodeID: Set<ReplicaID>] = [:]
    /// What somebody is doing right now, until its change is seen.
    var deed: (machine: World.NodeID, participant: Bytes32, meaning: TripSpecification.Meaning)?
    private var spare: [Sight] = []

    init(_ plan: TripPlan, _ conditions: TripConditions, isTracing: Bool) {
        self.plan = plan
        self.conditions = conditions
        self.isTracing = isTracing
        cryptography = Self.cryptography(conditions)
        ledger = TripLedger(using: cryptography)
        world = World(seed: plan.seed, cryptography: cryptography)
        world.conditions = conditions.world
        world.mutation = conditions.mutation
        machineOf = Array(repeating: nil, count: conditions.replicas)
        founding = Founding(
            seed: plan.seed, nodes: conditions.replicas, joiners: conditions.joinerCount,
            hasGuests: conditions.hasGuests, hasLeague: conditions.hasLeague, cryptography: cryptography)
        league = League(founding.league)
        if conditions.isApart {
            let prefix = Bytes16(high: SplitMix64.mixed(plan.seed ^ 0xB0), low: SplitMix64.mixed(plan.seed ^ 0xB1))
            world.mailbox = SimulatedMailbox(prefix, using: &world.generator, cryptography)
        }
        world.secrets = SecretSearch(Self.secrets(of: founding))
    }

    package mutating func carryOut(_ step: TripPlan.Step, at place: Int) throws(Violation) {
        try advance(to: step.time)
        try checkArrivals()
        try carryOut(step)
        if place % sampleInterval == 0 { try sample() }
    }

    private var sampleInterval: Int { max(1, plan.steps.count / 1_024) }

    mutating func note(_ text: @autoclosure () -> String, _ kind: Moment.Kind = .network) {
        guard isTracing, outcome.moments.count < 100_000 else { return }
        outcome.moments.append(Moment(time: Int(clamping: world.time), kind: kind, text: text()))
    }

    mutating func happened(_ fault: TripFault) { outcome.faults[fault, default: 0] += 1 }

    // MARK: - Beginning

    package mutating func begin() throws(Violation) {
        for node in plan.nodes where conditions.isMember(node) { try arrive(node) }
    }

    // MARK: - Time

    mutating func advance(to time: UInt64) throws(Violation) {
        while true {
            let next = min(time, agenda.nextTime ?? .max)
            while world.step(until: next) {
                if !world.sights.isEmpty { try drain() }
            }
            guard let due = agenda.nextTime, due <= time, let (_, ending) = agenda.next() else { return }
            try end(ending)
        }
    }

    /// Looks at what happened in the world, and checks it.
    mutating func drain() throws(Violation) {
        while !world.sights.isEmpty {
            spare.removeAll(keepingCapacity: true)
            swap(&spare, &world.sights)
            for sight in spare { try look(at: sight) }
        }
        toldForks = [:]
        guard !haveHeard.isEmpty else { return }
        for id in haveHeard.sorted() {
            try checkOut(id)
            if world.machines.count <= Self.wholeGroupMax { try checkAuthors(id) }
        }
        haveHeard = []
    }

    private mutating func look(at sight: Sight) throws(Violation) {
        switch sight {
        case .took(let id, let changes, let source):
            let known = ledger.entries.count
            try ledger.took(id, changes, from: source, at: world.time)
            try checkForks(begunBy: changes, on: id)
            outcome.mix(world.time << 16 ^ UInt64(id))
            for change in changes {
                outcome.mix(change.hash.words.0)
                if change.change.statement != nil { haveHeard.insert(id) }
            }
            noteUnknown(changes, on: id)
            if let deed, deed.machine == id, ledger.entries.count == known + 1, changes.count == 1 {
                try specify(deed.meaning, by: deed.participant, changes[0], known, on: id)
            }
        case .durable(let id, let changes):
            try ledger.durable(id, changes)
            noteActs(changes, durableOn: id)
            outcome.mix(world.time << 16 ^ UInt64(id) ^ UInt64(changes.count) << 8)
        case .authored(let id, let ticket, let result): try heard(id, ticket, result)
        case .applied(let id, let changes):
            for change in changes { try show(change, on: id) }
            try checkBalances(after: changes.map(\.hash), on: id)
        case .rebuilt(let id): try showAnew(id)
        case .started(let id): try started(id)
        case .startFailed(let id, let failure):
            throw Violation(.damageIsNoticed, "machine \(id) does not start after a full disk: \(failure)")
        case .stopped(let id): stopped(id)
        case .writeFailed(let id):
            people[id].ticket = nil
            people[id].pausedUntil = world.time + 1_500
            happened(.fullDisk)
            note("machine \(id)'s disk is full: what it wrote is not done")
        case .notice(let id, let notice):
            noticed(notice, by: id)
            if case .met(let device, _) = notice { try checkMeeting(device, by: id) }
            if case .forked(let device) = notice { try checkFork(told: device, by: id) }
            if case .misbehaved(let what, _) = notice { try checkMisbehaviour(what, by: id) }
        case .secretSeen(let id):
            throw Violation(.nothingInTheClear, "machine \(id) sends a key, a name or a text that all can read")
        case .posted(let id, let slot, let bytes): try checkPosted(bytes, in: slot, by: id)
        case .outsiderHeard(let connection, let bytes): try outsiderHeard(bytes, on: connection)
        case .outsiderCut(let connection): outsiderCut(connection)
        }
    }

    private mutating func specify(
        _ meaning: TripSpecification.Meaning, by participant: Bytes32, _ signed: SignedChange, _ index: Int,
        on id: World.NodeID
    ) throws(Violation) {
        deed = nil
        let past = ledger.entries[index].past
        let namesAll = signed.change.heads.count < ChangeBounds.headsMax
        if namesAll, let missing = people[id].seen.subtracting(past).first(where: { $0 != index }) {
            throw Violation(.specification, "machine \(id) writes change \(index) as if it had not shown \(missing)")
        }
        let pending = ledger.pending(on: id)
        var shown = people[id].seen.subtracting(pending.subtracting(whole(pending, on: id)))
        var upheld = EventSet()
        if meaning.asksWhatIsThere {
            let (effective, makers) = shownByRules(id)
            upheld = makers.subtracting(pending)
            // What is upheld and makes no item or list does nothing.
            for other in shown.subtracting(effective).subtracting(makers).subtracting(pending)
            where isUpheld(other, on: id) {
                shown.remove(other)
            }
        }
        specification.add(
            TripSpecification.Act(
                change: index, participant: participant, meaning: meaning, past: past,
                lamport: signed.change.lamport, hash: signed.hash), shown: shown, upheld: upheld,
            as: people[id].version)
        if meaning.isOwn, let bytes = TripContent(signed.change.content).ownNotes.first {
            ownNotes[index] = (participant, bytes)
        }
        if case .edit(let item, _, let shown) = meaning, !shown.isEmpty {
            people[id].editAsSeen = EditAsSeen(hash: signed.hash, item: item, shown: shown)
        }
    }

    private mutating func heard(
        _ id: World.NodeID, _ ticket: UInt64, _ result: Result<Bytes32, WritingFailure>
    ) throws(Violation) {
        if people[id].ticket == ticket { people[id].ticket = nil }
        switch result {
        case .success(let hash):
            try ledger.acknowledged(id, hash)
            outcome.checks[.durability, default: 0] += 1
            outcome.actionCount += 1
        case .failure(.out), .failure(.notAdmitted): note("machine \(id) is out, and may not write")
        case .failure(let refusal):
            throw Violation(.liveness, "node \(id) may not write: \(refusal)")
        }
    }

    private mutating func noticed(_ notice: Notice, by id: World.NodeID) {
        switch notice {
        case .misbehaved(let what, _): note("machine \(id) refuses: \(what)")
        case .acknowledged, .writing: break
        case .admitted: note("machine \(id) is let in")
        case .askedThroughMailbox: note("machine \(id) asks through the mailbox")
        case .joinRefused(let refusal): note("machine \(id) is not let in: \(refusal)")
        case .forked: note("machine \(id) sees a fork")
        case .removed(let participants):
            for participant in participants {
                let other = name(of: participant)
                note("machine \(id) hears that \(other) is out")
            }
        case .reached(let bound): note("machine \(id) reaches a bound: \(bound.rawValue)")
        case .met(let device, _):
            let other = number(of: device)
            note("machine \(id) meets \(other)")
        case .parted(let device):
            let other = number(of: device)
            note("machine \(id) and \(other) part")
        case .moved(let device, _):
            let other = number(of: device)
            note("machine \(id) hears where \(other) is reached")
        }
    }

    /// The first machine that bears a device's keys; −1 for a hostile member's.
    private func number(of device: Device) -> World.NodeID {
        ledger.holders.firstIndex { $0.replica == device.replica } ?? -1
    }

    /// The first machine of a participant, as other lines name it.
    private func name(of participant: Bytes32) -> String {
        people.firstIndex { $0.participant == participant }.map { "machine \($0)" } ?? "the hostile member"
    }

    // MARK: - What people do

    /// What a person does next, or a guest of theirs, until it is theirs to see that it is done.
    mutating func write(
        _ content: [UInt8], _ meaning: TripSpecification.Meaning, as guest: Device? = nil, on id: World.NodeID
    ) {
        let ticket = nextTicket
        nextTicket += 1
        people[id].ticket = ticket
        deed = (id, guest?.participant ?? people[id].participant, meaning)
        world.write(content: content, as: guest?.replica, ticket: ticket, on: id)
    }

    // MARK: - What people see

    private mutating func show(_ change: AppliedChange, on id: World.NodeID) throws(Violation) {
        if let (law, what) = ledger.forbidden[change.hash] { throw Violation(law, "machine \(id) shows \(what)") }
        let version = people[id].shownAs
        let isDropped = conditions.mutation == .droppedNeighbours && version.misses(change.content)
        let isBlind = conditions.mutation == .skippedRemoves || conditions.mutation == .partialSight && id == 1
        if isDropped || isBlind && isRemove(change) {
            people[id].shown.pass(over: change)
            return
        }
        let unseen = unseen(by: change, on: id)
        if conditions.mutation?.isOfContent ?? false {
            people[id].shown.apply(change, as: faulty(change, on: id))
        } else {
            people[id].shown.apply(change, as: version)
        }
        try note(shown: change.hash, on: id)
        if let unseen { try check(unseen, on: id) }
    }

    private mutating func note(shown hash: Bytes32, on id: World.NodeID) throws(Violation) {
        people[id].holding &+= SplitMix64.mixed(hash.words.0)
        guard let index = ledger.indexOf[hash] else { return }
        people[id].seen.insert(index)
        try noteWishes(index, on: id)
        // While its last change is not written down yet, it may know more than is noted here; all is checked after that.
        let isNoted = world.machines[id].node.log.graph.changes.last.flatMap { ledger.indexOf[$0.hash] }
            .map { ledger.holders[id].held.contains($0) }
        if ledger.holders[id].outside.contains(index), isNoted == true, !isUpheld(index, on: id),
            !ledger.pending(on: id).contains(index)
        {
            throw outcastShown(index, on: id)
        }
        for item in specification.items(madeBy: index, to: people[id].shownAs) {
            people[id].items.append((item, ItemID(change: ChangeHash(hash), index: OperationIndex(item.index))))
        }
    }

    private func isRemove(_ change: AppliedChange) -> Bool {
        ledger.indexOf[change.hash].map { specification.removers.contains($0) } ?? false
    }

    /// Shows all that is effective at a machine's node.
    /// - Parameter fromScratch: whether nothing that was shown before is gone on from.
    mutating func showAnew(_ id: World.NodeID, fromScratch: Bool = false) throws(Violation) {
        if conditions.mutation == .ignoredRebuild, !people[id].items.isEmpty { return }
        let node = world.machines[id].node
        let showsAll = conditions.mutation == .shownOutcasts
        let indices = node.log.graph.changes.indices.filter {
            node.isShown($0) && (conditions.mutation != .goneWithMaker || node.log.isEffective($0))
                || showsAll && node.log.isRetained($0)
        }
        people[id].holding = 0
        people[id].items = []
        people[id].wishes = WishList()
        people[id].seen = EventSet()
        if fromScratch {
            people[id].shown = Shown()
            people[id].shownAs = people[id].version
        }
        let count = people[id].shown.goBack(in: node, indices)
        for index in indices.prefix(count) {
            try note(shown: node.log.graph.changes[index].hash, on: id)
        }
        for index in indices.dropFirst(count) { try show(node.applied(index), on: id) }
        try checkBalances(after: indices.dropFirst(count).map { node.log.graph.changes[$0].hash }, on: id)
    }
}
