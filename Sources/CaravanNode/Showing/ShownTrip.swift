import ChangeLog
import DeltaCRDT
import Sodium
import SyncEngine
import TripModel
import TripRules
import TripService

/// The trip as the people here see it. It follows the log: a change is shown once it counts, and all are shown again where changes
/// count no more.
///
/// It tells nobody of it and starts nothing: its outcomes say what is to be done.
struct ShownTrip: Sendable {
    /// What follows from what is shown now. Outcomes are carried out in order.
    enum Outcome: Sendable {
        /// Those who listen are told.
        case tell(TripEvent)
        /// Photos came to an item, or went: their chunks are looked for.
        case lookForPhotos
        /// A question was closed: answers of the people here may be revealed now.
        case reveal
        /// A device of this person has come that can't read their wish list: all of it is written again.
        case writeAllWishes
    }

    /// What people read. A reading builds what it needs, so it changes this.
    var trip = LiveTrip()
    /// This device's person's wish list.
    var wishes = KeptWishes()
    /// The last change that was written here, by this device's person or a guest, and its effect.
    var lastOwn: (hash: Bytes32, entry: HistoryEntry)?
    private(set) var recent = RecentHistory()
    private var news = TripNews()
    /// The membership whose names the trip has.
    private var namedVersion = -1
    /// How this device's person left the trip or was removed, as far as the people here were told.
    private var toldRemoval: RemovalView?
    private let cryptography: SodiumCryptography

    init(cryptography: SodiumCryptography) { self.cryptography = cryptography }

    // MARK: - Following the log

    /// Shows new changes.
    ///
    /// - Parameters:
    ///   - seen: what this device's person saw of what others did.
    ///   - isWatched: whether anybody listens. If not, no events are made.
    mutating func show(
        _ changes: [AppliedChange], in node: SyncNode, seen: SeenChanges?, isWatched: Bool
    ) -> [Outcome] {
        var outcomes: [Outcome] = []
        var (hasNews, closes) = (false, false)
        for change in changes {
            let said = change.tripChange()
            let entry = said.flatMap { trip.apply($0) }
            if let content = said?.content {
                if noteOwn(content, by: change, in: node) { outcomes.append(.tell(.own)) }
                if content.closesQuestion { closes = true }
                if isWatched, content.hasUnknown {
                    outcomes.append(.tell(.needsNewer(name: reader(node).name(of: change.participant))))
                }
            }
            if let entry, noteNews(entry, of: change, in: node, seen: seen) { hasNews = true }
            if let entry, node.writes(change.replica) { lastOwn = (change.hash, entry) }
            if entry?.changesPhotos ?? false { outcomes.append(.lookForPhotos) }
            for entry in [entry, membershipEntry(change, in: node.log)].compactMap({ $0 }) {
                recent.note(entry)
                if isWatched { outcomes.append(.tell(.changed(view(of: [entry])))) }
            }
        }
        if closes { outcomes.append(.reveal) }
        if hasNews { outcomes.append(.tell(.own)) }
        return outcomes
    }

    /// Follows statements that started or stopped counting.
    ///
    /// - Returns: `isEnough` is false if all has to be shown again, because content is among them, or too little of the history is left.
    mutating func follow(statementsAt indices: [Int], in node: SyncNode) -> (outcomes: [Outcome], isEnough: Bool) {
        let graph = node.log.graph
        guard indices.allSatisfy({ graph[$0].change.content.isEmpty && graph[$0].isWhole }) else { return ([], false) }
        var outcomes = followMembership(in: node)
        for index in indices {
            guard let entry = membershipEntry(node.applied(index), in: node.log) else { continue }
            recent.forget(entry.stamp)
            if node.isShown(index) { recent.note(entry) }
        }
        if recent.isComplete { outcomes.append(.tell(.membership)) }
        return (outcomes, recent.isComplete)
    }

    /// Shows all changes of the log that count, from nothing.
    mutating func showAll(in node: SyncNode, seen: SeenChanges?) -> [Outcome] {
        trip = LiveTrip(admittedNames: trip.admittedNames)
        recent = RecentHistory()
        wishes = KeptWishes()
        news = TripNews()
        let outcomes = followMembership(in: node)
        for index in node.log.graph.changes.indices where node.isShown(index) {
            let change = node.applied(index)
            let said = change.tripChange()
            if let content = said?.content { _ = noteOwn(content, by: change, in: node) }
            let entry = said.flatMap { trip.apply($0) }
            if let entry { _ = noteNews(entry, of: change, in: node, seen: seen) }
            for entry in [entry, membershipEntry(change, in: node.log)].compactMap({ $0 }) { recent.note(entry) }
        }
        return outcomes
    }

