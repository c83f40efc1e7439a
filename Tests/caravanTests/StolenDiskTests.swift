import Foundation
import Testing

/// What a thief of the disk finds: everything that a home and a backup hold, searched for everything that was said.
struct StolenDiskTests {
    private static let texts = [
        ("title", "Lisbon in June"), ("own name", "Jiehua"), ("name of another", "Noah Lindqvist"),
        ("item", "Casa do Rio Tejo"), ("note", "river view, two bedrooms"), ("link", "https://example.org/stays/4711"),
        ("price", "120 euros a night"), ("host", "Ana Figueiredo"), ("details", "ask for the roof key"),
        ("old title", "Casa by the river"), ("another's item", "Surf lesson in Caparica"),
        ("place", "38.70990,-9.13260"),
    ]

    /// Every file below some folders, with its name.
    private func stolen(_ folders: [String]) throws -> [(path: String, bytes: Data)] {
        try folders.flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: folder).compactMap { path in
                let full = "\(folder)/\(path)"
                var isFolder: ObjCBool = false
                guard FileManager.default.fileExists(atPath: full, isDirectory: &isFolder), !isFolder.boolValue else {
                    return nil
                }
                // A socket holds nothing but its name.
                return (path, (FileManager.default.contents(atPath: full) ?? Data()) + Data(path.utf8))
            }
        }
    }

    private func findings(_ markers: [Marker], in files: [(path: String, bytes: Data)]) -> [String] {
        files.flatMap { file in
            markers.flatMap { marker in
                marker.forms(in: file.bytes).map { "\(marker.what) as \($0) in \(file.path)" }
            }
        }
    }

    /// Two homes of one trip in which everything was said.
    private final class Trip {
        let scratch: ScratchFolder
        let jie: Product
        let noah: Product
        let addresses: [String]
        let link: String
        /// Of participants and devices.
        let ids: [String]
        /// Where the first one's keys lie, and what they are.
        let keysPath: String
        let keys: [UInt8]

        /// Makes it with two nodes, and kills them: what they have not tidied up is there too.
        init(_ texts: [String: String]) async throws {
            func text(_ what: String) throws -> String { try #require(texts[what]) }
            scratch = try ScratchFolder()
            jie = Product(home: scratch.path + "/jie")
            noah = Product(home: scratch.path + "/noah")
            try #require(await jie.run("new", text("title"), "--as", text("own name")).status == 0)
            var add = ["add", try text("old title")]
            for field in ["note", "link", "price", "host", "details", "place"] {
                add += ["--" + field, try text(field)]
            }
            try #require(await jie.run(add).status == 0)
            try #require(await jie.run("edit", "1", "--title", text("item")).status == 0)
            let node = try await ListeningNode(jie)
            link = try await jie.run("invite", "--uses", "3").output.trimmingCharacters(in: .newlines)
            let join = ["join", link, "--as", try text("name of another"), "--peer", node.address]
            try #require(await noah.run(join).status == 0)
            try #require(await noah.run("vote", "1").status == 0)
            let item = try text("another's item")
            try #require(await noah.run("add", item).status == 0)
            let other = try await ListeningNode(noah, peer: node.address)
            addresses = [node.address, other.address]
            let jie = jie
            let isThere = try await eventually { try await jie.run("list").output.contains(item) }
            try #require(isThere)
            var shown = ""
            for command in ["list", "history", "members"] { shown += try await jie.run(command, "--json").output }
            for (what, value) in texts { #expect(shown.contains(value), "\(what)") }
            let words = shown.split(separator: "\"").filter { $0.count >= 32 && $0.allSatisfy(\.isHexDigit) }
            ids = Set(words.map { String($0) }).sorted()
            for running in [node.running, other.running] {
                kill(running.process.processIdentifier, SIGKILL)
                _ = try await running.ended(within: 5)
            }
            keysPath = try #require(scratch.contents().first { $0.hasPrefix("jie/") && $0.hasSuffix("/keys") })
            let contents = try #require(FileManager.default.contents(atPath: "\(scratch.path)/\(keysPath)"))
            keys = Array(contents)
        }

        /// What opens the rest.
        var secrets: [Marker] {
            [
                Marker("signing seed", bytes: Array(keys[45..<77])),
                Marker("agreement secret", bytes: Array(keys[77..<109])),
                Marker("record key", bytes: Array(keys[109..<141])),
                Marker("trip's id", bytes: Array(keys[13..<45])),
                Marker("epoch secret", bytes: Array(keys[(keys.count - 42)..<(keys.count - 10)])),
            ]
        }
    }

    /// All that was said, and whose it was.
    private func sayings(of trip: Trip) throws -> [Marker] {
        let invite = Base32Text.decode(String(trip.link.dropFirst("caravan:".count)))
        let tripID = Array(trip.keys[13..<45])
        try #require(tripID == Array(invite[1..<33]), "a key file and a link as this test knows them")
        try #require(trip.ids.count >= 4, "two participants and two devices")
        var all = Self.texts.map { (what, text) in Marker(what, text: text) }
        for id in trip.ids {
            all.append(Marker("id \(id)", bytes: bytes(id)))
            all.append(Marker("id \(id) in letters", text: id))
        }
        all.append(Marker("invite secret", bytes: Array(invite[33..<65])))
        for address in trip.addresses { all.append(Marker("address", text: address)) }
        return all
    }

    @Test func aStolenDiskSaysNothing() async throws {
        let trip = try await Trip(Dictionary(uniqueKeysWithValues: Self.texts))
        let markers = try sayings(of: trip)
        let secrets = trip.secrets
        // The search finds each of them in each form, were it there.
        for marker in markers + secrets {
            for sample in marker.samples {
                #expect(!marker.forms(in: Data([1, 2]) + sample + Data([3])).isEmpty, "\(marker.what)")
            }
        }
        let files = try stolen([trip.jie.home, trip.noah.home])
        for name in ["trip.sqlite", "trip.sqlite-wal", "keys"] {
            #expect(files.contains { $0.path.hasSuffix(name) && $0.bytes.count > 60 }, "\(name)")
        }
        // A key file names the person whose device it is, beside the secrets from which that follows.
        let found = findings(markers, in: files).filter { !($0.hasPrefix("id ") && $0.hasSuffix("/keys")) }
        #expect(found == [], "no text lies in the clear, with a passphrase or without")
        // Without one the keys do, and open the rest.
        for secret in secrets {
            let found = findings([secret], in: files)
            #expect(found.contains("\(secret.what) as bytes in \(trip.keysPath.dropFirst(4))"), "\(found)")
        }

        let passphrase = trip.scratch.path + "/passphrase"
        let word = "correct horse battery"
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        try #require(
            FileManager.default.createFile(atPath: passphrase, contents: Data(word.utf8), attributes: attributes))
        for var product in [trip.jie, trip.noah] {
            #expect(try await product.run("passphrase", "set", "--new-passphrase-file", passphrase).status == 0)
            product.environment["CARAVAN_PASSPHRASE_FILE"] = passphrase
            #expect(try await product.run("list").output.contains("Casa do Rio Tejo"))
        }
        let backups = trip.scratch.path + "/backups"
        try FileManager.default.createDirectory(atPath: backups, withIntermediateDirectories: true)
        var open = trip.jie
        open.environment["CARAVAN_PASSPHRASE_FILE"] = passphrase
        #expect(try await open.run("backup", backups + "/lisbon", "--passphrase-file", passphrase).status == 0)
        let everything = try stolen([trip.jie.home, trip.noah.home, backups])
        #expect(everything.contains { $0.path == "lisbon" && $0.bytes.count > 65_000 })
        #expect(findings(markers + secrets + [Marker("passphrase", text: word)], in: everything) == [])
    }

    private func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.compactMap { $0.hexDigitValue.map(UInt8.init) }
        return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
