import CaravanNode
import Foundation
import TripService

/// A trip in a scratch folder, whose node may run and answer commands.
final class ServedTrip: Sendable {
    let home: Home
    let id: String
    private let scratch = TripNodeTests.Scratch()

    /// - Parameter home: the name of the home folder.
    init(home: String = "jie") async throws {
        self.home = scratch.home(home)
        id = try await TripNode.create(title: "Lisbon in June", name: "Jie", in: self.home)
    }

    var socketPath: String { home.folder + "/control" }
    var folder: String { home.folder(ofTrip: id) }

    /// As commands reach it.
    var access: TripAccess { TripAccess(home: home, id: id) }

    /// The titles of all items.
    func titles() async throws -> [String] { try await access.titles() }

    /// A node of the home that runs without a network.
    func node() async throws -> (node: HomeNode, control: ControlServer) {
        let node = try HomeNode(home: home, network: nil)
        do {
            try await node.open([id])
            return (node, try await ControlServer(for: node))
        } catch {
            await node.close()
            throw error
        }
    }

    /// Runs the node while `body` does.
    func whileServed<Success>(_ body: () async throws -> Success) async throws -> Success {
        let (node, control) = try await node()
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
