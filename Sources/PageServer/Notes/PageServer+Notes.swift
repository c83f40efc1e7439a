import Foundation
import NIOHTTP1
import TripModel
import TripPage
import TripService

/// What became of something written in a note.
enum NoteOutcome: Sendable {
    /// - Parameter new: what its writer made of it.
    case written(new: String, ReadNote)
    /// The text that it was made to is too long ago; what the note is now.
    case unknown(ReadNote)
    case refused(String)
    /// Nothing was done, and the same may be done later.
    case failed(String)
}

/// What a page with script is answered: what differs from the text that it sent, or the whole text.
private struct NoteAnswer: Encodable {
    let reading: Int64
    let mark: String
    var splice: TextSplice?
    var text: String?
}

/// Edits of notes that are under way or done: the same one sent again is the same edit.
struct SentNotes: Sendable {
    private var outcomes: [SentForm: Task<NoteOutcome, Never>] = [:]
    private var inOrder: [SentForm] = []

    private static let most = 256

    mutating func outcome(
        of sent: SentForm, _ write: @escaping @Sendable () async -> NoteOutcome
    ) -> Task<NoteOutcome, Never> {
        if let earlier = outcomes[sent] { return earlier }
        let task = Task { await write() }
        outcomes[sent] = task
        inOrder.append(sent)
        if inOrder.count > Self.most { outcomes[inOrder.removeFirst()] = nil }
        return task
    }

    /// Lets it be tried again.
    mutating func forget(_ sent: SentForm) {
        outcomes[sent] = nil
        inOrder.removeAll { $0 == sent }
    }
}

// What people write in notes, and where in them they are.
extension PageServer {
    func note(_ request: HTTPRequest, _ visit: Visit) async -> HTTPResponse {
        if let refusal = request.refusal(unless: .POST) ?? limited(visit) { return refusal }
        guard let form = request.form, let sent = NoteForm(form) else { return Self.noForm }
        guard let edit = sent.edit else {
            await seat(sent, in: await visit.feed.shownNote(sent.base), visit)
            return .nothing
        }
        guard let action = form["action"], !action.isEmpty, action.utf8.count <= 128 else {
            return await answer(await write(edit, sent, visit), sent, back: form["back"], visit)
        }
        let key = SentForm(session: visit.session, action: action, hash: request.body.hashValue)
        let writing = sentNotes.outcome(of: key) { await self.write(edit, sent, visit) }
        let outcome = await writing.value
        if case .failed = outcome { sentNotes.forget(key) }
        if case .written(let new, _) = outcome { await seat(sent, in: new, visit) }
        return await answer(outcome, sent, back: form["back"], visit)
    }

    /// Notes where in a text the page's reader is.
    private func seat(_ sent: NoteForm, in text: String?, _ visit: Visit) async {
        guard let id = sent.stream, await visit.feed.stream(id, of: visit.session) != nil else { return }
        switch sent.caret {
        case .at(let offset):
            // Of a text that is too long ago, the page says more soon.
            guard let text else { return }
            await visit.feed.seat(visit.viewer, on: id, in: sent.name, at: offset, of: text)
        case .gone: await visit.feed.unseat(visit.viewer, from: id)
        case nil: break
        }
    }

    private func answer(
        _ outcome: NoteOutcome, _ sent: NoteForm, back: String?, _ visit: Visit
    ) async -> HTTPResponse {
        switch outcome {
        case .written(let new, let read):
            guard sent.stream != nil else {
                return await answer(Toast("Saved the note"), back: back, isLive: false, visit)
            }
            let splice = TextSplice(from: new, to: read.note.text)
            return Self.json(NoteAnswer(reading: read.reading, mark: read.note.mark, splice: splice), .ok)
        case .unknown(let read):
            return Self.json(
                NoteAnswer(reading: read.reading, mark: read.note.mark, text: read.note.text), .conflict)
        // Without script the browser's own way back has what was typed.
        case .refused(let message): return .line(.unprocessableEntity, message)
        case .failed(let message): return .line(.serviceUnavailable, message, [("Retry-After", "1")])
        }
    }

    private static func json(_ answer: NoteAnswer, _ status: HTTPResponseStatus) -> HTTPResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        let bytes = (try? encoder.encode(answer)).map { Array($0) } ?? []
        return HTTPResponse(status, [("Content-Type", "application/json")], body: .whole(bytes))
    }

    private func write(_ edit: NoteForm.Edit, _ sent: NoteForm, _ visit: Visit) async -> NoteOutcome {
        let (feed, name) = (visit.feed, sent.name)
        do throws(ServiceError) {
            var (base, new) = ("", "")
            switch edit {
            case .whole(let text, let shown): (base, new) = (shown, text)
            case .piece(let start, let out, let text):
                guard let shown = await feed.shownNote(sent.base),
                    let changed = shown.spliced(at: start, out: out, with: text)
                else { return .unknown(try await feed.read(name)) }
                (base, new) = (shown, changed)
            }
            if !base.utf8.elementsEqual(new.utf8) {
                try await charge(1 + edit.size / GuestAllowance.writingUnit, to: visit, .writing)
                try await write(new, over: base, in: name, visit)
            }
            return .written(new: new, try await feed.read(name))
        } catch {
            switch error.code {
            case .owned, .unwritable, .notAnswering: return .failed(error.message)
            case .refused, .unchanged, .removed, .out: return .refused(error.message)
            }
        }
    }

    /// What others wrote since `base` was shown stays.
    private func write(
        _ new: String, over base: String, in name: NoteName, _ visit: Visit
    ) async throws(ServiceError) {
        var request = TripRequest.editNote(new, shown: base)
        if case .item(let shortID) = name {
            let item = try await visit.feed.present(shortID)
            let text = new.isBlank ? nil : new
            request = .act(.edit([.note: text], shown: [.note: base.isEmpty ? [] : [base]]), on: [.id(item.id)])
        }
        if let guest = visit.guest {
            request = .asGuest(guest: guest, request)
        } else {
            request = .step(of: await visit.feed.act(of: visit.session, in: name), request)
        }
        do throws(ServiceError) { _ = try await visit.feed.service.answer(request) } catch {
            // Somebody else wrote the same.
            guard error.code == .unchanged else { throw error }
        }
    }
}
