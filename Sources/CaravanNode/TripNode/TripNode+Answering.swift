import Attachments
import ChangeLog
import SyncEngine
import TripModel
import TripRules
package import TripService

// Answers people's requests with changes or views.
extension TripNode {
    package func answer(_ request: TripRequest) async throws(ServiceError) -> TripAnswer {
        // The bytes of pictures come and go while others take their turns.
        if case .picture(let photo, let item, let size) = request {
            return .picture(try await picture(photo, of: item, size))
        }
        // So do blocks of mailboxes.
        if case .mailboxes(let act) = request { return try await answer(act) }
        let photos = try await keepPhotos(of: request)
        return try await takingTurns { node throws(ServiceError) in try await node.answerInTurn(request, photos) }
    }

    private func answerInTurn(
        _ request: TripRequest, _ photos: [PhotoManifest]
    ) async throws(ServiceError) -> TripAnswer {
        switch request {
        case .add(let items, let list): return .done(try await add(items, photos, to: list))
        case .attach(let item, _): return .done(try await attach(photos, to: item))
        case .act(let action, let items): return .done(try await act(action, on: items))
        case .removeComments(let item, let comments): return .done(try await removeComments(of: item, comments))
        case .picture(let photo, let item, let size): return .picture(try await picture(photo, of: item, size))
        case .undo(let anyway): return try await undo(anyway: anyway)
        case .step(let act, let request):
            let before = shown.lastOwn?.hash
            let answer = try await answerInTurn(request, photos)
            if let change = shown.lastOwn?.hash, change != before { own.note(ChangeHash(change), asStepOf: act) }
            return answer
        case .addList(let title, let kind, let items, let template):
            return .list(try await addList(title, kind, items, photos, template: template))
        case .editList(let list, let fields):
            return .list(try await act(.edited, on: list) { .editList($0, fields) })
        case .removeList(let list):
            return .list(try await act(.removed, on: list) { .removeLists([$0]) })
        case .restoreList(let list):
            return .list(try await act(.restored, on: list, in: .removed) { .restoreLists([$0]) })
        case .move(let items, let target): return .done(try await move(items, to: target))
        case .wishes: return .wishes(shown.wishes.list.wishes)
        case .wish(let new): return .wished(try await wish(new))
        case .unwish(let references): return .wished(try await unwish(references))
        case .shareWishes(let references, let list): return .done(try await shareWishes(references, to: list))
        case .addFeed(let feed):
            try own.add(feed)
            tellWatchers(.own)
            return .feeds(own.feeds)
        case .removeFeed(let name):
            try own.removeFeed(named: name)
            tellWatchers(.own)
            return .feeds(own.feeds)
        case .look(let item):
            looked(at: item)
            return .own(ownView)
        case .see(let items):
            if saw(items) { tellWatchers(.own) }
            return .own(ownView)
        case .fetchLinks(let isWanted):
            try own.fetchLinks(isWanted)
            tellWatchers(.spread)
            return .status(statusView)
        case .own: return .own(ownView)
        case .viewed: return .items(shownNumbers.underTheirNumbers(own.viewed.compactMap { shown.trip.item($0) }))
        case .makeBundle(let path): return .bundle(try await makeBundle(at: path))
        case .takeIn(let path): return .bundle(try await takeIn(bundleAt: path))
        case .note: return .note(shown.trip.note)
        case .editNote(let text, let shown):
            try await perform(.editNote(text, shown: shown))
            return .note(self.shown.trip.note)
        case .write(let item, let offset, let shown): return .writers(write(in: item, at: offset, of: shown))
        case .stopWriting: return .writers(stopWriting())
        case .writers: return .writers(whoWrites())
        case .renameTrip(let title):
            try await perform(.setTitle(title))
            return .renamed(self.title)
        case .renameSelf(let name):
            try refuseNameOfAnother(name)
            try await perform(.setName(name))
            return .renamed(shown.trip.displayName(of: me))
        case .list:
            let view = shown.trip.view
            shownNumbers.showed(list: view.items + view.removedItems)
            return .trip(photoDesk.book.marking(view))
        case .view: return .trip(photoDesk.book.marking(shown.trip.view))
        case .find(let filter): return .trip(photoDesk.book.marking(shown.trip.view.keeping(filter)))
        case .shown(let request): return show(try await answerInTurn(request, photos))
        case .showRows(let list, let rows, let places):
            return .numbers(own.numbering { $0.show(rows, at: places, of: list) })
        case .meanings(let numbers, let list, let rows):
            return .meanings(own.numbering { shown in numbers.map { shown.meaning(of: $0, among: rows, in: list) } })
        case .show(let reference, let isLook):
            let item = try resolve(reference)
            if isLook { looked(at: item.id) }
            return .item(photoDesk.book.marking(shownNumbers.underTheirNumbers([item])[0]), of: shown.trip.group)
        case .items(let ids): return .items(ids.compactMap { shown.trip.item($0).map(photoDesk.book.marking) })
        case .history: return .history(shown.view(of: reader.history))
        case .recentHistory(let count): return .history(shown.view(of: shown.recent.last(count)))
        case .members: return .members(reader.members)
        case .status: return .status(statusView)
        case .mailboxes(let act): return try await answer(act)
        case .admitGuest(let name): return .member(try await admitGuest(name: name))
        case .asGuest(let guest, let request): return try await answer(request, photos, asGuest: guest)
        case .removable(let name, let isErasing):
            try requireMember()
            return .member(reader.view(of: try reader.removable(name, isErasing: isErasing)))
        case .removeMember(let name, let contributions):
            return .removed(try await removeMember(name, contributions))
        case .keepMember(let name): return .kept(name: try await keepMember(name))
        case .removeDevice(let reference): return try await removeDevice(reference)
        case .leave: return .removed(try await leave())
        case .archive(let isArchived):
            try own.archive(isArchived)
            revealSoon()
            tellWatchers(.spread)
            return .status(statusView)
        case .invite(let uses, let lifetime, let withPasswords):
            return .invite(try await invite(uses: uses, lifetime: lifetime, withPasswords: withPasswords))
        case .addDevice(let lifetime, let withPasswords):
            let participant = node.secrets.device.participant
            return .invite(
                try await invite(
                    uses: 1, lifetime: lifetime, participant: participant, withPasswords: withPasswords))
        case .invites: return .invites(inviteDesk.views())
        case .showInvite(let reference, let withPasswords):
            return .invite(try invite(named: reference, withPasswords: withPasswords))
        case .keepInvite(let reference): return .inviteKept(try keepInvite(reference))
        case .closeInvite(let reference): return .invite(try await closeInvite(reference))
        }
    }

