import LibC
import SyncEngine
import Synchronization

/// Watches a prefix's folder by inotify(7), on a thread of its own. Where inotify says nothing, as on NFS or before a slot's
/// folder is there, a reader must look now and then.
final class FolderWatch: Sendable {
    private let path: String
    private let limits: MailboxPortLimits
    private let hints: MailboxHints
    /// A write to the second ends the thread, which reads the first.
    private let bell = Mutex(Bell())

    private struct Bell {
        var ends: (read: Int32, write: Int32)?
        var hasEnded = false
    }

    /// What makes a block appear or go away. Others' tools may write in place.
    private static let news = UInt32(
        IN_MOVED_TO | IN_MOVED_FROM | IN_CLOSE_WRITE | IN_DELETE | IN_CREATE | IN_DELETE_SELF | IN_MOVE_SELF)

    init(path: String, limits: MailboxPortLimits, hints: MailboxHints) {
        self.path = path
        self.limits = limits
        self.hints = hints
    }

    var hasEnded: Bool { bell.withLock(\.hasEnded) }

    func start() {
        var pair: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { return hints.finish() }
        let ends = (read: pair[0], write: pair[1])
        let mustRun = bell.withLock { bell in
            bell.ends = ends
            return !bell.hasEnded
        }
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        if mustRun, pthread_create(&thread, nil, folderWatchMain, context.toOpaque()) == 0 {
            pthread_detach(thread)
        } else {
            context.release()
            finish()
        }
    }

    func end() {
        bell.withLock { bell in
            guard !bell.hasEnded else { return }
            bell.hasEnded = true
            var one: UInt8 = 1
            if let ends = bell.ends { _ = write(ends.write, &one, 1) }
        }
    }

    private func finish() {
        bell.withLock { bell in
            bell.hasEnded = true
            if let ends = bell.ends {
                close(ends.read)
                close(ends.write)
            }
            bell.ends = nil
        }
        hints.finish()
    }

    fileprivate func run() {
        defer { finish() }
        guard let ending = bell.withLock({ $0.ends?.read }) else { return }
        let watcher = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        // A user has a bounded number of them.
        guard watcher >= 0 else { return }
        defer { close(watcher) }
        var seen: Set<String> = []
        // Something may have come before this watch.
        var hasNews = true
        while true {
            // First observed, then hinted at: what comes while somebody lists is hinted at again.
            let found = observe(watcher)
            if hasNews || found != seen { hints.give() }
            (seen, hasNews) = (found, false)
            var waits = [
                pollfd(fd: ending, events: Int16(POLLIN), revents: 0),
                pollfd(fd: watcher, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&waits, 2, Int32(limits.watchRound / .milliseconds(1)))
            guard ready >= 0 || errno == EINTR else { return }
            if ready > 0, waits[0].revents != 0 { return }
            guard ready > 0 else { continue }
            // The rest of the burst.
            guard poll(&waits, 1, Int32(limits.watchCalm / .milliseconds(1))) <= 0 else { return }
            drain(watcher)
            hasNews = true
        }
    }

    /// Observes the prefix's folder and its slots, again where they are observed already, and says which there are.
    private func observe(_ watcher: Int32) -> Set<String> {
        let flags = Self.news | UInt32(IN_ONLYDIR) | UInt32(IN_DONT_FOLLOW)
        var found: Set<String> = []
        guard inotify_add_watch(watcher, path, flags) >= 0, let folder = try? Folder(opening: path),
            let names = try? folder.names(most: limits.entriesPerListing).names
        else { return found }
        for name in names.filter({ [UInt8](hexadecimal: $0)?.count == 16 }).sorted().prefix(limits.watchedSlots)
        where inotify_add_watch(watcher, "\(path)/\(name)", flags) >= 0 { found.insert(name) }
        return found
    }

    private func drain(_ watcher: Int32) {
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        // The system holds a bounded number of events, and each read takes some.
        while read(watcher, &bytes, bytes.count) > 0 {}
    }
}

private func folderWatchMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<FolderWatch>.fromOpaque(context).takeRetainedValue().run() }
    return nil
}
