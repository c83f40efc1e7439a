package import ChangeLog
import LibC
package import SyncEngine
import Synchronization

/// A mailbox in a folder, which Syncthing, Nextcloud, Dropbox, NFS or a USB stick carries from home to home.
///
/// A block is the file `cv.<prefix>/<tag>/<name>`. It is written under a hidden name and renamed once it is on the disk. It
/// is read only if its content has its name. So files that are half-synced, truncated, "conflicted copies", or somebody
/// else's, do no harm.
package final class FolderMailbox: MailboxPort {
    package let path: String
    let limits: MailboxPortLimits
    private let state = Mutex(State())

    private struct State {
        var hasEnded = false
        var watches: [FolderWatch] = []
        /// The files whose contents were found to have their names.
        var whole: [MailboxSlot: [BlockName: FileStamp]] = [:]
        var clockAhead: Duration?
    }

    /// The beginning of a draft's name: hidden, so that few tools carry it, and no name of a block.
    private static let draftPrefix = ".caravan-"
    private static let slotsRememberedMax = 64

    /// - Parameter path: a folder that exists. It may be a symbolic link, unlike all that is in it.
    package init(path: String, limits: MailboxPortLimits = .default) {
        self.path = path
        self.limits = limits
    }

    package func put(_ block: [UInt8], in slot: MailboxSlot) throws(MailboxError) {
        try checkIsOpen()
        guard block.count <= limits.blockBytes else { throw .tooLarge(block.count, most: limits.blockBytes) }
        let name = BlockName(of: block)
        let prefixFolder = try Folder(opening: path).making(MailboxSlot.root(of: slot.prefix))
        let folder = try prefixFolder.making(slot.tag.description)
        if let file = try folder.file(name.description), try file.contents(most: limits.blockBytes) == block {
            // Perhaps it was renamed just before the machine lost its power.
            try file.synchronize()
            try folder.synchronize()
            return
        }
        let entries = try folder.names(most: limits.entriesPerListing)
        for draft in entries.names where draft.hasPrefix(Self.draftPrefix) {
            folder.remove(draft, olderThan: limits.draftAge)
        }
        guard entries.isWhole else { throw .crowded(folder.path, most: limits.entriesPerListing) }
        guard entries.names.count(where: { BlockName($0) != nil }) < limits.namesPerListing else {
            throw .crowded(folder.path, most: limits.namesPerListing)
        }
        let draft = Self.draftPrefix + String(UInt64.random(in: .min ... .max), radix: 16)
        try folder.write(block, to: draft, then: name.description)
        // A file server dates files by its own clock.
        guard let stamp = folder.stamp(of: name.description) else { return }
        state.withLock { $0.clockAhead = MailboxClock.ahead(of: stamp.seconds) }
    }

    package var clockAhead: Duration? { state.withLock(\.clockAhead) }

    package func list(_ slots: [MailboxSlot]) throws(MailboxError) -> [MailboxListing] {
        var listings: [MailboxListing] = []
        for slot in slots {
            try checkIsOpen()
            listings.append(try list(slot))
        }
        return listings
    }

    private func list(_ slot: MailboxSlot) throws(MailboxError) -> MailboxListing {
        var listing = MailboxListing()
        guard let folder = try self.folder(of: slot) else { return listing }
        let entries = try folder.names(most: limits.entriesPerListing)
        guard entries.isWhole else { throw .crowded(folder.path, most: limits.entriesPerListing) }
        let blocks = try blocks(of: entries.names, in: folder, slot)
        guard blocks.count <= limits.namesPerListing else {
            throw .crowded(folder.path, most: limits.namesPerListing)
        }
        listing.names = blocks.sorted()
        return listing
    }

    /// Which names are of whole blocks: one more than may be listed, at most.
    private func blocks(
        of entries: [String], in folder: Folder, _ slot: MailboxSlot
    ) throws(MailboxError) -> [BlockName] {
        let known = state.withLock { $0.whole[slot] ?? [:] }
        var whole: [BlockName: FileStamp] = [:]
        for text in entries {
            guard let name = BlockName(text), whole.count <= limits.namesPerListing else { continue }
            if let stamp = folder.stamp(of: text), known[name] == stamp {
                whole[name] = stamp
            } else if let read = try read(name, in: folder) {
                whole[name] = read.stamp
            }
        }
        state.withLock { [whole] in
            if $0.whole.count >= Self.slotsRememberedMax { $0.whole = [:] }
            $0.whole[slot] = whole
        }
        return Array(whole.keys)
    }

    package func get(_ name: BlockName, in slot: MailboxSlot) throws(MailboxError) -> [UInt8]? {
        try checkIsOpen()
        guard let folder = try folder(of: slot) else { return nil }
        return try read(name, in: folder)?.block
    }

    package func drop(_ names: [BlockName], in slot: MailboxSlot) throws(MailboxError) {
        try checkIsOpen()
        guard let prefixFolder = try Folder(opening: path).folder(MailboxSlot.root(of: slot.prefix)),
            let folder = try prefixFolder.folder(slot.tag.description)
        else { return }
        for name in names { try folder.remove(name.description) }
        try folder.synchronize()
        prefixFolder.removeIfEmpty(slot.tag.description)
    }

    package func clutter(of prefix: Bytes16) throws(MailboxError) -> MailboxClutter? {
        try checkIsOpen()
        guard let folder = try Folder(opening: path).folder(MailboxSlot.root(of: prefix)) else { return nil }
        var (count, example) = (0, String?.none)
        func note(_ names: [String]) {
            count += names.count
            if let first = names.min() { example = min(example ?? first, first) }
        }
        // Hidden files are what tools have in hand.
        let names = try folder.names(most: limits.entriesPerListing).names.filter { !$0.hasPrefix(".") }
        let deadline = ContinuousClock.now + limits.clutterTimeout
        for name in names.sorted() {
            guard let tag = [UInt8](hexadecimal: name).flatMap({ Bytes16($0) }), let slot = try? folder.folder(name)
            else {
                note([name])
                continue
            }
            guard ContinuousClock.now < deadline else { break }
            let there = try slot.names(most: limits.entriesPerListing).names.filter { !$0.hasPrefix(".") }
            let blocks = try blocks(of: there, in: slot, MailboxSlot(prefix: prefix, tag: tag))
            let names = Set(blocks.map(\.description))
            note(there.filter { !names.contains($0) })
        }
        return example.map { MailboxClutter(count: count, example: $0) }
    }

    package func holdsAnything(of prefix: Bytes16) throws(MailboxError) -> Bool {
        try checkIsOpen()
        return try Folder(opening: path).folder(MailboxSlot.root(of: prefix)).map { folder throws(MailboxError) in
            try !folder.names(most: 1).names.isEmpty
        } ?? false
    }

    package func freeBytes() throws(MailboxError) -> Int64? {
        try checkIsOpen()
        return try Folder(opening: path).freeBytes
    }

    package func watch(prefix: Bytes16) -> AsyncStream<Void> {
        let hints = MailboxHints()
        let watch = FolderWatch(path: "\(path)/\(MailboxSlot.root(of: prefix))", limits: limits, hints: hints)
        let isKept = state.withLock { state in
            guard !state.hasEnded else { return false }
            state.watches.removeAll(where: \.hasEnded)
            state.watches.append(watch)
            return true
        }
        if isKept {
            hints.onEnd { watch.end() }
            watch.start()
        } else {
            hints.finish()
        }
        return hints.stream
    }

    package func end() {
        let watches = state.withLock { state in
            state.hasEnded = true
            defer { state.watches = [] }
            return state.watches
        }
        for watch in watches { watch.end() }
    }

    private func checkIsOpen() throws(MailboxError) {
        if state.withLock(\.hasEnded) { throw .ended }
    }

    private func folder(of slot: MailboxSlot) throws(MailboxError) -> Folder? {
        try Folder(opening: path).folder(MailboxSlot.root(of: slot.prefix))?.folder(slot.tag.description)
    }

    private func read(
        _ name: BlockName, in folder: Folder
    ) throws(MailboxError) -> (block: [UInt8], stamp: FileStamp)? {
        guard let file = try folder.file(name.description), let block = try file.contents(most: limits.blockBytes),
            BlockName(of: block) == name
        else { return nil }
        return (block, file.stamp)
    }
}
