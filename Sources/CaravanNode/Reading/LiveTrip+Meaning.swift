import Foundation
import TripModel
import TripService

// What people mean who name items and each other.
extension LiveTrip {
    /// The item that is meant.
    ///
    /// - Parameter numbers: what numbers mean to the person who names it.
    mutating func item(
        _ reference: ItemReference, in scope: ReferenceScope, _ numbers: ShownNumbers
    ) throws(ServiceError) -> ItemView {
        switch reference {
        case .typed(let text):
            do { return try item(typed: text, in: scope, numbers) } catch { throw ServiceError(error) }
        case .id(let id):
            guard let item = item(id) else {
                throw ServiceError("this item is no longer in the trip; see `caravan list`")
            }
            return item
        }
    }

    /// Each item once, in the order in which they are named.
    mutating func items(
        _ references: [ItemReference], in scope: ReferenceScope, _ numbers: ShownNumbers
    ) throws(ServiceError) -> [ItemView] {
        var items: [ItemView] = []
        var seen: Set<ItemID> = []
        for reference in references {
            let item = try item(reference, in: scope, numbers)
            if seen.insert(item.id).inserted { items.append(item) }
        }
        return items
    }

    /// Titles are compared by their bytes, and a keyboard, a file's name and a macOS write the same letters in different ones. So a
    /// title is looked up in both of Unicode's canonical forms, too.
    private mutating func item(
        typed text: String, in scope: ReferenceScope, _ numbers: ShownNumbers
    ) throws(TripError) -> ItemView {
        var forms: [String] = []
        for form in [text, text.precomposedStringWithCanonicalMapping, text.decomposedStringWithCanonicalMapping]
        where !forms.contains(where: { $0.utf8.elementsEqual(form.utf8) }) {
            forms.append(form)
        }
        var found: [ItemView] = []
        var failure: TripError?
        for form in forms {
            do throws(TripError) {
                let item = try resolve(form, in: scope, shown: numbers)
                if !found.contains(where: { $0.id == item.id }) { found.append(item) }
            } catch {
                guard error.code == .unknownItem else { throw error }
                failure = failure ?? error
            }
        }
        let inScope = found.filter { $0.isRemoved == (scope == .removed) }
        if !inScope.isEmpty { found = inScope }
        if found.count == 1 { return found[0] }
        if found.isEmpty, let failure { throw failure }
        let names = found.map { item in
            (number(of: item.id, shown: numbers).map { "\($0) " } ?? "") + "\(item.title.quoted) (\(item.shortID))"
        }
        throw TripError(
            .ambiguousItem, "\(text.quoted) could be \(names.joined(separator: " or ")); give a number or an id")
    }

    /// An action with a person's id in place of a name.
    mutating func resolve(_ action: ItemAction) throws(ServiceError) -> ItemAction {
        guard case .edit(var fields, let shown) = action, let name = fields[.assignee] ?? nil, !name.isBlank else {
            return action
        }
        fields[.assignee] = try id(ofPerson: name)
        return .edit(fields, shown: shown)
    }

    /// The id of somebody by their name, or by an id.
    mutating func id(ofPerson name: String) throws(ServiceError) -> String {
        let everybody = everybody
        let id: ParticipantID
        do { id = try everybody.person(named: name) } catch { throw ServiceError(error) }
        if name != id.description, let person = everybody.first(where: { $0.id == id }), person.isOut {
            throw ServiceError(
                "\(person.displayName.quoted) is no longer in the trip; name somebody of `caravan members`")
        }
        return id.description
    }
}
