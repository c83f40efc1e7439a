import Attachments
import TripModel
import TripService

/// What a guest may ask of the node that keeps their log.
enum GuestRequest {
    case add([NewItem])
    /// - Parameter isForTheirAuthor: whether only the person who added the items may do it.
    case act(ItemAction, on: [ItemReference], isForTheirAuthor: Bool)
    case attach(to: ItemReference)
    case removeComments(of: ItemReference, [String])
    case editNote(String, shown: String?)
    case write(in: ItemID?, at: Int, of: String)
    case stopWriting
    case note, trip
    case item(ItemReference)
    case items([ItemID])
    case picture(PhotoID, of: ItemID, PhotoManifest.Size)

    /// Nil for what guests may not do.
    init?(_ request: TripRequest) {
        switch request {
        case .add(let items, nil): self = .add(items)
        case .act(let action, let items) where action.isForGuests:
            self = .act(action, on: items, isForTheirAuthor: false)
        case .act(let action, let items) where action.isForTheirAuthor:
            self = .act(action, on: items, isForTheirAuthor: true)
        case .attach(let item, _): self = .attach(to: item)
        case .removeComments(let item, let comments): self = .removeComments(of: item, comments)
        case .editNote(let text, let shown): self = .editNote(text, shown: shown)
        case .write(let item, let offset, let shown): self = .write(in: item, at: offset, of: shown)
        case .stopWriting: self = .stopWriting
        case .step(_, let request):
            guard let request = GuestRequest(request) else { return nil }
            self = request
        case .note: self = .note
        case .list, .view: self = .trip
        case .show(let reference, _): self = .item(reference)
        case .items(let ids): self = .items(ids)
        case .picture(let photo, let item, let size): self = .picture(photo, of: item, size)
        case .add, .act, .undo, .addList, .editList, .removeList, .restoreList, .move, .renameTrip, .renameSelf,
            .history,
            .recentHistory, .members, .status, .admitGuest, .asGuest, .removable, .removeMember, .keepMember,
            .removeDevice,
            .leave, .archive, .invite, .addDevice, .invites, .showInvite, .keepInvite, .closeInvite, .makeBundle,
            .takeIn,
            .find, .shown, .showRows, .meanings, .wishes, .wish, .unwish, .shareWishes, .addFeed, .removeFeed, .look,
            .see,
            .viewed, .own, .fetchLinks, .mailboxes, .writers:
            return nil
        }
    }
}
