import Attachments
import ChangeLog
import Foundation
import Sodium
import Testing
import TripModel
import TripService
import TripStore

@testable import CaravanNode

/// People with a browser alone, whose logs a node of the trip keeps: whole nodes over real sockets and real stores.
struct GuestTests {
    typealias Scratch = TripNodeTests.Scratch

    private func admit(_ name: String, on node: some TripService) async throws -> MemberView {
        guard case .member(let guest) = try await node.answer(.admitGuest(name: name)) else {
            throw ServiceError("an answer of another kind")
        }
        return guest
    }

    private func person(_ name: String, of node: some TripService) async throws -> MemberView? {
        try await node.members().people.first { $0.name == name }
    }

    /// Who voted what on the first item, as a node shows it.
    private func votes(on node: some TripService) async throws -> [String: Vote] {
        let item = try #require(try await node.trip().items.first)
        return Dictionary(item.votes.map { ($0.name, $0.word) }) { first, _ in first }
    }

    /// Jie, who founded a trip, and Noah, who joined it; both nodes listen.
    private func pair(_ scratch: Scratch) async throws -> (jie: TripNode, noah: TripNode, address: String) {
        let jie = try await scratch.trip(title: "Lisbon in June", name: "Jie", in: scratch.home("jie"))
        try await jie.up(NetworkOptions(discovers: false))
        let link = try await jie.invite(uses: 5).link
        let address = "127.0.0.1:\(try #require(await jie.listeningPort))"
        _ = try await TripNode.join(
            link: link, name: "Noah", in: scratch.home("noah"), peers: [address], discovers: false, patience: 10)
        let noah = try await scratch.open(scratch.home("noah"))
        try await noah.up(NetworkOptions(peers: [address], discovers: false))
        return (jie, noah, address)
    }

    @Test("A guest's vote is the guest's, beside their host's, on every home")
    func aGuestsVoteIsTheirs() async throws {
        let scratch = Scratch()
        let (jie, noah, _) = try await pair(scratch)
        let ana = try await admit("Ana", on: jie)
        #expect(ana.name == "Ana" && ana.isGuest && ana.sponsor == "Jie" && ana.depth == 1 && !ana.isYou)
        try await jie.add("Casa do Rio")
        _ = try await jie.answer(.act(.vote(.against), on: ["1"]))
        guard
            case .done(let receipt) = try await jie.answer(
                .asGuest(guest: ana.id, .act(.vote(.for), on: ["Casa do Rio"]))),
            case .done(let again) = try await jie.answer(
                .asGuest(guest: ana.id, .act(.vote(.for), on: ["Casa do Rio"]))),
            case .done(let added) = try await jie.answer(
                .asGuest(guest: ana.id, .add([NewItem(title: "Tent", quantity: 2)])))
        else {
            Issue.record("an answer of another kind")
            return
        }
        #expect(receipt.act == .votedFor && receipt.items.map(\.title) == ["Casa do Rio"])
        #expect(again.items.isEmpty && again.unchanged.map(\.title) == ["Casa do Rio"])
        #expect(added.act == .added && added.items.map(\.title) == ["Tent"])

        let isSame = try await TripNodeTests().eventually {
            let views = try await (jie.trip(), noah.trip())
            return views.0 == views.1 && views.1.items.count == 2
        }
        #expect(isSame)
        for node in [jie, noah] {
            #expect(try await votes(on: node) == ["Jie": .against, "Ana": .for])
            #expect(try await node.trip().items.last?.addedByName == "Ana")
            let seen = try #require(try await person("Ana", of: node))
            #expect(seen.isGuest && seen.sponsor == "Jie" && seen.id == ana.id)
        }
        // A guest has no node that could lack anything.
        let isEverywhere = try await TripNodeTests().eventually {
            let statuses = try await (jie.status(), noah.status())
            return statuses.0.everyoneHasEverything && statuses.1.everyoneHasEverything
        }
        #expect(isEverywhere)
        #expect(try await jie.status().devices.map(\.label) == ["Noah"])
        #expect(try await noah.status().devices.map(\.label) == ["Jie"])
        await noah.close()
        await jie.close()
    }

