import LogFixtures
import Testing
import TripSimulation

@testable import ChangeLog

/// Which devices are in, and which are out.
struct PeerTests {
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
        #expect(founder.log.isIn(device.replica))
        try founder.say(.remove(participant: device.participant, grant: nil))
        #expect(founder.log.isOut(device.replica))
        #expect(founder.log.isIn(friend.replica) && founder.log.device(friend.replica) == friend.secrets.device)
    }

    @Test("a device of somebody who is out, or waits, is out, and one that is not known is neither in nor out")
    func outside() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        let before = friend
        try founder.remove(friend)
        let (phone, newcomer) = (try friend.addDevice(3).secrets.device, try friend.admit(4).secrets.device)
        founder.log = try inOneLog(founder, friend)
        for replica in [friend.replica, phone.replica, newcomer.replica] { #expect(founder.log.isOut(replica)) }
        #expect(!before.log.isIn(newcomer.replica) && !before.log.isOut(newcomer.replica))
    }

    /// All that two hold, whatever is retained of it.
    private func inOneLog(_ left: Member, _ right: Member) throws -> TripLog {
        var log = left.log
        #expect(log.receive(right.changes.map(\.record)).refusal == nil)
        return log
    }
}
