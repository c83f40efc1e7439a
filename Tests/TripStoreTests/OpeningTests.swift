import Foundation
import GRDB
import Testing
import TripStore

@Suite struct OpeningTests {
    @Test func whatIsNoTripIsNotOpened() throws {
        let folder = TemporaryFolder()
        #expect(code { _ = try TripStore(opening: folder.trip) } == .notATrip)
        try FileManager.default.createDirectory(atPath: folder.trip, withIntermediateDirectories: true)
        #expect(code { _ = try TripStore(opening: folder.trip) } == .notATrip)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.trip).isEmpty)
        try write([], to: folder.database)
        #expect(code { _ = try TripStore(opening: folder.trip) } == .notATrip)
        try write(Array("no database, but long enough to be taken for one".utf8), to: folder.database)
        #expect(code { _ = try TripStore(opening: folder.trip) } == .damaged)
        #expect(code { _ = try TripStore(opening: folder.database) } == .notATrip)
    }

    @Test func aNewerFormatIsLeftAlone() throws {
        let folder = TemporaryFolder()
        let store = try TripStore.create(at: folder.trip)
        try store.append(changes(0..<3), seal)
        store.close()
        try alter(folder.database, "PRAGMA user_version = 7")
        let before = try contents(of: folder.database)
        let error = #expect(throws: StoreError.self) { try TripStore(opening: folder.trip) }
        #expect(error?.code == .newerVersion)
        #expect(error?.message == "this trip was last opened by a newer version of caravan; update this one")
        #expect(try contents(of: folder.database) == before)
        try alter(folder.database, "PRAGMA user_version = 1")
        #expect(code { _ = try TripStore(opening: folder.trip) } == .olderVersion)
        try alter(folder.database, "PRAGMA user_version = 2")
        #expect(try TripStore(opening: folder.trip).changes(seal) == changes(0..<3))
    }

    @Test func aTripIsNotMadeOverAnother() throws {
        let folder = TemporaryFolder()
        let store = try TripStore.create(at: folder.trip)
        try store.append(changes(0..<3), seal)
        #expect(code { _ = try TripStore.create(at: folder.trip) } == .owned)
        store.close()
        #expect(code { _ = try TripStore.create(at: folder.trip) } == .alreadyExists)
        #expect(try TripStore(opening: folder.trip).changes(seal) == changes(0..<3))
    }

    /// A making may be cut short with the file there, or with a first page in it.
    @Test func aMakingThatWasCutShortIsTakenUp() throws {
        for isFirstPageThere in [false, true] {
            let folder = TemporaryFolder()
            try FileManager.default.createDirectory(atPath: folder.trip, withIntermediateDirectories: true)
            try write([], to: folder.database)
            if isFirstPageThere { try alter(folder.database, "PRAGMA journal_mode = WAL") }
            #expect(code { _ = try TripStore(opening: folder.trip) } == .notATrip)
            let store = try TripStore.create(at: folder.trip)
            try store.append(changes(0..<3), seal)
            #expect(try store.changes(seal) == changes(0..<3))
        }
    }

    @Test func aDatabaseOpenElsewhereIsNamedSo() throws {
        let folder = TemporaryFolder()
        try TripStore.create(at: folder.trip).close()
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: folder.database, configuration: configuration)
        try other.inDatabase { try $0.execute(sql: "BEGIN EXCLUSIVE") }
        #expect(code { _ = try TripStore(opening: folder.trip) } == .owned)
        try other.inDatabase { try $0.execute(sql: "ROLLBACK") }
        try other.close()
        _ = try TripStore(opening: folder.trip)
    }

    private func alter(_ database: String, _ sql: String) throws {
        let queue = try DatabaseQueue(path: database)
        try queue.inDatabase { _ = try Row.fetchAll($0, sql: sql) }
        try queue.close()
    }
}

@Suite struct PermissionTests {
    @Test func filesAreForThisUserAloneWhateverTheUmask() async {
        for mask in [0, 0o777] {
            await #expect(processExitsWith: .success) { [mask = mask as Int] in
                let folder = TemporaryFolder()
                let trip = folder.path + "/data/trips/trip"
                umask(mode_t(mask))
                let store = try TripStore.create(at: trip)
                try store.append(changes(0..<3), seal)
                try secrets.write(to: trip)
                var paths = try FileManager.default.contentsOfDirectory(atPath: trip).map { trip + "/" + $0 }
                guard paths.contains(trip + "/trip.sqlite-wal"), paths.count == 4 else { exit(2) }
                guard paths.allSatisfy({ mode(of: $0) == 0o600 }) else { exit(3) }
                for path in [trip, folder.path + "/data/trips", folder.path + "/data"] {
                    guard mode(of: path) == 0o700 else { exit(4) }
                }
                store.close()
                // Files that came from elsewhere, with their modes.
                for path in paths { chmod(path, 0o666) }
                let opened = try TripStore(opening: trip)
                guard try opened.changes(seal) == changes(0..<3), try KeyFile(readingFrom: trip) == secrets else {
                    exit(5)
                }
                try opened.append([change(3)], seal)
                paths = try FileManager.default.contentsOfDirectory(atPath: trip).map { trip + "/" + $0 }
                guard paths.allSatisfy({ mode(of: $0) == 0o600 }) else { exit(6) }
            }
        }
    }

    @Test func aFolderWithoutPermissionIsNamedSo() async throws {
        let folder = TemporaryFolder()
        try TripStore.create(at: folder.trip).close()
        try secrets.write(to: folder.trip)
        chmod(folder.path, 0o755)
        for mode in [0, 0o500, 0o600] as [UInt32] {
            chmod(folder.trip, mode)
            await #expect(processExitsWith: .success) { [trip = folder.trip as String] in
                // To the superuser everything is permitted.
                if geteuid() == 0 {
                    chown(trip, 65_534, 65_534)
                    for name in ["lock", "trip.sqlite", "keys"] { chown(trip + "/" + name, 65_534, 65_534) }
                    guard setgid(65_534) == 0, setuid(65_534) == 0 else { exit(2) }
                }
                let isReadable = access(trip, R_OK | X_OK) == 0
                if isReadable { chmod(trip + "/trip.sqlite", 0) }
                guard code({ _ = try TripStore(opening: trip) }) == .noPermission else { exit(3) }
                guard code({ try secrets.write(to: trip) }) == .noPermission else { exit(4) }
                guard isReadable || code({ _ = try KeyFile(readingFrom: trip) }) == .noPermission else { exit(5) }
                guard code({ _ = try TripStore.create(at: trip + "/other") }) == .noPermission else { exit(6) }
            }
        }
        chmod(folder.trip, 0o700)
    }
}
