import Attachments
import ChangeLog
import Sodium

@testable import TripStore

/// What the disk may hold as the file of a chunk: bytes that nobody here wrote, and such that were altered.
func tryChunks(_ bytes: [UInt8]) {
    guard let sodium = try? SodiumCryptography(), let secret = Bytes32([UInt8](repeating: 7, count: 32)) else { return }
    let seal = ChunkSeal(secret: secret, using: sodium)
    var choices = Choices(bytes)
    let chunk = choices.bytes() + [1]
    let name = seal.hash(chunk)
    let good = seal.seal(chunk, of: name)
    let file = choices.byte() % 2 == 0 ? choices.everything() : choices.altered(good)
    guard let opened = seal.open(file, of: name) else {
        if file == good { fatalError("a chunk is not opened again") }
        return
    }
    guard file == good, opened == chunk else { fatalError("an altered chunk is opened") }
}
