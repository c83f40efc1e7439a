import Testing
import TripSimulation

@testable import ChangeLog

/// Who is met in a session that names a replica and shows a session key.
struct PeerTests {
    @Test("a replica is met where its own session key is shown, and by no other key")
    func sessionKey() throws {
        var founder = try Member.founder()
        let friend = try founder.admit(2).secrets.device
        let own = founder.secrets.device
        #expect(founder.log.peer(friend.replica, showing: friend.agreementKey) == .member(friend))
        #expect(founder.log.peer(friend.replica, showing: own.agreementKey) == .impostor)
    }

    @Test("a device that claims another's session key takes nothing from the key's owner")
    func claims() throws {
        var founder = try Member.founder()
        let friend = try founder.admit(2)
        let invite = try founder.ownInvite()
        let claimant = Member.secrets(3, as: .invited(invite))
        let device = Device(
            signingKey: claimant.device.signingKey, agreementKey: friend.secrets.device.agreementKey,
            participant: claimant.device.participant, using: Member.cryptography)
        let message = Admission.consentMessage(trip: founder.log.trip, device: device, name: "x")
        let consent = Member.cryptography.sign(message, seed: claimant.signingSeed)
        try founder.say(.admit(Admission(device: device, name: "x", invite: invite, consent: consent, grant: nil)))
        let key = friend.secrets.device.agreementKey
        #expect(founder.log.peer(device.replica, showing: key) == .member(device))
        try founder.say(.remove(participant: device.participant, grant: nil))
        #expect(founder.log.peer(device.replica, showing: key) == .outside)
        #expect(founder.log.peer(friend.replica, showing: key) == .member(friend.secrets.device))
    }

    @Test("a device of somebody who is out, or waits, is outside, and one that is not known is unproven")
    func outside() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        let before = friend
        try founder.remove(friend)
        let (phone, newcomer) = (try friend.addDevice(3).secrets.device, try friend.admit(4).secrets.device)
        founder.log = try inOneLog(founder, friend)
        #expect(founder.log.peer(friend.replica, showing: friend.secrets.device.agreementKey) == .outside)
        #expect(founder.log.peer(phone.replica, showing: phone.agreementKey) == .outside)
        #expect(founder.log.peer(newcomer.replica, showing: newcomer.agreementKey) == .outside)
        #expect(before.log.peer(newcomer.replica, showing: newcomer.agreementKey) == .unproven)
    }

    /// All that two hold, whatever is retained of it.
    private func inOneLog(_ left: Member, _ right: Member) throws -> TripLog {
        var log = left.log
        #expect(log.receive(right.changes.map(\.record)).refusal == nil)
        return log
    }
}
