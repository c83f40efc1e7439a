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
        try GuestDesk(reader: reader).requireAdmissible(name)
        let seed = Bytes32.random(using: &entropy)
        // Before the admission: a guest whose keys are lost could never write.
        try keepGuest(seed)
        let guest = DeviceSecrets(guestOf: node.secrets.device.participant, seed: seed, using: cryptography)
        try await authoring { .admitGuest(guest, name: name, ticket: $0) }
        // The guest is admitted. If the name can't be written now, it is written with their first act.
        try? await introduce(guest.device)
        guard let person = node.log.person(guest.device.participant) else {
            throw ServiceError("\(name) could not be admitted; try again")
        }
        return reader.view(of: person)
    }

    /// Answers a guest's request.
    ///
    /// - Parameter id: the guest's, in hexadecimal digits.
    func answer(
        _ request: TripRequest, _ photos: [PhotoManifest], asGuest id: String
    ) async throws(ServiceError) -> TripAnswer {
        let desk = GuestDesk(reader: reader)
        let guest = try desk.guest(id)
        try desk.requireIn(guest)
        guard let request = GuestRequest(request) else { throw desk.refusal(of: guest) }
        let author = Author.guest(guest)
        switch request {
        case .add(let items):
            try await introduce(guest)
            return .done(try await add(items, photos, as: author))
        case .act(let action, let items, let isForTheirAuthor):
            if isForTheirAuthor {
                let scope: ReferenceScope = action == .restore ? .removed : .present
                try desk.requireAuthor(guest, of: try resolve(items, in: scope, for: author))
            }
            try await introduce(guest)
            return .done(try await act(action, on: items, as: author))
        case .attach(let item):
            try await introduce(guest)
            return .done(try await attach(photos, to: item, as: author))
        case .removeComments(let item, let comments):
            return .done(try await removeComments(of: item, comments, as: author))
        case .editNote(let text, let shown):
            try await introduce(guest)
            try await perform(.editNote(text, shown: shown), as: author)
            return .note(self.shown.trip.note)
        case .write(let item, let offset, let shown):
            return .writers(write(in: item, at: offset, of: shown, as: author))
        case .stopWriting: return .writers(stopWriting(as: author))
        case .note: return .note(shown.trip.note)
        case .trip: return .trip(shown.trip.view)
        case .item(let reference): return .item(try resolve(reference, for: author), of: shown.trip.group)
        case .items(let ids): return .items(ids.compactMap { shown.trip.item($0) })
        case .picture(let photo, let item, let size): return .picture(try await picture(photo, of: item, size))
        }
    }

    /// The participant who is meant.
    func participant(_ author: Author) -> ParticipantID { author.guest.map { ParticipantID($0.participant) } ?? me }

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
