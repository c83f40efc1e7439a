import ChangeLog
import SyncEngine
import TripModel
import TripRules
import TripService

// The trip as people see it follows the log.
extension TripNode {
    /// Shows changes that came, and tells whoever listens what they did.
    func show(_ changes: [AppliedChange]) {
        followMembership()
        noteRegained()
        takeWaiting()
        for change in changes {
            let said = change.tripChange()
            let entry = said.flatMap { trip.apply($0) }
            if let said, noteWishes(said.content, by: change) { tellWatchers(.own) }
            if let entry, node.writes(change.replica) { lastOwn = (change.hash, entry) }
            if isWatched, said?.content.hasUnknown ?? false {
                tellWatchers(.needsNewer(name: name(of: change.participant)))
            }
            if entry?.changesPhotos ?? false { lookForPhotos() }
            for entry in [entry, membershipEntry(change)].compactMap({ $0 }) {
                recent.note(entry)
                if isWatched { tellWatchers(.changed(view(of: [entry]))) }
            }
        }
    }

    /// Shows what follows from these changes' counting, or counting no more. Where they say who is in and nothing else, that is
    /// all that is looked at. Else what was shown is forgotten, and all that counts is shown anew: at once, or where that was done
    /// a moment ago, soon. What comes until then is shown beside what was.
    func rebuild(for places: [Int]) {
        let log = node.log
        let speaks = places.contains { !log.graph[$0].change.content.isEmpty || !log.graph[$0].isWhole }
        if !speaks, showStatements(at: places) { return }
        guard let rest = rebuildPace.ask(at: .now) else { return }
        guard rest > .zero else { return showAnew() }
        Task { [weak self] in
            try? await Task.sleep(for: rest)
            await self?.finishRebuilding()
        }
    }

    /// Shows that statements count, or count no more.
    /// - Returns: whether the last of the history are still known then.
    private func showStatements(at places: [Int]) -> Bool {
        followMembership()
        for place in places {
            let change = node.applied(place)
            guard let entry = membershipEntry(change) else { continue }
            recent.forget(entry.stamp)
            if node.isShown(place) { recent.note(entry) }
        }
        guard recent.isComplete else { return false }
        tellWatchers(.membership)
        return true
    }

    /// Shows all anew where that is due.
    func finishRebuilding() {
        if rebuildPace.isDue { showAnew() }
    }

    private func showAnew() {
        let began = ContinuousClock.now
        showAll()
        noteRegained()
        takeWaiting()
        lookForPhotos()
        tellWatchers(.rebuilt)
        rebuildPace.note(from: began, to: .now)
    }

    /// Shows all changes of the log that count, from nothing.
    func showAll() {
        trip = LiveTrip(admittedNames: trip.admittedNames)
        recent = RecentHistory()
        wishes = KeptWishes()
        followMembership()
        // A copy of the node, once: an actor's own would be copied for each change.
        let node = node
        for place in node.log.graph.changes.indices where node.isShown(place) {
            let change = node.applied(place)
            let said = change.tripChange()
            if let said { noteWishes(said.content, by: change) }
            for entry in [said.flatMap { trip.apply($0) }, membershipEntry(change)].compactMap({ $0 }) {
                recent.note(entry)
            }
        }
    }

    /// Notes who was admitted, by what name, and who is out, and tells the people here once if they are.
    func followMembership() {
        followNames()
        guard node.log.hasRemovals || node.log.isOut(node.secrets.device.replica) else { return }
        trip.outside = Set(node.log.peopleOutside.map { ParticipantID($0) })
        trip.waiting = Set(node.log.peopleWaiting.map { ParticipantID($0) })
        let removal = ownRemoval
        guard removal != toldRemoval else { return }
        toldRemoval = removal
        if let removal { tellWatchers(.youAreOut(removal)) }
    }

    /// How this device, or its person, came to be out; nil while it is in.
    var ownRemoval: RemovalView? { node.ownDeparture.map { view(of: $0, for: node.secrets.device.participant) } }

    /// Whether this device is out, and its person doesn't wait to be kept.
    var isOut: Bool { node.ownDeparture.map { $0.waitsFor == nil } ?? false }

    /// Who has to keep this device's person; nil unless they wait.
    var waitsFor: String? { ownRemoval?.waiting?.keeper }

    /// How somebody went out; nil while they are in.
    func removal(of participant: Bytes32) -> RemovalView? {
        node.log.departure(of: participant).map { view(of: $0, for: participant) }
    }

    private func view(of departure: TripLog.Departure, for participant: Bytes32) -> RemovalView {
        let reason: RemovalView.Reason =
            switch departure.reason {
            case .removed: .removed
            case .left: .left
            case .deviceEnded: .deviceEnded
            }
        return RemovalView(
            reason, by: departure.by == participant ? nil : name(of: departure.by), at: departure.wallTime,
            waiting: departure.waitsFor.map { host in
                .init(host: ownName(of: host), keeper: departure.keeper.map { name(of: $0) } ?? "somebody")
            })
    }

    // MARK: - Names

    /// The name that nobody else is shown under.
    func name(of participant: Bytes32) -> String {
        followNames()
        return trip.displayName(of: ParticipantID(participant))
    }

    /// What somebody calls themselves, though others do too.
    func ownName(of participant: Bytes32) -> String {
        trip.givenName(of: ParticipantID(participant)) ?? Self.shown(node.log.person(participant)?.name)
    }

    /// Notes the names in the admissions that came. O(1) where none did.
    private func followNames() {
        guard namedVersion != node.log.membershipVersion else { return }
        namedVersion = node.log.membershipVersion
        let names = node.log.people.map { (ParticipantID($0.id), Self.shown($0.name)) }
        trip.admittedNames = Dictionary(uniqueKeysWithValues: names)
    }

    /// The name that was given with a device when it came; nil where nobody let it in any more.
    func admittedName(of device: Device) -> String? {
        guard let place = node.log.admission(of: device.replica) else { return nil }
        switch node.log.graph[place].change.statement {
        case .admit(let admission): return admission.name
        case .found(_, let name, _): return name
        case .invite, .closeInvite, .remove, .beginEpoch, .grant, .end, nil: return nil
        }
    }

    /// Whose device it is.
    func name(of device: Device) -> String {
        if device.participant == node.secrets.device.participant, device != node.secrets.device {
            return "your device “\(Self.shown(admittedName(of: device)))”"
        }
        return name(of: device.participant)
    }

    /// A name that its bearer gave before any rule of the trip looked at it, as people are shown it.
    static func shown(_ name: String?) -> String { name.flatMap { try? checked(name: $0) } ?? "somebody" }
}
