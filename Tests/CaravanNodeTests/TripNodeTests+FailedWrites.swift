import CaravanNode
import Foundation
import Synchronization
import Testing

/// Disks that take nothing for a while.
extension TripNodeTests {
    /// Eve was let in by somebody who had not heard of a removal: the secret of the epoch since then is handed to her, and
    /// what she was sent and writes under it is worth nothing without.
    @Test func nothingIsWrittenUnderASecretThatCouldNotBeKept() async throws {
        let scratch = Scratch()
        let (eve, jie, address) = try await strangerAfterRemoval(scratch)
        // Where new keys are written first.
        let obstacle = await eve.folder + "/keys.new"
        try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
        let parted = Mutex(false)
        let watching = Task {
            for await line in jie.watch(json: true) where line.contains("\"gone\"") { parted.withLock { $0 = true } }
        }
        try await eve.up(TripNode.NetworkOptions(peers: [address], discovers: false))
        let wasAsked = try await eventually {
            let list = try await output(eve, .list(sort: nil, includingRemoved: false))
            return parted.withLock { $0 } || list.contains("Casa do Rio")
        }
        #expect(wasAsked)
        let wrote = try await eventually { (try? await output(eve, .add([NewItem(title: "Eve's own")]))) != nil }
        #expect(wrote)
        await eve.close()
        watching.cancel()

        try FileManager.default.removeItem(atPath: obstacle)
        let again = try await TripNode.open(folder: await eve.folder)
        #expect(try await output(again, .list(sort: nil, includingRemoved: false)).contains("Eve's own"))
        try await again.up(TripNode.NetworkOptions(peers: [address], discovers: false))
        for node in [again, jie] {
            let hasBoth = try await eventually {
                let list = try await output(node, .list(sort: nil, includingRemoved: false))
                return list.contains("Eve's own") && list.contains("Casa do Rio")
            }
            #expect(hasBoth)
        }
        await again.close()
        await jie.close()
    }

    /// Eve, who has heard nothing of a removal, and the founder, who has written since, has heard of her, and listens at
    /// this address.
    private func strangerAfterRemoval(
        _ scratch: Scratch
    ) async throws -> (eve: TripNode, founder: TripNode, address: String) {
        let (jie, link, address) = try await founder(scratch)
        // Noah knows nothing of Mia: the fewer others he and Eve know of, the sooner they find who answers.
        for name in ["Noah", "Mia"] {
            try await TripNode.join(
                link: link, name: name, in: scratch.home(name), peers: [address], discovers: false, patience: 10)
        }
        _ = try await output(jie, .removeMember(name: "Mia"))
        _ = try await output(jie, .add([NewItem(title: "Casa do Rio")]))
        await jie.close()
        let noah = try await TripNode.open(folder: scratch.home("Noah").tripFolder(named: nil))
        try await noah.up(TripNode.NetworkOptions(discovers: false))
        let port = try #require(await noah.listeningPort)
        let second = try await output(noah, .invite(uses: 1, lifetime: nil)).trimmingCharacters(in: .newlines)
        try await TripNode.join(
            link: second, name: "Eve", in: scratch.home("Eve"), peers: ["127.0.0.1:\(port)"], discovers: false,
            patience: 10)
        await noah.close()
        let founder = try await TripNode.open(folder: await jie.folder)
        try await founder.up(TripNode.NetworkOptions(discovers: false))
        let current = "127.0.0.1:\(try #require(await founder.listeningPort))"
        let messenger = try await TripNode.open(folder: await noah.folder)
        try await messenger.up(TripNode.NetworkOptions(peers: [current], discovers: false))
        #expect(try await eventually { try await output(founder, .members).contains("Eve") })
        await messenger.close()
        let eve = try await TripNode.open(folder: scratch.home("Eve").tripFolder(named: nil))
        return (eve, founder, current)
    }
}
