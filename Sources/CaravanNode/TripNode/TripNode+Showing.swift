import ChangeLog
import SyncEngine
import TripModel
import TripRules
import TripService

// The trip as people see it follows the log.
extension TripNode {
    /// Shows new changes, and tells listeners what the changes did.
    func show(_ changes: [AppliedChange]) {
        followMembership()
        noteRegained()
        takeWaiting()
        var (hasNews, closes) = (false, false)
        for change in changes {
            let said = change.tripChange()
            let entry = said.flatMap { trip.apply($0) }
            if let said { noteSealedAnswers(said.content, by: change) }
            if let said, noteWishes(said.content, by: change) { tellWatchers(.own) }
            if let entry, noteNews(entry, of: change, in: node) { hasNews = true }
            if said?.content.closesQuestion ?? false { closes = true }
            if let entry, node.writes(change.replica) { lastOwn = (change.hash, entry) }
            if isWatched, said?.content.hasUnknown ?? false {
                tellWatchers(.needsNewer(name: reader.name(of: change.participant)))
            }
            if entry?.changesPhotos ?? false { lookForPhotos() }
            for entry in [entry, membershipEntry(change)].compactMap({ $0 }) {
                recent.note(entry)
                if isWatched { tellWatchers(.changed(view(of: [entry]))) }
            }
        }
        if closes { revealSoon() }
        if hasNews { tellWatchers(.own) }
    }

    /// Updates the view after these changes started or stopped counting. If they hold only statements, only those are read.
    /// Otherwise the view is rebuilt from all changes that count: at once, or soon if it was rebuilt a moment ago. Until then,
    /// new changes are shown together with the old view.
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

    /// Updates the view after statements started or stopped counting.
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

    /// Rebuilds the view if that is due.
    func finishRebuilding() {
        if rebuildPace.isDue { showAnew() }
    }

    private func showAnew() {
        let began = ContinuousClock.now
        showAll()
        revealSoon()
        noteRegained()
        takeWaiting()
        lookForPhotos()
        tellWatchers(.rebuilt)
        rebuildPace.note(from: began, to: .now)
    }

    /// Builds the view from all changes of the log that count.
    func showAll() {
        trip = LiveTrip(admittedNames: trip.admittedNames)
        recent = RecentHistory()
        wishes = KeptWishes()
        news = TripNews()
        followMembership()
        // A copy of the node, once: an actor's own would be copied for each change.
        let node = node
        for place in node.log.graph.changes.indices where node.isShown(place) {
            let change = node.applied(place)
            let said = change.tripChange()
            if let said {
                noteWishes(said.content, by: change)
                noteSealedAnswers(said.content, by: change)
            }
            let entry = said.flatMap { trip.apply($0) }
            if let entry { _ = noteNews(entry, of: change, in: node) }
            for entry in [entry, membershipEntry(change)].compactMap({ $0 }) { recent.note(entry) }
        }
    }

    /// Notes who was admitted, by what name, and who is out, and tells the people here once if they are.
    func followMembership() {
        followNames()
        shareWishesWithNewDevices()
        guard node.log.hasRemovals || node.log.isOut(node.secrets.device.replica) else { return }
        trip.outside = Set(node.log.peopleOutside.map { ParticipantID($0) })
        trip.waiting = Set(node.log.peopleWaiting.map { ParticipantID($0) })
        let removal = ownRemoval
        guard removal != toldRemoval else { return }
        toldRemoval = removal
        if let removal { tellWatchers(.youAreOut(removal)) }
    }

    /// How this device, or its person, was removed or left; nil while it is in.
    var ownRemoval: RemovalView? { node.ownDeparture.flatMap { _ in reader.ownRemoval } }

    /// Whether this device is out, and its person doesn't wait to be kept.
    var isOut: Bool { node.ownDeparture.map { $0.waitsFor == nil } ?? false }

    func view(of entries: [HistoryEntry]) -> HistoryView {
        HistoryView(entries: entries, names: trip.names(of: entries))
    }

    /// What a change did with who is in; nil for one that people need not hear of.
    private func membershipEntry(_ change: AppliedChange) -> HistoryEntry? {
        guard change.signed.change.statement != nil else { return nil }
        let log = node.log
        return HistoryEntry(ofMembership: change, in: log) { participant in
            trip.givenName(of: ParticipantID(participant)) ?? TripLog.shown(log.person(participant)?.name)
        }
    }

    // MARK: - Names

    /// What is known now of people and devices.
    var reader: TripReader {
        followNames()
        return TripReader(node: node, names: trip.displayNames)
    }

    /// Notes the names in new admissions. O(1) if there are none.
    private func followNames() {
        guard namedVersion != node.log.membershipVersion else { return }
        namedVersion = node.log.membershipVersion
        let names = node.log.people.map { (ParticipantID($0.id), TripLog.shown($0.name)) }
        trip.admittedNames = Dictionary(uniqueKeysWithValues: names)
    }
}
