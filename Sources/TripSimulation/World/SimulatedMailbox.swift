package import ChangeLog
package import Convergence
package import SyncEngine

/// A mailbox in memory, which can be as bad a peer as any: it may do all that its operator, or what syncs its files, can do.
package struct SimulatedMailbox: Sendable {
    /// How it behaves badly while that lasts.
    package enum Fault: String, CaseIterable, Hashable, Comparable, Sendable {
        /// It says everything twice.
        case repeats
        /// It serves a listing that it served before.
        case servesOld
        /// It lists blocks of other slots and of other trips, and serves one for another.
        case servesOthers
        /// It has no room.
        case full
        /// It serves the beginnings of blocks, as a folder does that is being synced.
        case partialFile
        /// It can't be reached, or fails at everything.
        case unreachable

        package static func < (left: Fault, right: Fault) -> Bool { left.rawValue < right.rawValue }
    }

    package let prefix: Bytes16
    package var faults: Set<Fault> = []
    private var blocks: [MailboxSlot: [BlockName: [UInt8]]] = [:]
    /// The listing before the last change of each slot.
    private var earlier: [MailboxSlot: [BlockName]] = [:]
    /// Blocks of another trip on the same machine.
    private let strangers: [[UInt8]]
    private let cryptography: any SessionCryptography
    /// How many blocks were taken and lost.
    package private(set) var lost = 0
    package private(set) var puts = 0
    /// All bytes that were ever put.
    package private(set) var history: [(slot: MailboxSlot, bytes: [UInt8])] = []

    package init(_ prefix: Bytes16, using generator: inout SeededGenerator, _ cryptography: any SessionCryptography) {
        self.prefix = prefix
        self.cryptography = cryptography
        strangers = (0..<4).map { _ in (0..<1_024).map { _ in UInt8(truncatingIfNeeded: generator.next() as UInt64) } }
    }

    package var count: Int { blocks.values.reduce(0) { $0 + $1.count } }

    /// What it answers, each of it once or more often, in any order.
    package mutating func answers(
        to request: MailboxRequest, using generator: inout SeededGenerator
    ) -> [MailboxAnswer] {
        if faults.contains(.unreachable) { return request.failures }
        var answers: [MailboxAnswer] = []
        switch request {
        case .list(let slots):
            for slot in slots { answers.append(.listed(slot, names(in: slot, using: &generator))) }
        case .get(let name, let slot): answers.append(.block(name, slot, block(name, in: slot, using: &generator)))
        case .put(let name, let slot, let bytes):
            puts += 1
            history.append((slot, bytes))
            if faults.contains(.full) {
                answers.append(.put(name, slot, .full))
            } else {
                earlier[slot] = blocks[slot, default: [:]].keys.sorted()
                blocks[slot, default: [:]][name] = bytes
                answers.append(.put(name, slot, .stored))
            }
        case .drop(let names, let slot): for name in names { blocks[slot]?[name] = nil }
        }
        if faults.contains(.repeats) { answers += answers }
        return answers.shuffled(using: &generator)
    }

    private func names(in slot: MailboxSlot, using generator: inout SeededGenerator) -> [BlockName] {
        if faults.contains(.servesOld), let names = earlier[slot] { return names }
        var names = blocks[slot, default: [:]].keys.sorted()
        if faults.contains(.servesOthers) {
            for other in blocks.keys.sorted() where other != slot { names += blocks[other, default: [:]].keys.sorted() }
            names += strangers.map { BlockName(cryptography.hash($0)) }
        }
        if faults.contains(.repeats) { names += names }
        return names.shuffled(using: &generator)
    }

    private func block(
        _ name: BlockName, in slot: MailboxSlot, using generator: inout SeededGenerator
    ) -> [UInt8]? {
        var bytes = blocks[slot]?[name]
        if faults.contains(.servesOthers) {
            bytes = bytes ?? blocks.keys.sorted().compactMap { blocks[$0]?[name] }.first
            bytes = bytes ?? strangers.first { BlockName(cryptography.hash($0)) == name }
            if generator.oneIn(4) { bytes = strangers.randomElement(using: &generator) }
        }
        if faults.contains(.partialFile), generator.oneIn(2), let whole = bytes {
            bytes = Array(whole.prefix(generator.number(in: 0...whole.count - 1)))
        }
        return bytes
    }

    /// Loses blocks that it said are stored: each with one chance in so many.
    package mutating func forget(oneIn share: UInt64, using generator: inout SeededGenerator) {
        for slot in blocks.keys.sorted() {
            for name in blocks[slot, default: [:]].keys.sorted() where generator.oneIn(share) {
                blocks[slot]?[name] = nil
                lost += 1
            }
        }
    }

    /// Accepts a block from any author.
    package mutating func lay(_ bytes: [UInt8], in slot: MailboxSlot) {
        blocks[slot, default: [:]][BlockName(cryptography.hash(bytes))] = bytes
    }

    /// Serves other bytes under all names.
    package mutating func falsifyAll() {
        for slot in blocks.keys { for name in blocks[slot, default: [:]].keys { blocks[slot]?[name] = [1, 2, 3] } }
    }

    /// Cuts all blocks short, for good.
    package mutating func truncateAll() {
        for slot in blocks.keys { for name in blocks[slot, default: [:]].keys { blocks[slot]?[name]?.removeLast() } }
    }

    /// Puts what nobody of the trip wrote.
    package mutating func stuff(_ count: Int, into slot: MailboxSlot, using generator: inout SeededGenerator) {
        for _ in 0..<count {
            let bytes = (0..<32).map { _ in UInt8(truncatingIfNeeded: generator.next() as UInt64) }
            blocks[slot, default: [:]][BlockName(cryptography.hash(bytes))] = bytes
        }
    }

    /// The slots that anything lies in.
    package var slots: [MailboxSlot] { blocks.keys.sorted() }

    package func names(in slot: MailboxSlot) -> [BlockName] { blocks[slot, default: [:]].keys.sorted() }
    package func bytes(of name: BlockName, in slot: MailboxSlot) -> [UInt8]? { blocks[slot]?[name] }
}
