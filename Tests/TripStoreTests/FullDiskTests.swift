import Foundation
import Testing
import TripStore

@Suite struct FullDiskTests {
    /// A real write that fails in the middle, and goes well later: the limit on a file's size.
    @Test func aFailedWriteLeavesNothingAndDisablesNothing() async {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            let folder = TemporaryFolder()
            let store = try TripStore.create(at: folder.trip)
            try store.append(changes(0..<10), seal)
            var held = changes(0..<10)
            var old = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &old)
            for round in 0..<8 {
                var limit = rlimit(rlim_cur: rlim_t(round * 3_000), rlim_max: old.rlim_max)
                setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
                let next = (0..<60).map { change(1_000 * (round + 1) + $0) }
                for _ in 0..<2 {
                    let found = code { try store.append(next, seal) }
                    guard found == .full || found == .system else { exit(2) }
                }
                guard try store.changes(seal) == held else { exit(3) }
                setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &old)
                try store.append(next, seal)
                held += next
                guard try store.changes(seal) == held else { exit(4) }
            }
            // And a process that dies here leaves nothing that looks like damage.
            let copy = try Copy(database: contents(of: folder.database), log: contents(of: folder.log))
            guard try TripStore(opening: copy.folder.trip).changes(seal) == held else { exit(5) }
            store.close()
            guard try TripStore(opening: folder.trip).changes(seal) == held else { exit(6) }
        }
    }

    /// The old keys stay, whole, where there is no room for new ones; and of a new file nothing stays.
    @Test func keysThatFindNoRoomLeaveTheOldOnes() async {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            let folder = TemporaryFolder()
            try FileManager.default.createDirectory(atPath: folder.trip, withIntermediateDirectories: true)
            try secrets.write(to: folder.trip)
            var old = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &old)
            for size in [0, 1, 100] {
                var limit = rlimit(rlim_cur: rlim_t(size), rlim_max: old.rlim_max)
                setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
                guard code({ try secrets.write(to: folder.trip) }) == .full else { exit(2) }
                let sealed = [UInt8](repeating: 7, count: 300)
                guard code({ try KeyFile.write(sealed: sealed, to: folder.trip) }) == .full else { exit(3) }
                guard code({ try NewFile(path: folder.path + "/new").append(sealed) }) == .full else { exit(4) }
                guard try KeyFile.stored(in: folder.trip) == .plain(secrets) else { exit(5) }
            }
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &old)
            guard try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["trip"] else { exit(6) }
            try KeyFile.write(sealed: [1], to: folder.trip)
            guard try KeyFile.stored(in: folder.trip) == .sealed([1]) else { exit(7) }
        }
    }

    /// A small disk that is really full, where this user may make one.
    @Test func aFullDiskIsNamedSo() throws {
        let folder = TemporaryFolder()
        guard mountSmallDisk(at: folder.path, "size=1m") else { return }
        defer { unmount(folder.path) }
        let store = try TripStore.create(at: folder.trip)
        var held: [StoredChange] = []
        var found: StoreError.Code?
        for number in 0..<10_000 where found == nil {
            found = code { try store.append([change(number)], seal) }
            if found == nil { held.append(change(number)) }
        }
        #expect(found == .full)
        #expect(try store.changes(seal) == held)
        #expect(code { try secrets.write(to: folder.trip) } == .full)
        #expect(run("mount", "-o", "remount,size=8m", folder.path) == 0)
        try store.append([change(20_000)], seal)
        #expect(try store.changes(seal) == held + [change(20_000)])
        try secrets.write(to: folder.trip)
        store.close()
        #expect(try TripStore(opening: folder.trip).changes(seal) == held + [change(20_000)])
    }
}
