import Foundation
import Glibc

/// A trip of this machine as a command reaches it: through the node that runs, or else by itself.
package struct TripAccess: Sendable {
    let folder: String
    let lock: KeyLock

    /// - Parameter passphrases: where to ask, should the trip's secrets be under a passphrase and no node run.
    package init(folder: String, passphrases: PassphraseSource = .none) {
        self.folder = folder
        lock = KeyLock(passphrases)
    }

    /// How long to wait where another process holds the trip and does not answer yet, or is on its way out.
    static let patience = Duration.seconds(2)

    /// Does what is asked, and returns what to print.
    package func run(_ request: Request) async throws(NodeError) -> String {
        let deadline = ContinuousClock.now + TripAccess.patience
        while true {
            if let reply = await askNodeOnAnotherThread(request) { return try reply.text }
            let node: TripNode
            do { node = try await TripNode.open(folder: folder, lock: lock) } catch {
                guard error.isOwned, ContinuousClock.now < deadline else { throw error }
                try? await Task.sleep(for: .milliseconds(10))
                continue
            }
            let reply = await node.execute(request)
            await node.close()
            return try reply.text
        }
    }

    /// Opens the trip to run its node. Waits for a command that holds it for a moment, but not for another node.
    package func open() async throws(NodeError) -> TripNode {
        let deadline = ContinuousClock.now + TripAccess.patience
        while true {
            do { return try await TripNode.open(folder: folder, lock: lock) } catch {
                guard error.isOwned else { throw error }
                if isNodeRunning {
                    throw NodeError(
                        "this trip's node runs already: `caravan status` shows it, `caravan watch` follows it")
                }
                guard ContinuousClock.now < deadline else { throw error }
                try? await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    /// Prints what happens until the node stops, or `print` says that nobody reads. Needs a running node.
    package func watch(json: Bool, print: (String) -> Bool) throws(NodeError) {
        guard let socket = connect() else {
            throw NodeError("no node runs here: start one with `caravan up`, then watch")
        }
        guard socket.send(ControlMessage.watch(json: json)) else {
            throw NodeError("the node is stopping: start it again with `caravan up`")
        }
        socket.setPatience(receiving: 0, sending: 10)
        while case .reply(let reply)? = socket.receive(ControlAnswer.self, bytesMax: ControlSocket.replyBytesMax) {
            guard print(try reply.text) else { return }
        }
    }

    /// Whether a node of the trip runs and answers.
    var isNodeRunning: Bool { connect() != nil }

    /// The running node's answer, or nil where none runs. Blocks this thread until it comes.
    package func askNode(_ request: Request) -> Reply? {
        guard let socket = connect() else { return nil }
        socket.setPatience(receiving: 60, sending: 10)
        guard socket.send(ControlMessage.request(request)) else { return nil }
        switch socket.receive(ControlAnswer.self, bytesMax: ControlSocket.replyBytesMax) {
        case .reply(let reply): return reply
        case .stopping: return nil
        case .changes: return .failure("the node's answer makes no sense: start it again with this caravan")
        case nil: return .failure("the node stopped in the middle: look at `caravan history`, then go on")
        }
    }

    /// All durable changes, as the running node has them; nil where none runs. Blocks this thread until they are here.
    func askForChanges() throws(NodeError) -> [BackedUpChange]? {
        guard let socket = connect() else { return nil }
        socket.setPatience(receiving: 60, sending: 10)
        guard socket.send(ControlMessage.changes) else { return nil }
        var changes: [BackedUpChange] = []
        var bytes = 0
        while true {
            switch socket.receive(ControlAnswer.self, bytesMax: ControlSocket.replyBytesMax) {
            case .changes(let batch, let isLast):
                changes += batch.map { BackedUpChange(sealed: Array($0.sealed), isVerified: $0.isVerified) }
                bytes += batch.reduce(0) { $0 + $1.sealed.count }
                if isLast { return changes }
                // More than any backup holds, or nothing at all, for ever.
                guard bytes <= BackupFormat.bytesMax, !batch.isEmpty else {
                    throw NodeError("the node's answer makes no sense: start it again with this caravan")
                }
            case .reply(.failure(let message)): throw NodeError(message)
            case .stopping: return nil
            case .reply, nil: throw NodeError("the node stopped in the middle: nothing was done; do it again")
            }
        }
    }

    /// The threads that tasks and Dispatch's queues share are few, and none may block.
    private func askNodeOnAnotherThread(_ request: Request) async -> Reply? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: askNode(request)) }
        }
    }

    private func connect() -> ControlSocket? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        let control = ControlSocket(descriptor: descriptor)
        control.setPatience(receiving: 10, sending: 10)
        let isConnected = ControlAddress.withAddress(forTripIn: folder) {
            Glibc.connect(descriptor, $0, $1) == 0
        }
        guard isConnected == true, control.isOwnUsers() else { return nil }
        return control
    }
}

extension Reply {
    /// What to print.
    fileprivate var text: String {
        get throws(NodeError) {
            switch self {
            case .output(let text): return text
            case .failure(let message): throw NodeError(message)
            }
        }
    }
}
