import ChangeLog
import Foundation
import Glibc
import Sodium
import TripModel

/// What numbers mean on this device, kept between commands: sealed, in two files of the trip's folder. `shown` holds the
/// last list, `shown-since` the few items that were shown alone since, so that to show one does not cost what there is.
///
/// A hint: where it cannot be read or written, numbers mean what they mean at present.
struct ShownNumbersFile {
    private(set) var numbers: ShownNumbers
    private var since: ShownNumbers
    private let path: String
    private let key: Bytes32
    private let cryptography: SodiumCryptography

    private static let nonceSize = 24
    private static let bytesMax = 4 << 20
    /// The most items that are kept beside a list: with one more, all is written anew.
    private static let sinceMax = 128

    /// - Parameter secret: known to this device alone.
    init(folder: String, secret: Bytes32, using cryptography: SodiumCryptography) {
        path = folder + "/shown"
        key = cryptography.deriveKey(from: secret, label: "caravan shown numbers at rest")
        self.cryptography = cryptography
        numbers = ShownNumbers()
        since = ShownNumbers()
        numbers = read(path)
        since = read(path + "-since")
        numbers.showed(since)
    }

    /// A list was shown: its numbers take the place of all that were shown before.
    mutating func showed(list: [ItemView]) {
        var shown = ShownNumbers()
        shown.showed(list: list)
        guard shown != numbers || since.count > 0 else { return }
        numbers = shown
        writeAll()
    }

    /// Items were shown one by one, under these numbers.
    mutating func showed(_ items: [ItemView]) {
        let new = items.filter { !numbers.isShown($0.number, with: $0.id) }
        guard !new.isEmpty else { return }
        for item in new {
            numbers.showed(item.number, item.id)
            since.showed(item.number, item.id)
        }
        if since.count > Self.sinceMax { writeAll() } else { write(since, to: path + "-since") }
    }

    // MARK: -

    private mutating func writeAll() {
        write(numbers, to: path)
        since = ShownNumbers()
        unlink(path + "-since")
    }

    private func read(_ path: String) -> ShownNumbers {
        guard let file = FileHandle(forReadingAtPath: path) else { return ShownNumbers() }
        defer { try? file.close() }
        guard let sealed = try? file.read(upToCount: Self.bytesMax), sealed.count > Self.nonceSize,
            let bytes = cryptography.decrypt(
                Array(sealed.dropFirst(Self.nonceSize)), nonce: Array(sealed.prefix(Self.nonceSize)), key: key,
                authenticating: Array((path as NSString).lastPathComponent.utf8))
        else { return ShownNumbers() }
        return ShownNumbers(bytes: bytes)
    }

    private func write(_ numbers: ShownNumbers, to path: String) {
        var generator = SystemRandomNumberGenerator()
        let nonce = (0..<Self.nonceSize).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let sealed =
            nonce
            + cryptography.encrypt(
                numbers.bytes, nonce: nonce, key: key,
                authenticating: Array((path as NSString).lastPathComponent.utf8))
        let draft = path + ".new"
        let isWritten = FileManager.default.createFile(
            atPath: draft, contents: Data(sealed), attributes: [.posixPermissions: 0o600])
        if !isWritten || rename(draft, path) != 0 { unlink(draft) }
    }
}
