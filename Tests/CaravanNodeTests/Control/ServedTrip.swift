import CaravanNode
import Foundation

/// A trip in a scratch folder, whose node may run and answer commands.
final class ServedTrip: Sendable {
    let folder: String
    private let scratch = TripNodeTests.Scratch()

    /// - Parameter home: the name of the home folder.
    init(home: String = "jie") async throws {
        folder = try await TripNode.create(title: "Lisbon in June", name: "Jie", in: scratch.home(home))
    }

    var socketPath: String { folder + "/control" }

    func run(_ command: Command, json: Bool = false) async throws -> String {
        try await TripAccess(folder: folder).run(Request(command, json: json))
    }

    func add(_ title: String) async throws { _ = try await run(.add([NewItem(title: title)])) }

    /// The titles of all items.
    func titles() async throws -> [String] {
        struct Listing: Decodable {
            struct Item: Decodable { let title: String }
            let items: [Item]
        }
        let text = try await run(.list(sort: "order", includingRemoved: true), json: true)
        return try JSONDecoder().decode(Listing.self, from: Data(text.utf8)).items.map(\.title)
    }

    /// Runs the node, without a network, while `body` does.
    func whileServed<Success>(_ body: () async throws -> Success) async throws -> Success {
        let node = try await TripAccess(folder: folder).open()
        let control: ControlServer
        do { control = try ControlServer(for: node) } catch {
            await node.close()
            throw error
        }
        control.start()
        let result: Result<Success, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        await control.stop()
        await node.close()
        return try result.get()
    }

    static func eventually(within seconds: Int = 30, _ isDone: () async throws -> Bool) async throws -> Bool {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while true {
            // Asked before it is given up: on a busy machine a nap may outlast the deadline.
            let isLate = ContinuousClock.now >= deadline
            if try await isDone() { return true }
            if isLate { return false }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
