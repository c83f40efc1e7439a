import ChangeLog
import Foundation
import Testing
import TripStore

let secrets = KeyFile(
    trip: change(1).hash, signingSeed: change(3).hash, agreementSecret: change(4).hash, participant: change(7).hash,
    recordKey: change(5).hash, epochSecrets: [change(6).hash, change(8).hash], pendingJoin: [1, 2, 3])

@Suite struct KeyFileTests {
    private func folderWithKeys() throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.trip, withIntermediateDirectories: true)
        try secrets.write(to: folder.trip)
        return folder
    }

    @Test func secretsComeBackAndAreReplacedWhole() throws {
        let folder = try folderWithKeys()
        #expect(try KeyFile(readingFrom: folder.trip) == secrets)
        var admitted = secrets
        admitted.pendingJoin = nil
        admitted.epochSecrets = []
        // What a cut-off writing left is in nobody's way.
        try write([UInt8](repeating: 9, count: 5_000), to: folder.keys + ".new")
        try admitted.write(to: folder.trip)
        #expect(try KeyFile(readingFrom: folder.trip) == admitted)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.trip) == ["keys"])
    }

    @Test func everyAlteredByteAndEveryCutIsReported() throws {
        let folder = try folderWithKeys()
        let bytes = try contents(of: folder.keys)
        for offset in bytes.indices {
            var altered = bytes
            altered[offset] ^= 0x10
            try write(altered, to: folder.keys)
            let found = code { _ = try KeyFile(readingFrom: folder.trip) }
            #expect(found == (offset == 12 ? .newerVersion : .damaged), "byte \(offset)")
            try write(Array(bytes[..<offset]), to: folder.keys)
            #expect(code { _ = try KeyFile(readingFrom: folder.trip) } == .damaged, "\(offset) bytes")
        }
        try write(bytes + [0], to: folder.keys)
        #expect(code { _ = try KeyFile(readingFrom: folder.trip) } == .damaged)
        try write([UInt8](repeating: 0, count: 2 << 20), to: folder.keys)
        #expect(code { _ = try KeyFile(readingFrom: folder.trip) } == .damaged)
    }

    @Test func whatItsOwnerSealedComesBackAsItWas() throws {
        let folder = try folderWithKeys()
        let sealed = [UInt8](0..<200)
        try KeyFile.write(sealed: sealed, to: folder.trip)
        #expect(try KeyFile.stored(in: folder.trip) == .sealed(sealed))
        #expect(code { _ = try KeyFile(readingFrom: folder.trip) } == .sealed)
        #expect(mode(of: folder.keys) == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.trip) == ["keys"])
        let bytes = try contents(of: folder.keys)
        for offset in bytes.indices {
            var altered = bytes
            altered[offset] ^= 0x10
            try write(altered, to: folder.keys)
            let found = code { _ = try KeyFile.stored(in: folder.trip) }
            #expect(found == (offset == 12 ? .newerVersion : .damaged), "byte \(offset)")
        }
        #expect(code { try KeyFile.write(sealed: [UInt8](repeating: 1, count: 1 << 20), to: folder.trip) } == .tooLarge)
        try secrets.write(to: folder.trip)
        #expect(try KeyFile.stored(in: folder.trip) == .plain(secrets))
    }

    /// The secrets that lay in the clear are gone from the disk when they are sealed; from another name of the file, which
    /// is a copy that somebody made, they are not.
    @Test func whatLayInTheClearIsOverwritten() throws {
        for isLinked in [false, true] {
            let folder = try folderWithKeys()
            let old = try #require(FileHandle(forReadingAtPath: folder.keys))
            let before = try #require(try old.readToEnd())
            if isLinked { try FileManager.default.linkItem(atPath: folder.keys, toPath: folder.path + "/copy") }
            try KeyFile.write(sealed: [1, 2, 3], to: folder.trip)
            try old.seek(toOffset: 0)
            let after = try #require(try old.readToEnd())
            #expect(isLinked ? after == before : after == Data(count: before.count))
        }
    }

    @Test func theCodingIsCanonical() throws {
        let encoding = try secrets.withEncoding { Array($0) }
        func decode(_ bytes: [UInt8]) throws -> KeyFile { try bytes.withUnsafeBytes { try KeyFile(decoding: $0) } }
        #expect(try decode(encoding) == secrets)
        for count in encoding.indices { #expect(throws: (any Error).self) { try decode(Array(encoding[..<count])) } }
        #expect(throws: (any Error).self) { try decode(encoding + [0]) }
        #expect(throws: (any Error).self) { try decode([UInt8](repeating: 0, count: KeyFile.maximumEncodedLength + 1)) }
    }

    @Test("seeds of guests come back")
    func guestSeeds() throws {
        let folder = try folderWithKeys()
        var host = secrets
        host.guestSeeds = [change(9).hash, change(10).hash]
        try host.write(to: folder.trip)
        #expect(try KeyFile(readingFrom: folder.trip) == host)
    }

    @Test("keys of an older form are not said to be damaged")
    func olderForm() throws {
        let folder = try folderWithKeys()
        var bytes = try contents(of: folder.keys)
        for version in [1, 2, 3, 4] as [UInt8] {
            bytes[12] = version
            try write(bytes, to: folder.keys)
            #expect(code { _ = try KeyFile(readingFrom: folder.trip) } == .olderVersion)
        }
    }

    @Test func whereThereIsNoneItSaysSo() throws {
        let folder = TemporaryFolder()
        #expect(code { _ = try KeyFile(readingFrom: folder.trip) } == .notATrip)
        #expect(code { try secrets.write(to: folder.trip) } == .notATrip)
        try TripStore.create(at: folder.trip).close()
        #expect(code { _ = try KeyFile(readingFrom: folder.trip) } == .damaged)
    }

    @Test func whatCouldNotBeReadAgainIsNotWritten() throws {
        let folder = try folderWithKeys()
        var unfit = Array(repeating: secrets, count: 3)
        unfit[0].pendingJoin = [UInt8](repeating: 0, count: KeyFile.maximumPendingLength + 1)
        unfit[1].epochSecrets = Array(repeating: change(6).hash, count: KeyFile.maximumEpochs + 1)
        unfit[2].guestSeeds = Array(repeating: change(6).hash, count: KeyFile.maximumGuests + 1)
        for copy in unfit { #expect(code { try copy.write(to: folder.trip) } == .tooLarge) }
        #expect(try KeyFile(readingFrom: folder.trip) == secrets)

        var greatest = secrets
        greatest.pendingJoin = [UInt8](repeating: 0, count: KeyFile.maximumPendingLength)
        greatest.epochSecrets = Array(repeating: change(6).hash, count: KeyFile.maximumEpochs)
        greatest.guestSeeds = Array(repeating: change(6).hash, count: KeyFile.maximumGuests)
        try greatest.write(to: folder.trip)
        #expect(try KeyFile(readingFrom: folder.trip) == greatest)
    }

    @Test func noSecretIsPrinted() {
        var text = ""
        dump(secrets, to: &text)
        text += "\(secrets) \(Optional(secrets) as Any) \(String(reflecting: secrets))"
        #expect(!text.contains(secrets.signingSeed.description.prefix(8)))
    }
}
