import ChangeLog
import DeltaCRDT
import SyncEngine

// A join that was begun, as the key file keeps it.
extension Invitation {
    func encoded(using cryptography: some Cryptography) -> [UInt8] {
        var encoder = CanonicalEncoder()
        encoder.encode(link.text(using: cryptography))
        encoder.encode(name)
        return encoder.bytes
    }

    init?(decoding bytes: [UInt8], using cryptography: some Cryptography) {
        var decoder = CanonicalDecoder(bytes)
        guard let text = try? decoder.decodeString(limit: 2_000), let name = try? decoder.decodeString(limit: 1_000),
            let link = try? InviteLink(text: text, using: cryptography)
        else { return nil }
        self.init(link: link, name: name)
    }
}
