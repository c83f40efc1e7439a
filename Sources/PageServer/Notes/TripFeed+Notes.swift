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

    /// Notes where the reader of a stream writes, and tells the others.
    func seat(_ writer: NoteWriter?, on stream: String) {
        if desk.seat(writer, on: stream, at: .now) { redraw() }
        sweepSoon()
    }

    private func sweepSoon() {
        guard !hasEnded, desk.sweeping == nil, let end = desk.firstEnd else { return }
        desk.sweeping = Task { [weak self] in
            try? await Task.sleep(until: end, clock: .continuous)
            await self?.sweep()
        }
    }

    private func sweep() {
        desk.sweeping = nil
        if desk.sweep(at: .now) { redraw() }
        sweepSoon()
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
