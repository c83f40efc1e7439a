import TripModel
import TripPage
import TripService

/// A note as a reading of the trip found it.
struct ReadNote: Sendable {
    let note: NoteText
    let reading: Int64
}

// Notes that pages write in.
extension TripFeed {
    /// A text that a page of this trip was shown, by its mark.
    func shownNote(_ mark: String) -> String? { desk.text(mark) }

    /// The act that an edit of a session is a step of.
    func act(of session: Token, in name: NoteName) -> UInt64 {
        desk.act(of: session.text, in: name, at: .now, new: .random(in: .min ... .max))
    }

    /// Tells the trip where the reader of a stream writes: in a text that they were shown, at a place in UTF-16 units.
    func seat(_ viewer: Viewer, on stream: String, in name: NoteName, at offset: Int, of shown: String) async {
        guard let participant = viewer.participant else { return }
        var id: ItemID?
        if case .item(let item) = name {
            guard let item = try? present(item) else { return }
            id = item.id
        }
        desk.sit(participant, on: stream)
        await tell(.write(in: id, at: offset, shown: shown), as: viewer)
    }

    /// Tells it that they no longer write there.
    func unseat(_ viewer: Viewer, from stream: String) async {
        guard let participant = viewer.participant, desk.leave(participant, stream) else { return }
        await tell(.stopWriting, as: viewer)
    }

    private func tell(_ request: TripRequest, as viewer: Viewer) async {
        guard !hasEnded, let participant = viewer.participant else { return }
        let request = viewer.isGuest ? .asGuest(guest: participant.description, request) : request
        _ = try? await service.answer(request)
    }

    /// Reads a note, with all that was done before.
    func read(_ name: NoteName) async throws(ServiceError) -> ReadNote {
        var id: ItemID?
        if case .item(let item) = name { id = try present(item).id }
        plan.note(noteOf: id)
        readSoon()
        let reading = desk.begun + 1
        if !hasEnded { await withCheckedContinuation { desk.wait($0) } }
        guard desk.taken >= reading else {
            throw ServiceError(.notAnswering, "the node is stopping: reload once it runs again")
        }
        var note = NoteText(.trip, screen.mirror.view.note?.value ?? "")
        if case .item(let item) = name { note = NoteText(try present(item)) }
        desk.keep(note)
        return ReadNote(note: note, reading: desk.taken)
    }

    /// An item that is there.
    func present(_ shortID: String) throws(ServiceError) -> ItemView {
        guard let item = item(shortID), !item.isRemoved else {
            throw ServiceError(.removed, "somebody removed this: restore it and write again")
        }
        return item
    }
}
