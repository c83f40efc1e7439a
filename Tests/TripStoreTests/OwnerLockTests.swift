import Foundation
import Testing
import TripStore

@Suite struct OwnerLockTests {
    @Test func oneOwnerAtATime() throws {
        let folder = TemporaryFolder()
        #expect(OwnerLock.owner(of: folder.path) == nil)
        var lock: OwnerLock? = try OwnerLock(folder: folder.path)
        #expect(OwnerLock.owner(of: folder.path) == getpid())
        let error = #expect(throws: StoreError.self) { try OwnerLock(folder: folder.path) }
        #expect(error?.code == .owned)
        #expect(error?.message.contains("process \(getpid())") == true)
        #expect(lock?.folder == folder.path)
        lock = nil
        #expect(OwnerLock.owner(of: folder.path) == nil)
        _ = try OwnerLock(folder: folder.path)
        #expect(code { _ = try OwnerLock(folder: folder.path + "/nothing") } == .notATrip)
    }

    @Test func aStoreHoldsItUntilItIsClosed() throws {
        let folder = TemporaryFolder()
        let store = try TripStore.create(at: folder.trip)
        #expect(OwnerLock.owner(of: folder.trip) == getpid())
        #expect(code { _ = try TripStore(opening: folder.trip) } == .owned)
        // The second opening took nothing from the first.
        try store.append(changes(0..<3), seal)
        store.close()
        #expect(OwnerLock.owner(of: folder.trip) == nil)
        #expect(try TripStore(opening: folder.trip).changes(seal) == changes(0..<3))
    }

    @Test func itGoesWithItsProcess() async throws {
        let folder = TemporaryFolder()
        let pipes = (ready: folder.path + "/ready", done: folder.path + "/done")
        mkfifo(pipes.ready, 0o600)
        mkfifo(pipes.done, 0o600)
        // Opened to read and to write, so that no open waits for the other side.
        let ready = open(pipes.ready, O_RDWR | O_NONBLOCK)
        let done = open(pipes.done, O_RDWR)
        async let child = #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
            let lock = try OwnerLock(folder: path)
            // A child of the owner must not inherit the lock.
            var sleeper: pid_t = 0
            let command = strdup("sleep")
            let seconds = strdup("20")
            guard posix_spawn(&sleeper, "/bin/sleep", nil, nil, [command, seconds, nil], nil) == 0 else { exit(2) }
            var processes = [getpid(), sleeper]
            write(open(path + "/ready", O_WRONLY), &processes, 8)
            var byte: UInt8 = 0
            read(open(path + "/done", O_RDONLY), &byte, 1)
            withExtendedLifetime(lock) { _ = kill(getpid(), SIGKILL) }
        }
        var processes: [pid_t] = [0, 0]
        var waiting = pollfd(fd: ready, events: Int16(POLLIN), revents: 0)
        let patience = ContinuousClock.now + .seconds(20)
        while poll(&waiting, 1, 0) == 0, ContinuousClock.now < patience { try await Task.sleep(for: .milliseconds(10)) }
        let isReady = read(ready, &processes, 8) == 8
        let owner = OwnerLock.owner(of: folder.path)
        let found = code { _ = try OwnerLock(folder: folder.path) }
        write(done, [1], 1)
        try #require(isReady && processes[1] > 1)
        #expect(owner == processes[0])
        #expect(found == .owned)
        // Long before the child of the owner ends.
        let end = ContinuousClock.now + .seconds(8)
        while OwnerLock.owner(of: folder.path) != nil, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(10))
        }
        _ = try OwnerLock(folder: folder.path)
        kill(processes[1], SIGKILL)
        _ = await child
        close(ready)
        close(done)
    }
}
