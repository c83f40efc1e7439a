import Attachments
import ChangeLog
import DeltaCRDT
import SyncEngine
import TripModel
import TripRules
import TripService
import TripStore

// Guests: people with only a browser. This node keeps keys and a log for each. To every node, their acts are their own, and
// count as long as they and their host are in.
extension TripNode {
    /// Admits a guest, durably.
    func admitGuest(name: String) async throws(ServiceError) -> MemberView {
        try requireMember()
        let name = try Self.typed(name: name)
        let reader = reader
        let people = node.log.people
        let wanted = TextClasses.trimmed(name).lowercased()
        guard !people.contains(where: { $0.isIn && reader.ownName(of: $0.id).lowercased() == wanted }) else {
            throw ServiceError("“\(name)” is already taken; choose another name")
        }
        let own = node.secrets.device.participant
        guard
            people.count(where: { $0.isGuest && $0.parent == own && $0.standing != .removed }) < ChangeBounds.guestsMax
        else {
            throw ServiceError(
                "\(reader.ownName(of: own)) has \(ChangeBounds.guestsMax) guests, the maximum of one member; if you were here before, choose "
                    + "your name, or ask another member to admit you"
            )
        }
        let seed = Bytes32.random(using: &entropy)
        // Before the admission: a guest whose keys are lost could never write.
        try keepGuest(seed)
        let guest = DeviceSecrets(guestOf: own, seed: seed, using: cryptography)
        try await admit(guest, name: name)
        // The guest is admitted. If the name can't be written now, it is written with their first act.
        try? await introduce(guest.device)
        guard let person = node.log.person(guest.device.participant) else {
            throw ServiceError("\(name) could not be admitted; try again")
        }
        return self.reader.view(of: person)
    }

    /// Answers a guest's request.
    ///
    /// - Parameter id: the guest's, in hexadecimal digits.
    func answer(
        _ request: TripRequest, _ photos: [PhotoManifest], asGuest id: String
    ) async throws(ServiceError) -> TripAnswer {
        let guest = try guest(id)
        try requireIn(guest)
        switch request {
        case .add(let items, nil):
            try await introduce(guest)
            return .done(try await add(items, photos, as: .guest(guest)))
        case .act(let action, let items) where action.isForGuests:
            try await introduce(guest)
            return .done(try await act(action, on: items, as: .guest(guest)))
        case .act(let action, let items) where action.isForTheirAuthor:
            let scope: ReferenceScope = action == .restore ? .removed : .present
            let own = ParticipantID(guest.participant)
            guard try resolve(items, in: scope, for: .guest(guest)).allSatisfy({ $0.addedBy == own }) else {
                throw ServiceError(
                    "guests can only change and remove what they added, and write in notes; ask "
                        + "\(hostName(of: guest)) to do this")
            }
            try await introduce(guest)
            return .done(try await act(action, on: items, as: .guest(guest)))
        case .removeComments(let item, let comments):
            return .done(try await removeComments(of: item, comments, as: .guest(guest)))
        case .attach(let item, _):
            try await introduce(guest)
            return .done(try await act(.attach(photos), on: [item], as: .guest(guest)))
        case .note: return .note(shown.trip.note)
        case .editNote(let text, let shown):
            try await introduce(guest)
            try await perform(.editNote(text, shown: shown), as: .guest(guest))
            return .note(shown.trip.note)
        case .step(_, let request): return try await answer(request, photos, asGuest: id)
        case .picture(let photo, let item, let size): return .picture(try await picture(photo, of: item, size))
        case .list, .view: return .trip(shown.trip.view)
        case .show(let reference, _): return .item(try resolve(reference, for: .guest(guest)), of: shown.trip.group)
        case .items(let ids): return .items(ids.compactMap { shown.trip.item($0) })
        case .add, .act, .undo,
            .addList, .editList, .removeList, .restoreList, .move, .renameTrip, .renameSelf, .history, .recentHistory,
            .members, .status, .admitGuest, .asGuest, .removable, .removeMember, .keepMember, .removeDevice, .leave,
            .archive,
            .invite, .addDevice, .invites,
            .showInvite, .keepInvite, .closeInvite, .makeBundle, .takeIn,
            .find, .shown, .showRows, .meanings, .wishes, .wish, .unwish, .shareWishes, .addFeed, .removeFeed, .look,
            .see, .viewed, .own, .fetchLinks, .mailboxes:
            throw ServiceError(
                "guests can only add, change what they added, write in notes, vote, say if they are going, comment, "
                    + "attach photos and read; ask \(hostName(of: guest)) to do this")
        }
    }

    /// The participant who is meant.
    func participant(_ author: Author) -> ParticipantID { author.guest.map { ParticipantID($0.participant) } ?? me }

    /// Throws if a guest may write no more, because they or their host are out.
    func requireIn(_ guest: Device) throws(ServiceError) {
        guard let removal = reader.removal(of: guest.participant) else { return }
        let host = node.log.person(guest.participant)?.parent
        let isHostOut = host.map { !(node.log.person($0)?.isIn ?? false) } ?? false
        throw ServiceError(outGuest: removal, host: isHostOut ? host.map { reader.ownName(of: $0) } : nil)
    }

    // MARK: -

    /// The guest of an id whose log is kept here.
    private func guest(_ id: String) throws(ServiceError) -> Device {
        let wanted = id.lowercased()
        if let guest = node.guestDevices.first(where: { ParticipantID($0.participant).description == wanted }) {
            return guest
        }
        let person = node.log.people.first { $0.isGuest && ParticipantID($0.id).description == wanted }
        guard let person else {
            throw ServiceError("there is no guest with the id “\(id.prefix(40))”; join as a guest first")
        }
        throw ServiceError(
            "the keys of \(reader.name(of: person.id)) are not on this device; join again where you joined first, or as a new guest"
        )
    }

    private func hostName(of guest: Device) -> String {
        node.log.person(guest.participant)?.parent.map { reader.name(of: $0) } ?? "your host"
    }

    /// Writes a guest's name into the trip, unless that was done.
    private func introduce(_ guest: Device) async throws(ServiceError) {
        guard shown.trip.givenName(of: ParticipantID(guest.participant)) == nil,
            let name = node.log.person(guest.participant)?.name
        else { return }
        try await perform(.setName(TripLog.shown(name)), as: .guest(guest))
    }

    /// Keeps the seed of a guest's secrets, durably.
    private func keepGuest(_ seed: Bytes32) throws(ServiceError) {
        var grown = keys
        if grown.guestSeeds.count >= KeyFile.maximumGuests {
            // Of guests whose admission was never written.
            grown.guestSeeds.removeAll {
                let guest = DeviceSecrets(guestOf: keys.participant, seed: $0, using: cryptography).device
                return node.log.device(guest.replica) == nil
            }
        }
        grown.guestSeeds.append(seed)
        try lock.write(grown, to: folder)
        keys = grown
    }
}
