import NIOHTTP1
import TripExchange
import TripModel
import TripPage
import TripService

/// A form that was sent: the same one sent again is the same act.
struct SentForm: Hashable, Sendable {
    let session: Token
    /// What the page drew for this sending of it.
    let action: String
    /// Of the body, within this process.
    let hash: Int
}

// What people do on the page.
extension PageServer {
    func act(_ request: HTTPRequest, _ visit: Visit) async -> HTTPResponse {
        if let refusal = request.refusal(unless: .POST) ?? limited(visit) { return refusal }
        guard let form = request.form else { return Self.noForm }
        return await answer(request, { form[$0] }, visit) {
            var toast = await self.perform(form, visit)
            if toast.isProblem, Toast.shownAgain.contains(form["do"] ?? "") {
                toast.typed = Dictionary(grouping: form.pairs, by: \.name).mapValues { $0.map(\.value) }
            }
            return toast
        }
    }

    /// Does what a form asks for, once however often the page sends it as it was drawn, and says what was done.
    func answer(
        _ request: HTTPRequest, _ field: (String) -> String?, _ visit: Visit,
        _ perform: @escaping @Sendable () async -> Toast
    ) async -> HTTPResponse {
        let toast: Toast
        if let action = field("action"), !action.isEmpty, action.utf8.count <= 128 {
            let sent = SentForm(session: visit.session, action: action, hash: request.body.hashValue)
            toast = await once(sent, perform)
        } else {
            toast = await perform()
        }
        return await answer(toast, back: field("back"), isLive: field("stream") != nil, visit)
    }

    /// Says what was done: to a page that runs as a patch, else on the page that the form leads back to.
    func answer(_ toast: Toast, back: String?, isLive: Bool, _ visit: Visit) async -> HTTPResponse {
        let back = back.flatMap { PageQuery(text: $0) } ?? PageQuery()
        guard isLive else {
            // A form that was refused is shown again, with what was typed.
            var back = toast.refused?.query ?? back
            if toast.typed["fields"] != nil { back.isEditing = true }
            toasts[visit.session] = toast
            // The page that is asked for next shows what was just done.
            await visit.feed.readAnew()
            return .redirect(to: address(ofTrip: visit.feed.trip, query: back.text))
        }
        // What is wrong with a form stands in it, and a toast would hide its button.
        let faults = toast.faultLines
        let said = faults.isEmpty ? toast : nil
        let fragment = TripPage.toast(await visit.feed.state(for: visit.viewer, back, toast: said))
        var patch = PagePatch()
        patch.put = ([fragment] + faults).map {
            PagePatch.Put(id: $0.id, html: $0.html.rendered)
        }
        return HTTPResponse(
            toast.isProblem ? .unprocessableEntity : .ok, [("Content-Type", "application/json")],
            body: .whole(Array(patch.json.utf8)))
    }

    private static let sentFormsMax = 1_024

    /// Does what a form asks for, or waits for what the same form asked for before.
    func once(_ sent: SentForm, _ perform: @escaping @Sendable () async -> Toast) async -> Toast {
        if let earlier = sentForms[sent] { return await earlier.value }
        let task = Task { await perform() }
        sentForms[sent] = task
        sentFormsInOrder.append(sent)
        if sentFormsInOrder.count > Self.sentFormsMax { sentForms[sentFormsInOrder.removeFirst()] = nil }
        return await task.value
    }

    private func perform(_ form: PostedFields, _ visit: Visit) async -> Toast {
        do throws(ServiceError) {
            let action: PageAction
            do { action = try PageAction(fields: form.pairs) } catch { throw ServiceError(error.message) }
            if let today = WallTime.now.day {
                if let late = action.lateDeadline(today: today) { throw ServiceError(late) }
                // What a form shows was typed; what a button writes again may have passed since.
                if form["fields"] != nil, let refused = RefusedEdit(action, today: today) {
                    return Toast(refused.message, isProblem: true, refusedEdit: refused)
                }
            }
            return try await perform(action, visit, undoing: form["undoes"].flatMap { Toast.Undoing(rawValue: $0) })
        } catch {
            return Toast(error.message, isProblem: true)
        }
    }