    @Test("A guest is there after a restart, and goes on under their name")
    func aGuestOutlivesARestart() async throws {
        let scratch = Scratch()
        var node = try await scratch.trip(title: "Lisbon in June", name: "Jie", in: scratch.home("jie"))
        let ana = try await admit("Ana", on: node)
        await node.close()
        node = try await scratch.open(scratch.home("jie"))
        #expect(try await person("Ana", of: node)?.id == ana.id)
        _ = try await node.answer(.asGuest(guest: ana.id, .add([NewItem(title: "Tent")])))
        await node.close()
        node = try await scratch.open(scratch.home("jie"))
        _ = try await node.answer(.asGuest(guest: ana.id, .act(.vote(.for), on: ["Tent"])))
        #expect(try await votes(on: node) == ["Ana": .for])
        #expect(try await node.status().inTwoPlaces.isEmpty)
        await node.close()
    }

    @Test("A host has 20 guests, and no two people are let in under one name")
    func aHostHasSoManyGuests() async throws {
        let scratch = Scratch()
        let node = try await scratch.trip(title: "Lisbon in June", name: "Jie", in: scratch.home("jie"))
        for number in 1...ChangeBounds.guestsMax { _ = try await admit("Guest \(number)", on: node) }
        let before = try await node.members()
        for (name, reason) in [
            ("Ana", "20 guests"), ("guest 3", "is already taken"), (" Jie ", "is already taken"),
            ("", "name"), (String(repeating: "x", count: 65), "name"), ("A\nB", "name"),
        ] {
            let error = await #expect(throws: ServiceError.self) { try await node.answer(.admitGuest(name: name)) }
            #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
        }
        #expect(try await node.members() == before)
        await node.close()
    }

