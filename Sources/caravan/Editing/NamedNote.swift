import CaravanNode
import Desktop
import TripModel
import TripService
import TripText

/// The note that a command is about.
struct NamedNote {
    /// The item whose note it is; nil for the note of the trip.
    let item: ItemView?
    /// Nil where nothing is written.
    let note: FieldView?

    /// - Parameter reference: what a person types for an item; nil for the trip.
    init(of reference: String?, in trip: TripAccess) async throws(ServiceError) {
        if let reference {
            let found = try await trip.item(reference)
            item = found
            note = found.fields[.note]
        } else {
            guard case .note(let written) = try await trip.answer(.note) else { throw TripOptions.otherAnswer }
            item = nil
            note = written
        }
    }

    /// Writes it, and tells that. What others wrote since `shown` was shown stays; nil for what is there now.
    func write(_ text: String, shown: String?, _ trip: WritingOptions) async throws(ServiceError) {
        guard let item else { return try await trip.ask(.editNote(text, shown: shown)) }
        let fields: [Field: String?] = [.note: text.isEmpty ? nil : text]
        let base: [Field: [String]] = shown.map { [Field.note: [$0]] } ?? [:]
        // By its whole id: titles and numbers may mean another by now.
        try await trip.ask(
            .act(.edit(fields, shown: base), on: [.id(item.id)]), note: text.isEmpty ? "Cleared" : "Wrote")
    }

    /// Opens it in the person's editor, and writes what they changed.
    func edit(_ trip: WritingOptions) async throws {
        try requireWritable()
        let editable = EditableNote(note)
        let draft = try DraftFile(editable.text, named: "note.txt")
        var failure: ServiceError?
        do { try Desktop.edit(file: draft.path, withoutTerminal: "use `caravan note set`") } catch {
            failure = ServiceError("\(error.message); nothing was changed")
        }
        let saved: String?
        do { saved = try draft.read(upTo: EditableNote.bytesMax) } catch {
            throw Self.naming(draft, in: failure ?? error)
        }
        guard let text = saved.flatMap({ editable.edit(saved: $0) }) else {
            draft.remove()
            if let failure { throw failure }
            return trip.report.tell("Nothing changed", TripJSON.unchanged("nothing was edited"))
        }
        // What somebody has written is not thrown away.
        if let failure { throw Self.naming(draft, in: failure) }
        do { try await write(text, shown: editable.shown, trip) } catch { throw Self.naming(draft, in: error) }
        draft.remove()
    }

    /// Throws where nobody can write in it, before somebody tries.
    private func requireWritable() throws(ServiceError) {
        guard let item else { return }
        guard !item.isRemoved else {
            throw ServiceError("\(item.title.quoted) is removed; restore it first with `caravan restore`")
        }
        guard item.fields[.payment] == nil else { throw ServiceError(TripReplica.paymentChanged) }
    }

    private static func naming(_ draft: DraftFile, in error: ServiceError) -> ServiceError {
        ServiceError("\(error.message) (your text is in \(draft.path))")
    }
}
