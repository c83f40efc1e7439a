import ChangeLog
import Foundation
import Sodium
import TripModel
import TripService

/// State that is kept only on this machine, sealed in the file `own` of the trip's folder: this device's person's feeds, what they
/// looked at last, what they saw of what others did, what the numbers of lists mean to them, where their node was reached last, which
/// invites stay open though a removed person may know them, the trip's mailboxes, whether it is archived, whether details of links
/// are fetched, and what undo refused last.
struct OwnFile {
    private struct Content: Codable, Hashable {
        var feeds: [Feed] = []
        /// The latest first.
        var viewed: [ItemID] = []
        /// Nil until they first look at the trip.
        var seen: SeenChanges?
        var place: ListeningPlace?
        /// Nil where nothing was shown.
        var shown: ShownLists?
        /// By their ids, in hexadecimal digits; nil where none was kept.
        var keptInvites: [String]?
        /// Nil where none was added.
        var mailboxes: [KeptMailbox]?
        /// Nil where it never was.
        var isArchived: Bool?
        /// Nil where nobody decided.
        var fetchesLinks: Bool?
        /// The latest last; nil where nothing took several changes.
        var acts: [Steps]?
        /// Nil where undo never refused anything.
        var refusals: Refusals?
    }

    /// The changes that undo refused to take back, in hexadecimal digits, the latest last.
    private struct Refusals: Codable, Hashable {
        /// This person's newest change at that time.
        let newest: String
        var changes: [String] = []
    }

    /// The changes of something that this person did in one go.
    private struct Steps: Codable, Hashable {
        let act: UInt64
        /// In hexadecimal digits.
        var changes: [String]
    }

    /// Where a node accepts connections.
    struct ListeningPlace: Codable, Hashable {
        let port: UInt16
        /// The machine's addresses there.
        let hosts: [String]

        /// Whether a machine with these addresses is where it was.
        func isHere(at current: [String]) -> Bool { hosts == current || !Set(hosts).isDisjoint(with: current) }

        /// How long this port still accepts once there is another, because other nodes may know only this one. On the same network
        /// that is as long as names last, because the address finds nodes that were disconnected meanwhile; elsewhere it is less.
        func linger(at current: [String]) -> Duration { isHere(at: current) ? .seconds(900) : .seconds(120) }
    }

    private var content = Content()
    private let file: SealedFile

    static let feedsMax = 64
    static let viewedMax = 50
    /// Acts of several changes that are remembered, and changes of each.
    static let actsMax = 8
    static let stepsMax = 2_048
    /// With one more, the first refusal is forgotten, and undo refuses that change again.
    private static let refusalsMax = 1_024
    private static let bytesMax = 4 << 20

    var feeds: [Feed] { content.feeds }
    var viewed: [ItemID] { content.viewed }
    /// What they saw of what others did; nil until they first look at the trip.
    var seen: SeenChanges? { content.seen }
    /// The ids of the invites that this person keeps open.
    var keptInvites: [String] { content.keptInvites ?? [] }
    /// Where members who are apart leave blocks for each other.
    var mailboxes: [KeptMailbox] { content.mailboxes ?? [] }
    /// Whether the trip is over for this person: nothing is changed here until they reopen it.
    var isArchived: Bool { content.isArchived ?? false }
    /// Whether details are fetched of every link that this person adds here.
    var fetchesLinks: Bool { content.fetchesLinks ?? false }
    /// Where the node was reached last.
    var place: ListeningPlace? { content.place }

    /// An unreadable file counts as missing, because it holds only what its owner can enter again.
    ///
    /// - Parameter secret: known only to this device.
    init(folder: String, secret: Bytes32, mayWrite: Bool = true, using cryptography: SodiumCryptography) {
        file = SealedFile(
            "own", in: folder, secret: secret, label: "caravan own at rest", bytesMax: Self.bytesMax,
            mayWrite: mayWrite, using: cryptography)
        guard let bytes = file.read(), let content = try? JSONDecoder().decode(Content.self, from: Data(bytes)) else {
            return
        }
        self.content = content
    }

    /// Notes that an item was looked at; where that cannot be written, it is forgotten. False where it was the last one.
    mutating func looked(at item: ItemID) -> Bool {
        guard content.viewed.first != item else { return false }
        content.viewed.removeAll { $0 == item }
        content.viewed = Array(([item] + content.viewed).prefix(Self.viewedMax))
        _ = write()
        return true
    }

    /// Notes that a change is part of an act. If that can't be written, undo takes the changes back one by one.
    mutating func note(_ change: ChangeHash, asStepOf act: UInt64) {
        var acts = content.acts ?? []
        if let place = acts.lastIndex(where: { $0.act == act }) {
            guard acts[place].changes.count < Self.stepsMax else { return }
            acts[place].changes.append(change.description)
        } else {
            acts.append(Steps(act: act, changes: [change.description]))
        }
        content.acts = Array(acts.suffix(Self.actsMax))
        _ = write()
    }

    /// The changes of the act that a change is part of; empty for a change that is an act by itself.
    func steps(with change: ChangeHash) -> Set<String> {
        Set(content.acts?.last { $0.changes.contains(change.description) }?.changes ?? [])
    }

    /// The changes that undo refused to take back since this person's newest change, the latest last.
    func refused(since newest: ChangeHash) -> [String] {
        content.refusals.flatMap { $0.newest == newest.description ? $0.changes : nil } ?? []
    }

