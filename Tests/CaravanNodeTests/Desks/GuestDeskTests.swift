import ChangeLog
import SyncEngine
import Testing
import TripModel
import TripRules
import TripService

@testable import CaravanNode

/// Who may be a guest, and what guests may ask for.
struct GuestDeskTests {
    private func desk(_ writer: LogWriter, guests: [DeviceSecrets] = []) -> GuestDesk {
        var shown = ShownTrip(cryptography: writer.cryptography)
        let node = SyncNode(
            log: writer.log, secrets: writer.secrets, guests: guests, epochSecrets: [],
            cryptography: writer.cryptography)
        _ = shown.showAll(in: node, seen: nil)
        return GuestDesk(reader: shown.reader(node))
    }

    @Test(
        "guests may ask for what they add, vote and read, and for nothing about the trip, its members or this machine")
    func requests() {
        let item = ItemReference.typed("1")
        let mine = [
            TripRequest.add([]), .act(.vote(.for), on: [item]), .attach(item: item, photos: []),
            .step(of: 1, .editNote("Hello")), .note, .list, .view, .show(item: item), .items([]),
            .removeComments(item: item, comments: ["1"]),
        ]
        for request in mine { #expect(GuestRequest(request) != nil, "\(request)") }
        let others: [TripRequest] = [
            .add([], list: "Stays"), .undo(), .members, .history, .status, .invites, .wishes, .leave,
            .renameTrip("Oslo"), .step(of: 1, .members), .asGuest(guest: "a", .view), .shown(.view), .own,
            .removeMember(name: "Jie"), .makeBundle(path: "/tmp/x"), .mailboxes(.list),
        ]
        for request in others { #expect(GuestRequest(request) == nil, "\(request)") }
        guard case .act(_, _, let isForTheirAuthor)? = GuestRequest(.act(.remove, on: [item])) else {
            Issue.record("guests may remove what they added")
            return
        }
        #expect(isForTheirAuthor)
    }

    @Test("a guest whose name a member has is not admitted, and neither is one guest too many")
    func admission() throws {
        var jie = try LogWriter(founding: "Jie")
        for name in [" JIE ", "Jie (out)", "jie (2)"] {
            #expect(throws: ServiceError.self) { try desk(jie).requireAdmissible(name) }
        }
        try desk(jie).requireAdmissible("Jie (Macao)")
        try desk(jie).requireAdmissible("Ana")
        for number in 0..<ChangeBounds.guestsMax { _ = try jie.admitGuest("Guest \(number)") }
        let error = #expect(throws: ServiceError.self) { try desk(jie).requireAdmissible("Ana") }
        #expect(error?.message.hasPrefix("Jie has \(ChangeBounds.guestsMax) guests") == true)
    }

    @Test("a guest is found by their id where their keys are, and refused with their host's name once they are out")
    func lookup() throws {
        var jie = try LogWriter(founding: "Jie")
        let ana = try jie.admitGuest("Ana")
        let id = ParticipantID(ana.device.participant).description
        #expect(try desk(jie, guests: [ana]).guest(id.uppercased()) == ana.device)
        let error = #expect(throws: ServiceError.self) { try desk(jie).guest(id) }
        #expect(error?.message.hasPrefix("the keys of Ana are not on this device") == true)
        #expect(throws: ServiceError.self) { try desk(jie, guests: [ana]).guest("abc") }
        try desk(jie, guests: [ana]).requireIn(ana.device)
        #expect(desk(jie, guests: [ana]).refusal(of: ana.device).message.hasSuffix("ask Jie to do this"))
        try jie.write(.remove(participant: ana.device.participant, grant: nil))
        let out = #expect(throws: ServiceError.self) { try desk(jie, guests: [ana]).requireIn(ana.device) }
        #expect(out?.message.contains("Jie removed you") == true, "\(out?.message ?? "")")
    }

    @Test("guests change only what they added")
    func authorship() throws {
        var jie = try LogWriter(founding: "Jie")
        let ana = try jie.admitGuest("Ana")
        try jie.write(adding: "Tent")
        var guest = LogWriter(ana, jie.log, jie.cryptography)
        try guest.write(adding: "Kayak")
        var shown = ShownTrip(cryptography: jie.cryptography)
        _ = shown.showAll(in: guest.node, seen: nil)
        let items = shown.trip.view.items
        let desk = desk(LogWriter(jie.secrets, guest.log, jie.cryptography))
        try desk.requireAuthor(ana.device, of: items.filter { $0.title == "Kayak" })
        let error = #expect(throws: ServiceError.self) { try desk.requireAuthor(ana.device, of: items) }
        #expect(error?.message.contains("only change and remove what they added") == true)
    }
}