    @Test("A guest adds, votes and reads, and nothing else")
    func aGuestDoesNothingElse() async throws {
        let scratch = Scratch()
        let node = try await scratch.trip(title: "Lisbon in June", name: "Jie", in: scratch.home("jie"))
        try await node.add("Casa do Rio", "Tent")
        let ana = try await admit("Ana", on: node)
        let before = try await node.status().changes
        let refused: [TripRequest] = [
            .act(.edit([.chosen: "yes"]), on: ["1"]), .act(.plan("2026-06-12"), on: ["1"]), .history, .members, .status,
            .admitGuest(name: "Rui"),
            .asGuest(guest: ana.id, .list), .removable(name: "Jie"), .removeMember(name: "Jie"), .leave,
            .invite(uses: 1, lifetime: nil), .addDevice(lifetime: nil), .invites, .showInvite(reference: "1"),
            .closeInvite(reference: "1"),
            .undo(), .addList(title: "Mine", kind: nil, items: []), .removeList(list: "Mine"),
            .move(items: ["1"], .before(item: "2")), .act(.mark(.chosen, true), on: ["1"]), .renameTrip("Mine"),
        ]
        let ofOthers = [ItemAction.edit([.host: "mine"]), .remove, .changeQuantity(by: 1), .mark(.done, true)]
        for request in refused + ofOthers.map({ TripRequest.act($0, on: ["1"]) }) {
            let error = await #expect(throws: ServiceError.self) {
                try await node.answer(.asGuest(guest: ana.id, request))
            }
            #expect(error?.message.hasPrefix("guests can only ") == true)
        }
        for id in ["", "Ana", String(ana.id.dropLast()), "no\nbody"] {
            let error = await #expect(throws: ServiceError.self) {
                try await node.answer(.asGuest(guest: id, .list))
            }
            #expect(error?.message.contains("there is no guest") == true)
        }
        await #expect(throws: ServiceError.self) {
            try await node.answer(.asGuest(guest: ana.id, .act(.vote(.for), on: ["Nothing"])))
        }
        #expect(try await node.status().changes == before)
        // What a guest reads is what the others do, and numbers go on meaning what they were shown with.
        guard case .trip(let trip) = try await node.answer(.asGuest(guest: ana.id, .list)),
            case .item(let item, _) = try await node.answer(.asGuest(guest: ana.id, .show(item: "Tent"))),
            case .items(let items) = try await node.answer(.asGuest(guest: ana.id, .items(trip.items.map(\.id))))
        else {
            Issue.record("an answer of another kind")
            return
        }
        #expect(try await node.trip() == trip)
        #expect(item.title == "Tent" && items == trip.items)
        await node.close()
    }

    @Test("A guest who is taken out writes and reads no more, and their vote counts no more")
    func aGuestIsTakenOut() async throws {
        let scratch = Scratch()
        let (jie, noah, _) = try await pair(scratch)
        try await jie.add("Casa do Rio")
        let ana = try await admit("Ana", on: jie)
        _ = try await jie.answer(.asGuest(guest: ana.id, .act(.vote(.for), on: ["1"])))
        _ = try await jie.answer(.removeMember(name: "Ana"))
        let changes = try await jie.status().changes
        for request in [TripRequest.list, .add([NewItem(title: "Tent")]), .act(.vote(.against), on: ["1"])] {
            let error = await #expect(throws: ServiceError.self) {
                try await jie.answer(.asGuest(guest: ana.id, request))
            }
            guard case .out(let removal)? = error?.code else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(removal.by == "Jie" && error?.message == "Jie removed you; ask them to admit you")
        }
        #expect(try await jie.status().changes == changes)
        let isSame = try await TripNodeTests().eventually {
            let views = try await (jie.trip(), noah.trip())
            return views.0 == views.1 && views.1.items.first?.tally == 0
        }
        #expect(isSame)
        #expect(try await person("Ana", of: noah)?.removal?.by == "Jie")
        // Their name is free again.
        let again = try await admit("Ana", on: jie)
        #expect(again.id != ana.id && again.name == "Ana")
        // Under the new secret too, nobody waits for guests.
        _ = try await jie.answer(.asGuest(guest: again.id, .act(.vote(.for), on: ["1"])))
        let isEverywhere = try await TripNodeTests().eventually {
            let (status, trip) = try await (jie.status(), noah.trip())
            return status.everyoneHasEverything && trip.items.first?.tally == 1
        }
        #expect(isEverywhere)
        await noah.close()
        await jie.close()
    }

    @Test("A guest is removed with all that they added, and one undo brings what they added back")
    func aGuestIsRemovedWithWhatTheyAdded() async throws {
        let scratch = Scratch()
        let node = try await scratch.trip(title: "Lisbon in June", name: "Jie", in: scratch.home("jie"))
        try await node.add("Casa do Rio")
        let ana = try await admit("Ana", on: node)
        let picture = NewPhoto.Picture(type: .jpeg, width: 3, height: 2, bytes: [0xFF, 0xD8, 0xFF])
        let photo = NewPhoto(sharp: picture, card: picture, thumbnail: picture)
        _ = try await node.answer(.attach(item: "Casa do Rio", photos: [photo]))
        let other = NewPhoto.Picture(type: .jpeg, width: 3, height: 2, bytes: [0xFF, 0xD8, 0xFF, 0xE0])
        for request in [
            TripRequest.add([NewItem(title: "Junk 1"), NewItem(title: "Junk 2")]),
            .attach(item: "Casa do Rio", photos: [NewPhoto(sharp: other, card: other, thumbnail: other)]),
            .attach(item: "Junk 1", photos: [photo]),
        ] {
            _ = try await node.answer(.asGuest(guest: ana.id, request))
        }
        let before = try await node.trip().items
        guard case .removed(let receipt) = try await node.answer(.removeMember(name: "Ana", contributions: .removed))
        else { return _ = Issue.record("an answer of another kind") }
        #expect(receipt.name == "Ana" && receipt.items == 2 && receipt.photos == 1)
        let item = try #require(try await node.trip().items.first)
        #expect(try await node.trip().items.count == 1 && item.photos.map(\.authorName) == ["Jie"])
        guard case .history(let history) = try await node.answer(.history) else { return }
        // The removal; two items and a photo of another one.
        #expect(history.entries.suffix(2).map(\.events.count) == [1, 3])
        _ = try await node.answer(.undo())
        let after = try await node.trip().items
        #expect(after.map(\.title) == before.map(\.title))
        #expect(after.map { $0.photos.map(\.manifest) } == before.map { $0.photos.map(\.manifest) })
        #expect(try await person("Ana", of: node)?.removal?.by == "Jie")
        _ = try await admit("Rui", on: node)
        guard case .removed(let none) = try await node.answer(.removeMember(name: "Rui", contributions: .removed))
        else { return }
        #expect(none.items == 0 && none.photos == 0)
        await node.close()
    }

    @Test("Whoever takes a host out, or a host who leaves, takes their guests along", arguments: [false, true])
    func aHostTakesTheirGuestsAlong(isLeaving: Bool) async throws {
        let scratch = Scratch()
        let (jie, noah, _) = try await pair(scratch)
        try await jie.add("Casa do Rio")
        let ana = try await admit("Ana", on: noah)
        let isThere = try await TripNodeTests().eventually { try await noah.titles() == ["Casa do Rio"] }
        #expect(isThere)
        _ = try await noah.answer(.asGuest(guest: ana.id, .act(.vote(.for), on: ["1"])))
        let isCounted = try await TripNodeTests().eventually { try await votes(on: jie) == ["Ana": .for] }
        #expect(isCounted)
        if isLeaving {
            _ = try await noah.answer(.leave)
        } else {
            _ = try await jie.answer(.removeMember(name: "Noah"))
        }
        let isOut = try await TripNodeTests().eventually {
            do {
                _ = try await noah.answer(.asGuest(guest: ana.id, .act(.vote(.against), on: ["1"])))
                return false
            } catch let error as ServiceError {
                guard case .out(let removal) = error.code else { return false }
                #expect(removal.by == (isLeaving ? "Noah (out)" : "Jie"))
                #expect(
                    error.message
                        == "Noah, your host, is no longer in the trip; ask another member to admit you")
                return true
            }
        }
        #expect(isOut)
        let isUncounted = try await TripNodeTests().eventually { try await jie.trip().items.first?.tally == 0 }
        #expect(isUncounted)
        #expect(try await person("Ana", of: jie)?.removal != nil)
        await #expect(throws: ServiceError.self) { try await noah.answer(.admitGuest(name: "Rui")) }
        await noah.close()
        await jie.close()
    }
}

