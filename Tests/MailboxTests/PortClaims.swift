import ChangeLog
import LibC
import SyncEngine
import Testing

@testable import Mailbox

/// What each mailbox must do, whatever stores its blocks.
enum PortClaims {
    static func block(_ size: Int = 1_024) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: size)
        if let source = fopen("/dev/urandom", "r") {
            fread(&bytes, 1, size, source)
            fclose(source)
        }
        return bytes
    }

    static func slot(of prefix: Bytes16? = nil) -> MailboxSlot {
        var generator = SystemRandomNumberGenerator()
        return MailboxSlot(
            prefix: prefix ?? Bytes32.random(using: &generator).prefix16,
            tag: Bytes32.random(using: &generator).prefix16)
    }

    /// - Parameter drops: whether it deletes blocks when asked to.
    static func check(_ port: some MailboxPort, slot: MailboxSlot = slot(), drops: Bool = true) throws {
        let other = Self.slot(of: slot.prefix)
        #expect(try port.list([slot, other]).map(\.names) == [[], []])
        #expect(try !port.holdsAnything(of: slot.prefix))
        // NATS keeps a block of one name once, in whichever slot: none may be one that a test puts elsewhere.
        let blocks = [block(), block(64 << 10), block(16)]
        for block in blocks { try port.put(block, in: slot) }
        #expect(try port.holdsAnything(of: slot.prefix))
        // A second put is the first.
        try port.put(blocks[0], in: slot)
        let names = blocks.map { BlockName(of: $0) }
        let listings = try port.list([other, slot])
        #expect(listings.map(\.names) == [[], names.sorted()])
        for (name, block) in zip(names, blocks) { #expect(try port.get(name, in: slot) == block) }
        #expect(try port.get(names[0], in: other) == nil)
        #expect(try port.get(BlockName(of: [1, 2, 3]), in: slot) == nil)
        // The largest block that a node writes.
        let large = block(2 << 20)
        try port.put(large, in: other)
        #expect(try port.get(BlockName(of: large), in: other) == large)
        #expect(throws: MailboxError.self) { try port.put(Self.block((2 << 20) + 1), in: other) }
        guard drops else { return }
        try port.drop([names[0], BlockName(of: [9])], in: slot)
        #expect(try port.list([slot]).map(\.names) == [names.dropFirst().sorted()])
        #expect(try port.get(names[0], in: slot) == nil)
        try port.drop(names, in: slot)
        #expect(try port.list([slot]).map(\.names) == [[]])
    }

    /// Whether a hint comes within 5 s of an act, which is done at the first hint.
    static func isHinted(
        _ hints: AsyncStream<Void>, after act: @escaping @Sendable () throws -> Void
    ) async throws -> Bool {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                var count = 0
                for await _ in hints {
                    count += 1
                    if count == 1 { try act() } else { return true }
                }
                return false
            }
            group.addTask {
                try await Task.sleep(for: .seconds(5))
                return false
            }
            defer { group.cancelAll() }
            return try await group.next() ?? false
        }
    }
}
