import CaravanNode
import Console
import TripModel
import TripService

/// A trip whose people are asked along to a new one, and of which lists may be taken along.
struct EarlierTrip {
    let title: String
    /// The name of this home's person there.
    let you: String
    /// How many others are in.
    let others: Int
    private let access: TripAccess
    private let view: TripView

    /// - Throws: where the trip can't be read, nothing can be added to it, or nobody else is in it.
    init(_ reference: String, in home: Home) async throws(ServiceError) {
        let id = try await home.tripID(named: reference, passphrases: .ofKeys)
        access = TripAccess(home: home, id: id, passphrases: .ofKeys) { Output.note("note: \($0)") }
        guard case .trip(let view) = try await access.answer(.view),
            case .status(let status) = try await access.answer(.status)
        else { throw TripOptions.otherAnswer }
        (self.view, title, you) = (view, status.title, status.you)
        let name = "“\(status.title.displayed())”"
        guard !status.isArchived else {
            throw ServiceError(
                "\(name) is archived, so nobody would see it there; reopen it with `caravan archive --reopen`")
        }
        guard status.removal == nil else {
            throw ServiceError(
                "you are out of \(name), so nobody would see it there; use `caravan invite` in the new trip")
        }
        others = view.participants.count { !$0.isOut } - 1
        guard others > 0 else {
            throw ServiceError("nobody else is in \(name); use `caravan invite` in the new trip")
        }
    }

    /// Copies of some of its lists, without what belongs to that trip alone.
    func copies(of references: [String]) throws(ServiceError) -> [TripRequest] {
        var copies: [TripRequest] = []
        for reference in references {
            let list: ListView
            do throws(TripError) { list = try view.list(named: reference, takesBeginning: true) } catch {
                guard error.code == .unknownItem else { throw ServiceError(error) }
                throw ServiceError("“\(title.displayed())” has no list \(reference.quoted); see `caravan lists`")
            }
            let items = view.items(of: list).map { item in
                var copy = NewItem(asIn: item)
                copy.fields[.dates] = nil
                return copy
            }
            copies.append(.addList(title: list.title, kind: list.kind, items: items))
        }
        return copies
    }

    /// Asks its people along: one tap on the link leads them to the new trip.
    func ask(alongTo title: String, by link: String) async throws(ServiceError) {
        _ = try await access.answer(
            .add([NewItem(title: title, fields: [.note: "A trip with the same people. Come along: \(link)"])]))
    }
}
