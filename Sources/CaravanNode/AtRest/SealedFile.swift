import ChangeLog
import Files
import LibC
import Sodium

/// A small file of a trip's folder, encrypted under a key that this device alone can derive. It is read and written whole.
struct SealedFile: Sendable {
    let path: String
    private let key: Bytes32
    private let header: [UInt8]
    private let bytesMax: Int
    private let mayWrite: Bool
    private let cryptography: SodiumCryptography

    private static let nonceSize = 24
    /// What a file has beside its content: nonce and tag.
    static let overhead = nonceSize + 16

    /// - Parameters:
    ///   - secret: known to this device alone.
    ///   - label: of the key that follows from it.
    ///   - bytesMax: the most bytes of the file that are read.
    ///   - mayWrite: whether it may be changed; false where another process keeps it.
    init(
        _ name: String, in folder: String, secret: Bytes32, label: String, bytesMax: Int, mayWrite: Bool = true,
        using cryptography: SodiumCryptography
    ) {
        path = folder + "/" + name
        key = cryptography.deriveKey(from: secret, label: label)
        header = Array(name.utf8)
        self.bytesMax = bytesMax
        self.mayWrite = mayWrite
        self.cryptography = cryptography
    }

    /// The content; nil if there is none that can be read.
    func read() -> [UInt8]? {
        guard let sealed = try? WholeFile.read(path, atMost: bytesMax), sealed.count > Self.nonceSize else {
            return nil
        }
        return cryptography.decrypt(
            Array(sealed.dropFirst(Self.nonceSize)), nonce: Array(sealed.prefix(Self.nonceSize)), key: key,
            authenticating: header)
    }

    /// - Returns: false if it can't be written. Then the file stays as it was.
    func write(_ bytes: [UInt8]) -> Bool {
        guard mayWrite else { return false }
        var generator = SystemRandomNumberGenerator()
        let nonce = Array(Bytes32.random(using: &generator).bytes.prefix(Self.nonceSize))
        let sealed = nonce + cryptography.encrypt(bytes, nonce: nonce, key: key, authenticating: header)
        return (try? WholeFile.write(sealed, to: path, .none)) != nil
    }

    func remove() {
        if mayWrite { unlink(path) }
    }
}
