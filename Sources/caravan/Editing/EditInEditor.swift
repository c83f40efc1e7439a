import Console
import Desktop
import LibC
import TripModel
import TripService
import TripText

/// An item changed in the person's editor.
struct EditInEditor {
    let item: String
    let trip: WritingOptions

    /// Writes what was changed, as seen when the editor was opened: what others wrote since stays beside it.
    func run() async throws {
        let item = try await trip.item(item)
        guard !item.isRemoved else {
            throw ServiceError("\(item.title.quoted) is removed; restore it first with `caravan restore`")
        }
        let editable = EditableItem(item)
        let draft = try DraftFile(editable.text)
        let isEdited: Bool
        do {
            isEdited = try await write(draft, of: editable, to: item)
        } catch let error as DesktopError {
            draft.remove()
            throw ServiceError("\(error.message); nothing was changed")
        } catch {
            let reason = (error as? ServiceError)?.message ?? "\(error)"
            // What somebody has written is not thrown away.
            throw ServiceError("\(reason) (your draft is in \(draft.path))")
        }
        draft.remove()
        if !isEdited { trip.report.tell("Nothing changed", TripJSON.unchanged("nothing was edited")) }
    }

    /// Returns whether there was anything to write.
    private func write(
        _ draft: DraftFile, of editable: EditableItem, to item: ItemView
    ) async throws -> Bool {
        try Desktop.edit(file: draft.path)
        let edit: EditableItem.Edit?
        let saved = try draft.read(upTo: EditableItem.bytesMax) ?? ""
        do { edit = try editable.edit(saved: saved) } catch { throw ServiceError(error) }
        guard let edit else { return false }
        try edit.fields.compactMapValues { $0 }.checkDeadline()
        // By its whole id: titles and numbers may mean another by now.
        try await trip.ask(.act(.edit(edit.fields, shown: edit.shown), on: [.id(item.id)]))
        return true
    }
}
