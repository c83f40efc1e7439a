import Foundation
import TripExchange
import TripModel
import TripPage
import TripService

/// What pages know of a trip: what its node said when it was asked last.
struct TripMirror: Sendable {
    private(set) var view: TripView
    private(set) var members: MembersView
    private(set) var status: StatusView
    private(set) var history: HistoryView
    private var writing: [WriterView] = []
    private var invites: [InviteView]
    private(set) var entries: [TripEntry]
    private var texts = FoldedTexts(folding: Self.withoutAccents)

    init(
        view: TripView, members: MembersView, status: StatusView, history: HistoryView, invites: [InviteView],
        entries: [TripEntry]
    ) {
        (self.view, self.members, self.status) = (view, members, status)
        (self.history, self.invites, self.entries) = (history, invites, entries)
    }

    mutating func take(_ view: TripView) {
        self.view = view
        texts = texts.emptied
    }

    /// Takes items as they stand now. O(items).
    ///
    /// - Parameter ids: the items that were asked for; of those that are not among `items` there is none.
    /// - Returns: false where more than these items reads otherwise now: the whole trip has to be read.
    mutating func take(_ items: [ItemView], of ids: Set<ItemID>) -> Bool {
        guard let changed = view.replacing(items.sorted { $0.number < $1.number }) else { return false }
        view = changed
        texts.forget(ids)
        return true
    }

    mutating func take(note: FieldView?) { view = view.replacing(note: note) }
    mutating func take(_ writing: [WriterView]) { self.writing = writing }
    mutating func take(_ members: MembersView) { self.members = members }
    mutating func take(_ status: StatusView) { self.status = status }
    mutating func take(_ history: HistoryView) { self.history = history }
    mutating func take(_ invites: [InviteView]) { self.invites = invites }
    mutating func take(_ entries: [TripEntry]) { self.entries = entries }

    /// Whether those who write are to be read too: where they are in a note that was read may be another place.
    func needsWriters(after reading: DueReading) -> Bool {
        reading.writers || !writing.isEmpty && !reading.isMembersAlone
    }

    /// Who writes in which note. O(items) where anybody does.
    var writers: [NoteWriter] {
        writing.compactMap { writer in
            var note = NoteName.trip
            if let id = writer.item {
                guard let item = view.items.first(where: { $0.id == id }) else { return nil }
                note = .item(item.shortID)
            }
            return NoteWriter(note: note, participant: writer.participant, offset: writer.offset)
        }
    }

    /// As people type it who search: in lower case, "gite" for "Gîte".
    private static func withoutAccents(_ text: String) -> String {
        // Most texts need no tables.
        text.utf8.allSatisfy { $0 < 0x80 }
            ? text.lowercased() : text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }

    /// The texts that a search looks in; none are folded where nothing is searched for.
    mutating func texts(for query: PageQuery) -> FoldedTexts {
        if !query.find.isEmpty { texts.read(view.items) }
        return texts
    }

    /// The open invite that a page shows: the newest for people; nil where none is open.
    var invite: InviteView? { invites.last { !$0.isForDevice } }

    /// The open invites for people before that one, the newest first. Of one that a removed person may know, the page asks apart.
    var earlierInvites: [InviteView] {
        invites.filter { !$0.isForDevice }.dropLast().filter { $0.exposure == nil }.reversed()
    }

    /// The newest open invite for another device of the owner's.
    var deviceInvite: InviteView? { invites.last { $0.isForDevice && $0.by == status.you } }

    /// Who looks, where it is the owner.
    var owner: Viewer {
        Viewer(participant: members.people.first(where: \.isYou).flatMap { ParticipantID($0.id) })
    }

    /// Items by their short ids, those that are known. O(items).
    func items(_ shortIDs: [String]) -> [ItemView] {
        guard !shortIDs.isEmpty else { return [] }
        let wanted = Set(shortIDs)
        return view.items.filter { wanted.contains($0.shortID) }
            + view.removedItems.filter { wanted.contains($0.shortID) }
    }

    /// An item by its short id. O(items).
    func item(_ shortID: String) -> ItemView? { items([shortID]).first }

    /// What is told of items that the trip has already. O(n) in its items.
    func known(_ items: [NewItem]) -> String? { KnownItems.sentence(of: items, in: view) }

    /// A guest of the trip who is in; nil for anybody else.
    func guest(_ id: String) -> MemberView? {
        members.people.first { $0.id == id && $0.isGuest && $0.removal == nil }
    }

    /// Why a guest may look no more; nil where they may.
    func farewell(to guest: ParticipantID) -> String? {
        let member = members.people.first { $0.isGuest && ParticipantID($0.id) == guest }
        if let member, member.removal == nil { return nil }
        return member?.removal?.by.map { "\($0) removed you from this trip" } ?? "You’re no longer a guest of this trip"
    }
}
