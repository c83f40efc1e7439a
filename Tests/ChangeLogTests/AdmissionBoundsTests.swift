import ChangeLog
import Testing

/// How many a member may bring who are not participants of their own.
struct AdmissionBoundsTests {
    /// Lets in as many as may be, up to 40. Another log agrees on each, and on the refusal.
    private func admitted(_ admission: (UInt64, Author) -> Admission) throws -> Int {
        var founder = try Author.founder()
        var reader = founder.log
        for number in 1...40 as ClosedRange<UInt64> {
            let operation = MembershipOperation.admit(admission(100 + number, founder))
            do {
                let signed = try founder.log.author(.membership(operation), wallTime: 0, as: founder.secrets)
                #expect(reader.receive([signed.sealed]).refusal == nil)
            } catch {
                #expect(error == .membership)
                return Int(number) - 1
            }
        }
        return 40
    }

    @Test func aParticipantHasSoManyDevices() throws {
        let count = try admitted { number, founder in
            let keys = Author.secrets(number).device
            let device = Device(
                signingKey: keys.signingKey, agreementKey: keys.agreementKey,
                participant: founder.secrets.device.participant, using: Author.cryptography)
            return Admission(device: device, name: "Jie", invite: nil, sealedSecrets: [])
        }
        // The first one is the founder's own.
        #expect(count == ChangeLimits.devicesMax - 1)
    }

    @Test func aHostHasSoManyGuests() throws {
        let count = try admitted { number, _ in
            Admission(
                device: Author.secrets(number).device, name: "Guest", invite: nil, isGuest: true, sealedSecrets: [])
        }
        #expect(count == ChangeLimits.guestsMax)
    }
}
