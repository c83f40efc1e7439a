import ChangeLog
import Foundation
import Sodium
import SyncEngine
import Testing
import TripService

@testable import CaravanNode

/// Names that others chose, on one's own screen.
struct ShownNameTests {
    /// Whoever asks to be let in says their name before any rule of the trip has looked at it.
    @Test func aNameThatWouldWriteOverTheScreenIsNotShown() async throws {
        let scratch = TripNodeTests.Scratch()
        let node = try await scratch.trip(title: "Lisbon in June", name: "Jie", in: scratch.home("jie"))
        var entropy = SystemRandomNumberGenerator()
        let cryptography = try SodiumCryptography()
        let invite = Invite(seed: .random(using: &entropy), uses: 3, expires: nil)
        try await node.author(.invite(invite))
        let id = invite.id(openedBy: await node.node.secrets.device, using: cryptography)
        for name in ["Mia\u{1B}[2J\u{1B}[1;1H", "Mia\nJie let Noah in", "\u{202E}aiM"] {
            let secrets = DeviceSecrets(
                signingSeed: .random(using: &entropy), agreementSecret: .random(using: &entropy),
                firstOf: .invited(id), using: cryptography)
            let trip = await node.node.log.trip
            let message = Admission.consentMessage(trip: trip, device: secrets.device, name: name)
            let admission = Admission(
                device: secrets.device, name: name, invite: id,
                consent: cryptography.sign(message, seed: secrets.signingSeed), grant: nil)
            try await node.author(.admit(admission))
        }
        let names = try await node.memberNames() + node.status().devices.map(\.label)
        #expect(names.count == 7)
        for name in names {
            #expect(!name.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" || $0 == "\n" }, "\(name)")
        }
        await node.close()
    }
}
