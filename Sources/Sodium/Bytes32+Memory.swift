import CSodium
import ChangeLog

extension Bytes32 {
    /// The 32 bytes that `fill` writes. The place where it wrote them is wiped.
    static func filled(by fill: (UnsafeMutablePointer<UInt8>) -> Void) -> Bytes32 {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { buffer in
            buffer.initialize(repeating: 0)
            fill(buffer.baseAddress!)
            defer { sodium_memzero(buffer.baseAddress, 32) }
            return Bytes32(UnsafeBufferPointer(buffer))!
        }
    }
}