/// Where a guest's keys lie.
extension GuestTests {
    private func passphrase(_ text: String) -> PassphraseSource {
        PassphraseSource(triesMax: 1) { _, _ throws(ServiceError) in
            try Passphrase { memory throws(ServiceError) in
                memory.copyBytes(from: text.utf8)
                return text.utf8.count
            }
        }
    }

    @Test("A backup holds the guests, who go on where it is restored")
    func aBackupHoldsGuests() async throws {
        let scratch = Scratch()
        let home = scratch.home("jie")
        let node = try await scratch.trip(title: "Lisbon in June", name: "Jie", in: home)
        let ana = try await admit("Ana", on: node)
        _ = try await node.answer(.asGuest(guest: ana.id, .add([NewItem(title: "Tent")])))
        await node.close()
        let id = try await home.tripID(named: nil)
        let file = scratch.path + "/backup"
        let source = passphrase("horse")
        let cost = try #require(PassphraseCost(passes: 1, memory: 8))
        let summary = try await TripAccess(home: home, id: id).backUp(to: file, cost: cost) { () throws(ServiceError) in
            try source.ask("the backup", 0)
        }
        #expect(summary.changes == 6)
        let other = scratch.home("restored")
        _ = try TripNode.restore(from: file, in: other, passphrases: source)
        let restored = try await scratch.open(other)
        _ = try await restored.answer(.asGuest(guest: ana.id, .act(.vote(.for), on: ["Tent"])))
        #expect(try await votes(on: restored) == ["Ana": .for])
        await restored.close()
    }

