import Foundation
import Glibc
import Synchronization
import TripStore

/// Answers the commands of this user while a node runs.
package final class ControlServer: Sendable {
    private struct State {
        var isStarted = false
        var isStopped = false
        /// Whether everybody who knocked was let in or sent away.
        var hasEnded = false
        var clients = 0
        /// The clients that only watch.
        var watchers = 0
    }

    private let node: TripNode
    private let listener: Int32
    private let state = Mutex(State())

    private static let clientsMax = 32
    /// Bytes of changes that make one answer.
    private static let batchBytes = 1 << 20
    /// How often to look whether a watcher is still there, in seconds.
    private static let watcherCheck = 0.5

    /// Opens the socket of the node's trip. Its owner alone may come here: a socket that is there is a dead node's.
    package init(for node: TripNode) throws(NodeError) {
        self.node = node
        let path = ControlAddress.path(forTripIn: node.folder)
        let failure = NodeError("\(path) cannot be opened: give yourself permission for it, or set CARAVAN_HOME")
        unlink(path)
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { throw failure }
        // A Unix socket's file takes its mode from the descriptor.
        fchmod(listener, 0o600)
        let isBound = ControlAddress.withAddress(forTripIn: node.folder) { bind(listener, $0, $1) == 0 } ?? false
        // The umask has taken from it, and may have taken all.
        guard isBound, chmod(path, 0o600) == 0, listen(listener, 16) == 0 else {
            close(listener)
            throw failure
        }
    }

    /// Begins to answer.
    package func start() {
        state.withLock { $0.isStarted = true }
        Thread.detachNewThread { self.acceptAll() }
    }

    /// Lets no new command in, and returns once those that are in have their answers, or after a second.
    package func stop() async {
        state.withLock { state in
            guard !state.isStopped else { return }
            state.isStopped = true
            unlink(ControlAddress.path(forTripIn: node.folder))
            // Wakes the thread that accepts, which closes it.
            if state.isStarted { shutdown(listener, Int32(SHUT_RDWR)) } else { close(listener) }
        }
        let deadline = ContinuousClock.now + .seconds(1)
        while state.withLock({ $0.clients > $0.watchers || $0.isStarted && !$0.hasEnded }),
            ContinuousClock.now < deadline
        {
            try? await Task.sleep(for: .milliseconds(2))
        }
    }

    private func acceptAll() {
        while true {
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else {
                let code = errno
                // Those who knocked before the stop have been told by now.
                if state.withLock(\.isStopped) { break }
                // Out of descriptors, say: that passes.
                if code != EINTR { usleep(10_000) }
                continue
            }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            let refusal: ControlAnswer? = state.withLock { state in
                if state.isStopped { return .stopping }
                if state.clients == ControlServer.clientsMax {
                    return .reply(.failure("the node is busy with other commands: try again in a moment"))
                }
                state.clients += 1
                return nil
            }
            if let refusal {
                refuse(descriptor, refusal)
            } else {
                Thread.detachNewThread {
                    self.serve(descriptor)
                    self.state.withLock { $0.clients -= 1 }
                }
            }
        }
        close(listener)
        state.withLock { $0.hasEnded = true }
    }

    private func refuse(_ descriptor: Int32, _ answer: ControlAnswer) {
        let socket = ControlSocket(descriptor: descriptor)
        guard socket.isOwnUsers() else { return }
        socket.setPatience(receiving: 1, sending: 1)
        _ = socket.send(answer)
    }

    private func serve(_ descriptor: Int32) {
        let socket = ControlSocket(descriptor: descriptor)
        guard socket.isOwnUsers() else { return }
        socket.setPatience(receiving: 10, sending: 10)
        guard let message = socket.receive(ControlMessage.self, bytesMax: ControlSocket.requestBytesMax) else { return }
        switch message {
        case .request(let request):
            let answer = Answers()
            Task {
                answer.put(await self.node.execute(request))
                answer.finish()
            }
            if case .reply(let reply) = answer.next(within: 3_600) { _ = socket.send(ControlAnswer.reply(reply)) }
        case .changes: sendChanges(to: socket)
        case .watch(let json):
            state.withLock { $0.watchers += 1 }
            defer { state.withLock { $0.watchers -= 1 } }
            sendEvents(to: socket, json: json)
        }
    }

    private func sendChanges(to socket: borrowing ControlSocket) {
        let changes: [StoredChange]
        do { changes = try node.store.changes() } catch {
            _ = socket.send(ControlAnswer.reply(.failure(error.message)))
            return
        }
        var batch: [SentChange] = []
        var bytes = 0
        for change in changes {
            batch.append(SentChange(sealed: Data(change.sealed), isVerified: change.isVerified))
            bytes += change.sealed.count
            guard bytes >= ControlServer.batchBytes else { continue }
            guard socket.send(ControlAnswer.changes(batch, isLast: false)) else { return }
            (batch, bytes) = ([], 0)
        }
        _ = socket.send(ControlAnswer.changes(batch, isLast: true))
    }

    private func sendEvents(to socket: borrowing ControlSocket, json: Bool) {
        let answers = Answers()
        let task = Task {
            for await line in self.node.watch(json: json) {
                guard answers.put(.output(line + "\n")) else { break }
            }
            answers.finish()
        }
        defer {
            answers.finish()
            task.cancel()
        }
        while true {
            switch answers.next(within: ControlServer.watcherCheck) {
            case .reply(let reply): guard socket.send(ControlAnswer.reply(reply)) else { return }
            case .nothingYet: guard !socket.isHungUp() else { return }
            case .finished: return
            }
        }
    }
}