    /// Notes who was admitted, by what name, and who is out, and tells the people here once if they are.
    mutating func followMembership(in node: SyncNode) -> [Outcome] {
        followNames(in: node.log)
        var outcomes: [Outcome] = []
        let own = node.secrets.device
        if wishes.lacksReaders(among: node.log.person(own.participant)?.devices.count ?? 0) {
            outcomes.append(.writeAllWishes)
        }
        guard node.log.hasRemovals || node.log.isOut(own.replica) else { return outcomes }
        trip.outside = Set(node.log.peopleOutside.map { ParticipantID($0) })
        trip.waiting = Set(node.log.peopleWaiting.map { ParticipantID($0) })
        let removal = node.ownDeparture.flatMap { _ in reader(node).ownRemoval }
        guard removal != toldRemoval else { return outcomes }
        toldRemoval = removal
        if let removal { outcomes.append(.tell(.youAreOut(removal))) }
        return outcomes
    }

    /// Notes the names in new admissions. O(1) if there are none.
    private mutating func followNames(in log: TripLog) {
        guard namedVersion != log.membershipVersion else { return }
        namedVersion = log.membershipVersion
        let names = log.people.map { (ParticipantID($0.id), TripLog.shown($0.name)) }
        trip.admittedNames = Dictionary(uniqueKeysWithValues: names)
    }

    /// What a change did with who is in; nil for one that people need not hear of.
    private func membershipEntry(_ change: AppliedChange, in log: TripLog) -> HistoryEntry? {
        HistoryEntry(ofMembership: change, in: log) { participant in
            trip.givenName(of: ParticipantID(participant)) ?? TripLog.shown(log.person(participant)?.name)
        }
    }

    // MARK: - Notes to this person's own devices

    /// What a note says to this device; nil where it can't read it.
    func opened(_ note: [UInt8], by secrets: DeviceSecrets) -> (content: [UInt8], readers: Int)? {
        OwnNote.open(note, with: secrets.agreementSecret, using: cryptography)
    }

    /// Takes what this device's person told their own devices: what they answered in secret, so that it can be shown here and revealed
    /// later, and changes of their wish list.
    /// - Returns: whether the wish list is another one now.
    private mutating func noteOwn(_ content: TripContent, by change: AppliedChange, in node: SyncNode) -> Bool {
        guard change.participant == node.secrets.device.participant else { return false }
        for sealed in content.sealedAnswers {
            guard let note = opened(sealed.note, by: node.secrets),
                let revealed = RevealedAnswer(note: note.content)
            else { continue }
            trip.ownAnswers[sealed.commitment] = revealed
        }
        var isNews = false
        for note in content.ownNotes.compactMap({ opened($0, by: node.secrets) }) {
            if wishes.take(note.content, readers: note.readers) { isNews = true }
        }
        return isNews
    }

    // MARK: - What this device's person did not see yet

    /// Notes what a change did, where that is news. O(its events).
    /// - Returns: whether there is something new for the person here.
    private mutating func noteNews(
        _ entry: HistoryEntry, of change: AppliedChange, in node: SyncNode, seen: SeenChanges?
    ) -> Bool {
        guard let seen, change.index >= seen.end else { return false }
        let items = entry.itemsToSee
        guard !items.isEmpty, isNews(change, in: node) else { return false }
        news.note(items, at: change.index)
        return true
    }

    /// Whether somebody else wrote a change, and the member who admitted this device did not have it: what they had is part of the trip
    /// that its person came to.
    private func isNews(_ change: AppliedChange, in node: SyncNode) -> Bool {
        let own = node.secrets.device
        guard change.participant != own.participant, let admission = node.log.admission(of: own.replica) else {
            return false
        }
        return !node.log.applied(admission).past.contains(change.index, branch: change.branch)
    }

    /// What is new to a person who saw this; nil until they first look.
    func newItems(since seen: SeenChanges?) -> [ItemID]? { seen.map { news.items(notIn: $0) } }

    /// Notes that the person here saw items, or all that there is for nil.
    ///
    /// - Parameters:
    ///   - seen: what they saw before.
    ///   - now: the index of the next change.
    /// - Returns: what they saw by now; nil if nothing fewer is new for it.
    mutating func saw(_ items: [ItemID]?, since seen: SeenChanges?, now: Int) -> SeenChanges? {
        let before = newItems(since: seen)
        var all = seen ?? SeenChanges(end: now)
        if let items, seen != nil {
            // What is not new needs no note.
            all.note(items.filter(Set(before ?? []).contains), now: now)
        } else {
            all = SeenChanges(end: now)
        }
        // When nothing is left, one place says so.
        if news.items(notIn: all).isEmpty { all = SeenChanges(end: now) }
        guard before == nil || before != news.items(notIn: all) else { return nil }
        news.forget(all)
        return all
    }

    // MARK: - Reading

    /// What is known now of people and devices.
    mutating func reader(_ node: SyncNode) -> TripReader {
        followNames(in: node.log)
        return TripReader(node: node, names: trip.displayNames)
    }

    /// Entries with the names in them.
    mutating func view(of entries: [HistoryEntry]) -> HistoryView {
        HistoryView(entries: entries, names: trip.names(of: entries))
    }
}