    @Test("A guest's keys lie under the passphrase that the home's own lie under")
    func guestsLieUnderThePassphrase() async throws {
        let scratch = Scratch()
        let home = scratch.home("jie")
        var node = try await scratch.trip(title: "Lisbon in June", name: "Jie", in: home)
        let ana = try await admit("Ana", on: node)
        await node.close()
        let id = try await home.tripID(named: nil)
        let folder = home.folder(ofTrip: id)
        let first = try #require(try KeyLock().readKeys(in: folder).guestSeeds.first)
        let source = passphrase("horse")
        let cost = try #require(PassphraseCost(passes: 1, memory: 8))
        try await TripAccess(home: home, id: id).setPassphrase(cost: cost) { () throws(ServiceError) in
            try source.ask("", 0)
        }
        node = try await TripNode.open(folder: folder, lock: KeyLock(source))
        _ = try await node.answer(.asGuest(guest: ana.id, .add([NewItem(title: "Tent")])))
        let rui = try await admit("Rui", on: node)
        await node.close()
        let lock = KeyLock(source)
        let seeds = try lock.readKeys(in: folder).guestSeeds
        #expect(seeds.count == 2 && seeds.first == first)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") else { continue }
            for seed in seeds { #expect(bytes.range(of: Data(seed.bytes)) == nil, "\(name)") }
        }
        node = try await TripNode.open(folder: folder, lock: lock)
        _ = try await node.answer(.asGuest(guest: rui.id, .act(.vote(.for), on: ["Tent"])))
        await node.close()
    }

    @Test("A guest whose keys are on another device is shown here, and nothing is written for them")
    func aGuestOfAnotherDeviceIsNotWrittenFor() async throws {
        let scratch = Scratch()
        let (jie, noah, _) = try await pair(scratch)
        let ana = try await admit("Ana", on: jie)
        let isSeen = try await TripNodeTests().eventually { try await person("Ana", of: noah) != nil }
        #expect(isSeen)
        let error = await #expect(throws: ServiceError.self) {
            try await noah.answer(.asGuest(guest: ana.id, .add([NewItem(title: "Tent")])))
        }
        #expect(error?.message.hasPrefix("the keys of Ana are not on this device") == true)
        #expect(try await jie.titles().isEmpty)
        await noah.close()
        await jie.close()
    }

    @Test("Two homes of one device may both write for a guest: nothing of either is lost")
    func aCopiedHomeForksAGuest() async throws {
        let scratch = Scratch()
        let jie = try await scratch.trip(title: "Lisbon in June", name: "Jie", in: scratch.home("jie"))
        let ana = try await admit("Ana", on: jie)
        try await jie.add("Casa do Rio")
        await jie.close()
        try FileManager.default.copyItem(atPath: scratch.path + "/jie", toPath: scratch.path + "/copy")
        let first = try await scratch.open(scratch.home("jie"))
        let second = try await scratch.open(scratch.home("copy"))
        _ = try await first.answer(.asGuest(guest: ana.id, .add([NewItem(title: "Tent")])))
        _ = try await second.answer(.asGuest(guest: ana.id, .act(.vote(.against), on: ["Casa do Rio"])))
        try await first.up(NetworkOptions(discovers: false))
        let port = try #require(await first.listeningPort)
        try await second.up(NetworkOptions(peers: ["127.0.0.1:\(port)"], discovers: false))
        let isSame = try await TripNodeTests().eventually {
            let views = try await (first.trip(), second.trip())
            return views.0 == views.1 && views.0.items.count == 2
        }
        #expect(isSame)
        #expect(try await votes(on: first) == ["Ana": .against])
        #expect(try await first.status().inTwoPlaces == ["Ana"])
        // Both go on.
        _ = try await first.answer(.asGuest(guest: ana.id, .act(.vote(.for), on: ["Casa do Rio"])))
        let isSeen = try await TripNodeTests().eventually { try await votes(on: second) == ["Ana": .for] }
        #expect(isSeen)
        await second.close()
        await first.close()
    }
}
