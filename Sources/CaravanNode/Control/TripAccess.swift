import Foundation
import LibC
import TripModel
package import TripService

/// A trip of this machine as a command reaches it: through the node that runs, or else by itself.
package struct TripAccess: TripService {
    let home: Home
    let id: String
    let lock: KeyLock
    private let silentNode: SilentNode?
    private let note: @Sendable (String) -> Void

    var folder: String { home.folder(ofTrip: id) }
    var client: ControlClient { ControlClient(home: home) }

    /// - Parameters:
    ///   - passphrases: where to ask, should the trip's secrets be under a passphrase and no node run.
    ///   - silentNode: how to read although the node does not answer; nil to throw then.
    ///   - note: told what people should know of an answer that was read from this disk: that it is older than what they wrote.
    package init(
        home: Home, id: String, passphrases: PassphraseSource = .none, silentNode: SilentNode? = nil,
        note: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.home = home
        self.id = id
        self.silentNode = silentNode
        self.note = note
        lock = KeyLock(passphrases)
    }

    /// How long to wait where another process holds the trip and does not answer yet, or is on its way out.
    static let patience = Duration.seconds(2)

    package func answer(_ request: TripRequest) async throws(ServiceError) -> TripAnswer {
        guard request.isReading else { return try await ask(request) }
        return try await read(request)
    }

    /// The answer to a request that changes nothing: from the store, if the node does not answer and that is wanted.
    func read(_ request: TripRequest) async throws(ServiceError) -> TripAnswer {
        guard let silentNode else { return try await ask(request) }
        let node: TripNode
        if silentNode.wasFound {
            node = try await TripNode.open(reading: folder, lock: lock)
        } else {
            do { return try await ask(request) } catch { node = try await reader(after: error) }
        }
        return try await Self.answer(request.besideNode, by: node)
    }

    /// What reads the store after an error of a node that does not answer, if that is wanted. Throws other errors again.
    func reader(after error: ServiceError) async throws(ServiceError) -> TripNode {
        guard let silentNode, error.code == .notAnswering,
            let reader = try? await TripNode.open(reading: folder, lock: lock)
        else { throw error }
        silentNode.found()
        return reader
    }

    /// Asks a node, which is closed after that.
    private static func answer(
        _ request: TripRequest, by node: TripNode
    ) async throws(ServiceError) -> TripAnswer {
        do throws(ServiceError) {
            let answer = try await node.answer(request)
            await node.close()
            return answer
        } catch {
            await node.close()
            throw error
        }
    }

    private func ask(_ request: TripRequest) async throws(ServiceError) -> TripAnswer {
        let deadline = ContinuousClock.now + TripAccess.patience
        while true {
            if let answer = try await client.answer(request, trip: id) { return answer }
            let node: TripNode
            do { node = try await TripNode.open(folder: folder, lock: lock) } catch {
                guard error.code == .owned, ContinuousClock.now < deadline else { throw error }
                try? await Task.sleep(for: .milliseconds(10))
                continue
            }
            do throws(ServiceError) {
                let answer = try await node.answer(request)
                // The status says it by itself.
                if case .status = answer {} else if let problem = await node.lossProblem { note(problem) }
                await node.close()
                return answer
            } catch {
                await node.close()
                throw error
            }
        }
    }

    /// The running node's answer; nil where none runs. Blocks this thread until it comes.
    package func answerFromNode(_ request: TripRequest) throws(ServiceError) -> TripAnswer? {
        try client.ask(.request(request, trip: id))?.tripAnswer
    }

    /// What happens, as the running node tells it. Needs one.
    package func events() async throws(ServiceError) -> AsyncStream<TripEvent> {
        guard try client.isAnswered() else {
            throw ServiceError("no node is running; start one with `caravan up`")
        }
        let queue = EventQueue()
        Thread.detachNewThread { [client, id, weak queue] in
            try? client.watch(trip: id) { event in
                queue?.put(event)
                return queue != nil
            }
            queue?.finish()
        }
        return queue.events
    }

    /// Prints what happens until the node stops, or `print` says that nobody reads. Needs a running node.
    package func watch(print: (TripEvent) -> Bool) throws(ServiceError) { try client.watch(trip: id, print: print) }

    /// Opens the trip to run its node. Waits for a command that holds it for a moment, but not for another node.
    package func open() async throws(ServiceError) -> TripNode {
        let deadline = ContinuousClock.now + TripAccess.patience
        while true {
            do { return try await TripNode.open(folder: folder, lock: lock) } catch {
                guard error.code == .owned, ContinuousClock.now < deadline else { throw error }
                try? await Task.sleep(for: .milliseconds(10))
            }
        }
    }
}

extension TripRequest {
    /// Whether it changes nothing in the trip, and what it asks for is in the store. What a node knows of others is not.
    fileprivate var isReading: Bool {
        switch self {
        case .list, .view, .find, .show, .items, .viewed, .wishes, .own, .note, .history, .recentHistory, .members,
            .showRows, .meanings:
            true
        case .shown(let request): request.isReading
        default: false
        }
    }

    /// The same beside a node that keeps what numbers mean: they go on meaning that.
    fileprivate var besideNode: TripRequest {
        self == .list ? .shown(.find(ItemFilter(includingRemoved: true))) : self
    }
}
