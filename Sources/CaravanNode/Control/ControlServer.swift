import Foundation
import Glibc
import Synchronization

/// Answers the commands of this user while a node runs.
package final class ControlServer: Sendable {
    private struct State {
        var isStopped = false
        var clients = 0
    }

    private let node: TripNode
    private let path: String
    private let listener: Int32
    private let state = Mutex(State())

    private static let clientsMax = 32

    /// Opens the socket of the node's trip. Its owner alone may come here: a socket that is there is a dead node's.
    package init(for node: TripNode) throws(NodeError) {
        self.node = node
        path = ControlPath.path(forTripIn: node.folder)
        let failure = NodeError("\(path) cannot be opened: give yourself permission for it, or set CARAVAN_HOME")
        unlink(path)
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { throw failure }
        let mask = umask(0o177)
        let isBound = ControlPath.withAddress(path) { bind(listener, $0, $1) == 0 } ?? false
        umask(mask)
        guard isBound, listen(listener, 16) == 0 else {
            close(listener)
            throw failure
        }
    }

    /// Begins to answer.
    package func start() {
        Thread.detachNewThread { self.acceptAll() }
    }

    /// Stops, and lets no new command in.
    package func stop() {
        let wasStopped = state.withLock { state in
            defer { state.isStopped = true }
            return state.isStopped
        }
        guard !wasStopped else { return }
        unlink(path)
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func acceptAll() {
        while !state.withLock(\.isStopped) {
            let descriptor = accept(listener, nil, nil)
            if descriptor < 0 {
                // Out of descriptors, say: that passes.
                if errno != EINTR { usleep(10_000) }
                continue
            }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            let hasRoom = state.withLock { state in
                guard state.clients < ControlServer.clientsMax else { return false }
                state.clients += 1
                return true
            }
            guard hasRoom else {
                close(descriptor)
                continue
            }
            Thread.detachNewThread {
                self.serve(descriptor)
                self.state.withLock { $0.clients -= 1 }
            }
        }
        close(listener)
    }

    private func serve(_ descriptor: Int32) {
        let socket = ControlSocket(descriptor: descriptor)
        guard socket.isOwnUsers() else { return }
        socket.setPatience(receiving: 10, sending: 10)
        guard let message = socket.receive(ControlMessage.self) else { return }
        switch message {
        case .request(let request):
            let answer = Answers()
            Task { answer.put(await self.node.execute(request)) }
            if let reply = answer.next() { _ = socket.send(reply) }
        case .watch(let json):
            let answers = Answers()
            let task = Task {
                for await line in self.node.watch(json: json) where !answers.put(.output(line + "\n")) { break }
                answers.finish()
            }
            while let reply = answers.next(), socket.send(reply) {}
            answers.finish()
            task.cancel()
        }
    }
}

/// Hands replies from a task to the thread that sends them; at most 1,024 wait.
private final class Answers: Sendable {
    private struct State {
        var waiting: [Reply] = []
        var isFinished = false
    }

    private let condition = NSCondition()
    private let state = Mutex(State())

    @discardableResult
    func put(_ reply: Reply) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        let isOpen = state.withLock { state in
            guard !state.isFinished, state.waiting.count < 1_024 else { return false }
            state.waiting.append(reply)
            return true
        }
        condition.signal()
        return isOpen
    }

    func finish() {
        condition.lock()
        defer { condition.unlock() }
        state.withLock { $0.isFinished = true }
        condition.signal()
    }

    func next() -> Reply? {
        condition.lock()
        defer { condition.unlock() }
        while true {
            let (reply, isFinished) = state.withLock { state in
                (state.waiting.isEmpty ? nil : state.waiting.removeFirst(), state.isFinished)
            }
            if let reply { return reply }
            if isFinished { return nil }
            condition.wait()
        }
    }
}
