import CSodium
import ChangeLog
package import SyncEngine

extension BlockName {
    /// The name of a block, by which a damaged one is known.
    package init(of block: [UInt8]) {
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        withUnsafeMutableBytes(of: &words) { hash in
            // It fails only for sizes of hashes and keys that don't exist.
            _ = crypto_generichash(
                hash.bindMemory(to: UInt8.self).baseAddress!, hash.count, block, UInt64(block.count), nil, 0)
        }
        self.init(
            Bytes32(words: (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian)))
    }
}