    /// An answer as people are shown it: the numbers in it mean its rows from now on.
    private func show(_ answer: TripAnswer) -> TripAnswer {
        switch answer {
        case .trip(let view): return .trip(shownNumbers.show(view))
        case .wishes(let wishes): own.numbering { _ = $0.show(wishes.map(\.mark), of: .wishes) }
        case .invites(let invites): own.numbering { _ = $0.show(invites.map(\.mark), of: .invites) }
        case .items(let items): return .items(shownNumbers.show(items))
        case .item(let item, let group):
            let comments = item.sayings.comments.map(\.id.mixedWord)
            if !comments.isEmpty { own.numbering { _ = $0.show(comments, of: .comments(of: item.id)) } }
            return .item(shownNumbers.show([item])[0], of: group)
        default: break
        }
        return answer
    }

    /// The trip's title; empty if it has none.
    package var title: String { shown.trip.title?.value ?? "" }

    // MARK: - Acting

    /// Performs an action, and returns the items that it touched once it is durable and shown.
    @discardableResult
    func perform(
        _ action: TripAction, as author: Author = .own, noting note: [UInt8]? = nil
    ) async throws(ServiceError) -> [ItemID] { try await write(action, as: author, noting: note)?.items ?? [] }

    /// Writes an action, and returns what it did once it is durable and shown; nil where nobody can see that.
    func write(
        _ action: TripAction, as author: Author = .own, noting note: [UInt8]? = nil
    ) async throws(ServiceError) -> HistoryEntry? {
        try requireWriter(author)
        let content: [UInt8]
        do { content = try shown.trip.replica.perform(action, by: participant(author), noting: note) } catch {
            throw ServiceError(error)
        }
        return try await write(content, as: author)
    }

    /// Writes content as a change, and returns what it did once it is durable and shown; nil where nobody can see that.
    func write(_ content: [UInt8], as author: Author = .own) async throws(ServiceError) -> HistoryEntry? {
        let hash = try await self.author(content: content, as: author)
        guard let written = shown.lastOwn, written.hash == hash else { return nil }
        return written.entry
    }

    /// Throws if the person here may make no statement, because they are out or nothing can be written.
    /// - Parameter act: what is refused to a person who waits; nil for statements.
    func requireMember(to act: String? = nil) throws(ServiceError) {
        try requireOpen()
        try requireMemberEvenIfArchived(to: act)
    }

    /// Throws where the trip is archived here.
    private func requireOpen() throws(ServiceError) {
        guard own.isArchived else { return }
        throw ServiceError("this trip is archived here; to change it, run `caravan archive --reopen` first")
    }

    /// People leave a trip that is over, too.
    func requireMemberEvenIfArchived(to act: String? = nil) throws(ServiceError) {
        try requireAuthor()
        if let ownRemoval { throw ServiceError(out: ownRemoval, refusing: act) }
    }

    /// Throws where an author may not write content, or cannot. A person who waits may.
    func requireWriter(_ author: Author = .own) throws(ServiceError) {
        try requireOpen()
        try requireAuthor(author)
    }

    private func requireAuthor(_ author: Author = .own) throws(ServiceError) {
        if let writingProblem { throw ServiceError(.unwritable, writingProblem) }
        try requireNothingLost()
        if case .guest(let guest) = author { return try GuestDesk(reader: reader).requireIn(guest) }
        if let ownRemoval, ownRemoval.waiting == nil { throw ServiceError(out: ownRemoval) }
        guard node.isLetIn else {
            throw ServiceError("you are not admitted yet; run `caravan up` on the same network as a member")
        }
    }

    /// Two members of one name are shown as “Mia” and “Mia (2)”: what others mean for one would go to the other.
    private func refuseNameOfAnother(_ name: String) throws(ServiceError) {
        let others = shown.trip.participants.filter { $0.id != me }
        if let rival = others.first(where: { DisplayNames.isMarked(name, from: $0.name) }) {
            throw ServiceError("\(name.quoted) could be taken for \(rival.displayName.quoted); choose another name")
        }
        // The person here may be the one who is shown under it.
        guard shown.trip.displayName(of: me).appearance != name.appearance else { return }
        let taken = others.first { !$0.isOut && $0.name?.appearance == name.appearance }
        guard let taken else { return }
        throw ServiceError("\(taken.displayName.quoted) is the name of another member; choose another one")
    }
}