    /// Notes that undo refused to take back a change. If that can't be written, the next undo refuses it again.
    mutating func refuse(_ change: ChangeHash, since newest: ChangeHash) {
        let others = refused(since: newest).filter { $0 != change.description }
        let changes = others.suffix(Self.refusalsMax - 1) + [change.description]
        content.refusals = Refusals(newest: newest.description, changes: Array(changes))
        _ = write()
    }

    /// Notes what was seen; where that cannot be written, it is new again after the next start.
    mutating func saw(_ seen: SeenChanges) {
        guard seen != content.seen else { return }
        content.seen = seen
        _ = write()
    }

    /// Reads what numbers mean, and notes what they mean from then on. Where that can't be written, they mean what they mean at present.
    mutating func numbering<Answer, Failure: Error>(
        _ body: (inout ShownLists) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        var shown = content.shown ?? ShownLists()
        defer {
            if content.shown != shown {
                content.shown = shown
                _ = write()
            }
        }
        return try body(&shown)
    }

    /// Notes the node's address. If that can't be written, others must find the node again.
    mutating func listens(at place: ListeningPlace) {
        guard content.place != place else { return }
        content.place = place
        _ = write()
    }

    /// Notes that an invite stays open.
    /// - Parameter open: the invites that are open; what was noted of others is forgotten.
    mutating func keep(invite id: String, of open: Set<String>) throws(ServiceError) {
        try change { $0.keptInvites = ($0.keptInvites ?? []).filter { open.contains($0) && id != $0 } + [id] }
    }

    mutating func archive(_ isArchived: Bool) throws(ServiceError) {
        guard isArchived != self.isArchived else { return }
        try change { $0.isArchived = isArchived }
    }

    mutating func fetchLinks(_ isWanted: Bool) throws(ServiceError) {
        guard isWanted != fetchesLinks else { return }
        try change { $0.fetchesLinks = isWanted }
    }

    mutating func add(_ feed: Feed) throws(ServiceError) {
        guard !content.feeds.contains(where: { $0.name == feed.name }) else {
            throw ServiceError("there is already a feed \(feed.name.quoted); give another name with --as")
        }
        guard content.feeds.count < Self.feedsMax else {
            throw ServiceError(
                "you have \(Self.feedsMax) feeds, the maximum; remove one with `caravan feeds remove`")
        }
        try change { $0.feeds.append(feed) }
    }

    mutating func removeFeed(named name: String) throws(ServiceError) {
        let name = try ServiceError.name(name, of: "feed", listing: "caravan feeds")
        guard content.feeds.contains(where: { $0.name == name }) else {
            throw ServiceError("there is no feed \(name.quoted); see `caravan feeds`")
        }
        try change { content in content.feeds.removeAll { $0.name == name } }
    }

    /// The mailbox whose place a new one takes: the one with its code, which may be elsewhere now, or if no code was entered, the one
    /// at its location, with another password for example.
    func mailbox(at place: KeptMailbox, hasCode: Bool) -> KeptMailbox? {
        mailboxes.first { hasCode ? $0.code == place.code : $0.location == place.location }
    }

    /// Throws if a mailbox is here already, also under another code, or if there are as many as there may be.
    /// - Parameter old: the mailbox whose place it takes.
    func requireNew(_ mailbox: KeptMailbox, inPlaceOf old: KeptMailbox? = nil) throws(ServiceError) {
        let others = mailboxes.filter { $0 != old }
        guard others.count < KeptMailbox.countMax else {
            throw ServiceError(
                "the trip has \(KeptMailbox.countMax) mailboxes, the maximum; remove one first")
        }
        let same = mailboxes.firstIndex {
            $0 == old ? $0 == mailbox : $0.code == mailbox.code || $0.location == mailbox.location
        }
        guard let same else { return }
        let known = mailboxes[same]
        guard known.code == mailbox.code else {
            throw ServiceError(
                "mailbox \(same + 1) has this address and another code, \(known.code); to use the new code, remove that mailbox first"
            )
        }
        throw ServiceError(
            .unchanged, "this mailbox was already added, as mailbox \(same + 1); its code is \(known.code)")
    }

    mutating func add(_ mailbox: KeptMailbox, inPlaceOf old: KeptMailbox? = nil) throws(ServiceError) {
        try requireNew(mailbox, inPlaceOf: old)
        try change { $0.mailboxes = ($0.mailboxes ?? []).filter { $0 != old } + [mailbox] }
    }

    /// Takes the mailboxes of an invite in place of those that an earlier try had.
    mutating func use(_ mailboxes: [KeptMailbox]) throws(ServiceError) {
        guard mailboxes != self.mailboxes else { return }
        try change { $0.mailboxes = mailboxes }
    }

    /// - Parameter reference: its number from 1, or its address.
    mutating func removeMailbox(_ reference: String) throws(ServiceError) -> KeptMailbox {
        let name = try ServiceError.name(reference, of: "mailbox", listing: "caravan mailbox")
        let place = Int(name).map { $0 - 1 } ?? mailboxes.firstIndex { $0.shown == name || $0.address == name }
        guard let place, mailboxes.indices.contains(place) else {
            throw ServiceError("there is no mailbox \(name.quoted); see `caravan mailbox`")
        }
        let removed = mailboxes[place]
        try change { content in content.mailboxes?.remove(at: place) }
        return removed
    }

    private mutating func change(_ body: (inout Content) -> Void) throws(ServiceError) {
        let before = content
        body(&content)
        guard !write() else { return }
        content = before
        throw ServiceError(.unwritable, "cannot write \(file.path); check its permissions and the space on the disk")
    }

    private func write() -> Bool {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let bytes = try? encoder.encode(content) else { return false }
        return file.write(Array(bytes))
    }
}
