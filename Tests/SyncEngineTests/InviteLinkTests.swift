import ChangeLog
import Convergence
import DeltaCRDT
import Sodium
import Testing

@testable import SyncEngine

/// The text that an invite is (Documentation/Protocol.md, section 11).
struct InviteLinkTests {
    private let cryptography: SodiumCryptography
    private let (trip, secret): (Bytes32, Bytes32)
    private let prefixes: [Bytes16]

    init() throws {
        cryptography = try SodiumCryptography()
        var generator = SeededGenerator(seed: 3)
        (trip, secret) = (.random(using: &generator), .random(using: &generator))
        prefixes = (0..<3).map { _ in Bytes16(high: generator.next(), low: generator.next()) }
    }

    private func link(hints: [String] = [], participant: Bytes32? = nil, _ addresses: [String?]) -> InviteLink {
        InviteLink(
            trip: trip, secret: secret, hints: hints, participant: participant,
            mailboxes: zip(prefixes, addresses).map { InviteLink.Mailbox(prefix: $0, address: $1) })
    }

    @Test("a link with mailboxes is read as it was written")
    func mailboxes() throws {
        for addresses in [[], [nil], ["https://box.example.org/trip"], [nil, "tls://box.example.org"]] as [[String?]] {
            for participant in [nil, secret] {
                let link = link(hints: ["192.0.2.1:7070"], participant: participant, addresses)
                #expect(try InviteLink(text: link.text(using: cryptography), using: cryptography) == link)
            }
        }
    }

    @Test("a link holds two mailboxes, no address of more than 160 bytes, and at most 1,000 characters")
    func bounds() throws {
        let address = String(repeating: "a", count: 160)
        #expect(link([address, address, address]).mailboxes.map(\.address) == [address, address])
        #expect(link([address + "a"]).mailboxes.map(\.address) == [nil])
        #expect(link([""]).mailboxes.map(\.address) == [nil])
        let hints = (0..<4).map { _ in String(repeating: "h", count: 64) }
        let full = link(hints: hints, participant: secret, [address, address])
        let text = full.text(using: cryptography)
        #expect(text.utf8.count <= 1_000)
        #expect((1..<4).contains(full.hints.count), "as many as there is room for")
        #expect(try InviteLink(text: text, using: cryptography) == full)
        #expect(link(hints: hints, participant: secret, []).hints.count == 4)
    }

    @Test(
        "an older version reads what has no mailbox, and says of the rest that it is newer; a link of version 3 is newer here"
    )
    func versions() throws {
        #expect(bytes(of: link([])).first == 1)
        #expect(bytes(of: link([nil])).first == 2)
        var newer = Array(bytes(of: link([nil])).dropLast(4))
        newer[0] = 3
        #expect(throws: InviteLink.Failure.newerVersion) { try InviteLink(text: text(of: newer), using: cryptography) }
    }

    @Test("a link whose mailboxes are not in the one form is damaged")
    func damaged() throws {
        let none = Array(bytes(of: link([])).dropLast(4).dropFirst())
        let prefix = prefixes[0].bytes
        for end in [
            [], [0], [1], [1] + prefix, [1] + prefix + [1, 0], [1] + prefix + [2], [3] + prefix + [0] + prefix + [0],
        ] as [[UInt8]] {
            #expect(throws: InviteLink.Failure.damaged) {
                try InviteLink(text: text(of: [2] + none + end), using: cryptography)
            }
        }
    }

    private func bytes(of link: InviteLink) -> [UInt8] {
        Base32.decode(link.text(using: cryptography).dropFirst("caravan:".count)) ?? []
    }

    private func text(of body: [UInt8]) -> String {
        "caravan:" + Base32.encode(body + cryptography.hash(body).bytes.prefix(4))
    }
}
