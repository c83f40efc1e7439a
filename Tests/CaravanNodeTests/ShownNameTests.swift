import ChangeLog
import Foundation
import Sodium
import Testing

@testable import CaravanNode

/// Names that others chose, on one's own screen.
struct ShownNameTests {
    /// Whoever asks to be let in says their name before any rule of the trip has looked at it.
    @Test func aNameThatWouldWriteOverTheScreenIsNotShown() async throws {
        let scratch = TripNodeTests.Scratch()
        let folder = try await TripNode.create(title: "Lisbon in June", name: "Jie", in: scratch.home("jie"))
        let node = try await TripNode.open(folder: folder)
        var entropy = SystemRandomNumberGenerator()
        let cryptography = try SodiumCryptography()
        for name in ["Mia\u{1B}[2J\u{1B}[1;1H", "Mia\nJie let Noah in", "\u{202E}aiM"] {
            let secrets = DeviceSecrets(
                signingSeed: .random(using: &entropy), agreementSecret: .random(using: &entropy), using: cryptography)
            let admission = Admission(device: secrets.device, name: name, invite: nil, sealedSecrets: [])
            try await node.author(.membership(.admit(admission)), operationCount: 1)
        }
        for command in [Command.members, .status] {
            guard case .output(let text) = await node.execute(Request(command)) else {
                Issue.record("no answer")
                continue
            }
            #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
            #expect(!text.contains("\nJie let Noah in"))
        }
        await node.close()
    }
}