    func perform(
        _ action: PageAction, _ visit: Visit, undoing: Toast.Undoing? = nil
    ) async throws(ServiceError) -> Toast {
        let feed = visit.feed
        if visit.viewer.isGuest {
            switch action {
            // Guests don't see costs, so they write none.
            case .add(let items) where items.allSatisfy({ $0.fields[.cost] == nil && $0.fields[.payment] == nil }):
                try await charge(items.count, to: visit, .items)
            case .act(.comment, let items): try await charge(items.count, to: visit, .items)
            case .act(.vote, let items), .act(.attend, let items), .act(.claim, let items), .act(.answer, let items):
                try await charge(items.count, to: visit, .votes)
            // Of others' items, the node refuses it.
            case .act(let action, let items) where action.isForTheirAuthor:
                try await charge(items.count, to: visit, .votes)
            case .uncomment: break
            default:
                throw ServiceError(
                    "guests can add places and change those, vote, comment, say what they bring and if they’re going, and take photos: ask your host for anything else"
                )
            }
        }
        switch action {
        case .openToGuests(let minutes):
            guard try await feed.service.status().removal == nil else {
                throw ServiceError("only members of the trip can let guests in")
            }
            let other = await feed.state(for: visit.viewer, PageQuery()).tripOfGuests
            let earlier = door(of: feed.trip)
            let now = WallTime.now.milliseconds
            let arrived = try await openDoor(toTrip: feed.trip, minutes: minutes).arrived
            if let earlier { return Toast(openFor: minutes, instead: earlier, now: now) }
            if let other { return Toast("Guests can now join. \(other) is closed to them") }
            return Toast("Guests can now join", undo: arrived == 0 ? .closeToGuests : nil)
        case .closeToGuests:
            await closeToGuests()
            return Toast("Guests can no longer use the page")
        case .importList(let text): return try await importList(text, visit)
        case .share(let source, let offer): return try await share(offer, from: source, visit)
        case .keep(let source, let offer): return try await keep(offer, from: source, visit)
        case .unwish(let offer): return try await unwish(offer, visit)
        case .expense(let form): return try await save(form, visit)
        case .passphrase(let old, let new): return try await setPassphrase(old: old, new: new, visit)
        case .see(let items):
            let ids = items.isEmpty ? nil : await feed.items(items).map(\.id)
            _ = try await feed.service.answer(.see(ids))
            return Toast("Nothing is marked as new now")
        case .fetch(let item): return try await fetchDetails(of: item, visit)
        case .plan(let item, let typed, let shown): return try await plan(item, typed, shown: shown, visit)
        default: break
        }
        if let refused = RefusedEdit(action) {
            return Toast(refused.message, isProblem: true, refusedEdit: refused)
        }
        // An undo gives back the name before, and not one of a moment ago.
        switch action {
        case .renameTrip, .renameSelf: await feed.readAnew()
        default: break
        }
        let (title, ownName) = (await feed.title, await feed.ownName(of: visit.viewer))
        let before = await feed.items(action.items)
        let known = if case .add(let items) = action { await feed.known(items) } else { String?.none }
        let ids = Dictionary(before.map { ($0.shortID, $0.id) }) { first, _ in first }
        // An item that the page has not read yet is named as a person would name it.
        guard var request = action.request(naming: { name in ids[name].map { .id($0) } ?? .typed(name) }) else {
            return Toast("Nothing has changed, so nothing was saved")
        }
        if let guest = visit.guest { request = .asGuest(guest: guest, request) }
        switch try await feed.service.answer(request) {
        case .done(let receipt):
            if case .add(let items) = action, visit.guest == nil, items.contains(where: { $0.fields[.link] != nil }) {
                fetchDetailsAside(of: receipt, feed)
            }
            var after: ItemView?
            if case .act(.comment, _) = action, let item = before.first {
                after = (try? await feed.service.items([item.id]))?.first
            }
            // Guests have no history to undo in.
            let undoesLast = if case .uncomment = action { visit.guest == nil } else { false }
            return Toast(
                action, receipt, before: before, after: after, known: known, viewer: visit.viewer.participant,
                undoing: undoing, undoesLast: undoesLast)
        case .undone(let view, _):
            let isRestored =
                undoing == .contributions
                && view.entries.flatMap(\.events).contains {
                    if case .item(_, _, .restored, _) = $0 { true } else { false }
                }
            if isRestored { return Toast("Restored what they added") }
            return Toast(undone: view, state: await feed.state(for: visit.viewer, PageQuery()))
        case .mailboxes(let mailboxes):
            guard case .mailbox(let act) = action else { return Toast("Done") }
            try await feed.readStatus()
            return Toast(act, mailboxes)
        case .wished(let receipt):
            let one = receipt.added.count == 1 ? receipt.added.first : nil
            return Toast(
                "\(one?.title.quoted ?? "\(receipt.added.count) places") \(one == nil ? "were" : "was") saved to your wish list. "
                    + "Nobody else sees it",
                undo: one.map { .unwish(offer: Offer(NewItem($0)).id) })
        case .invite where action == .invite: return Toast("Invite created: send its link")
        case .invite where action == .addDevice: return Toast("Link created: paste it on your other device")
        case .invite: return Toast("Invite canceled")
        case .status(let status):
            try await feed.readStatus()
            if case .fetchLinks = action {
                return status.fetchesLinks
                    ? Toast("Details of the links that you add here will be fetched", undo: .fetchLinks(false))
                    : Toast("Details are fetched only if you ask")
            }
            if status.isArchived, entrance?.trip == feed.trip { await closeToGuests() }
            return status.isArchived
                ? Toast("Archived: nothing can be changed here", undo: .archive(false)) : Toast("Reopened")
        case .renamed(let name):
            let undo: PageAction? =
                if case .renameTrip = action { title.map { .renameTrip($0) } } else { .renameSelf(ownName) }
            return Toast("Renamed to “\(name.displayed(limit: 80))”", undo: undo)
        case .deviceRemoved(let receipt):
            return Toast(
                "Your device “\(receipt.name.displayed(limit: 80))” was removed"
                    + (receipt.closedInvites ? ", and your open invites are canceled" : ""))
        case .inviteKept: return Toast("The invite stays open")
        case .kept(let name): return Toast("\(name) is in the trip now, and what they did counts")
        case .removed(let receipt):
            try await feed.readMembers()
            await renewCodeAfterRemoval(feed)
            let contributions = receipt.items + receipt.photos > 0
            return Toast(
                "\(receipt.name) was removed\(contributions ? " with everything they added" : "")",
                undo: contributions ? .undo : nil)
        default: return Toast("Done")
        }
    }
}
