import ChangeLog
import Sodium
import SyncEngine

/// Invite links as people may paste them, and such whose sum is right whatever they say.
func tryInvite(_ bytes: [UInt8]) {
    guard let sodium = try? SodiumCryptography(), let first = bytes.first else { return }
    let rest = Array(bytes.dropFirst())
    let text: String
    switch first % 3 {
    case 0: text = String(decoding: rest, as: UTF8.self)
    case 1: text = "caravan:" + Base32.encode(rest)
    default: text = "caravan:" + Base32.encode(rest + sodium.hash(rest).bytes.prefix(4))
    }
    guard let link = try? InviteLink(text: text, using: sodium) else { return }
    let again = link.text(using: sodium)
    guard again == text.lowercased(), (try? InviteLink(text: again, using: sodium)) == link else {
        fatalError("an invite is read and written otherwise: \(text)")
    }
}
