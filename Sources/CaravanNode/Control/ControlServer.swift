import Foundation
import Platform
import Synchronization
package import TripService
import TripStore

/// Answers the commands of this user while a node runs this home's trips.
package final class ControlServer: Sendable {
    private struct State {
        var isStarted = false
        var isStopped = false
        /// Whether every client that connected was accepted or refused.
        var hasEnded = false
        var clients = 0
        /// The clients that only watch.
        var watchers = 0
    }

    private let node: HomeNode
    private let page: (any PageService)?
    private let stopAsked: @Sendable () -> Void
    private let listener: Int32
    private let state = Mutex(State())

    private static let clientsMax = 32
    /// Bytes of changes that make one answer.
    private static let batchBytes = 1 << 20
    /// How often to say that an answer is being worked at, and to look whether a watcher is still there, in seconds.
    private static let pulse = 0.5

    /// Opens the socket of the node's home. Only the home's owner may call this, so an existing socket is a dead node's.
    ///
    /// - Parameters:
    ///   - page: what the node serves beside its trips; nil where it serves none.
    ///   - stopAsked: called when a command asks for the node's end, from any thread.
    package init(
        for node: HomeNode, page: (any PageService)? = nil, stopAsked: @escaping @Sendable () -> Void = {}
    ) throws(ServiceError) {
        self.node = node
        self.page = page
        self.stopAsked = stopAsked
        let path = ControlAddress.path(in: node.home.folder)
        let failure = ServiceError("cannot open \(path); check its permissions, or set CARAVAN_HOME")
        unlink(path)
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { throw failure }
        // A Unix socket's file takes its mode from the descriptor.
        fchmod(listener, 0o600)
        let isBound = ControlAddress.withAddress(in: node.home.folder) { bind(listener, $0, $1) == 0 } ?? false
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

    /// Accepts no new command, and returns once the running ones have their answers, or after a second.
    package func stop() async {
        state.withLock { state in
            guard !state.isStopped else { return }
            state.isStopped = true
            unlink(ControlAddress.path(in: node.home.folder))
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
                    return .refused(ServiceError("the node is busy with other commands; try again in a moment"))
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
        guard socket.send(ControlAnswer.ready) else { return }
        // To close with something unread would take the answer away again.
        _ = socket.receive(ControlMessage.self, bytesMax: ControlSocket.requestBytesMax)
        _ = socket.send(answer)
    }

    private func serve(_ descriptor: Int32) {
        let socket = ControlSocket(descriptor: descriptor)
        guard socket.isOwnUsers() else { return }
        socket.setPatience(receiving: 10)
        guard socket.send(ControlAnswer.ready),
            case .message(let message) = socket.receive(
                ControlMessage.self, bytesMax: ControlSocket.requestBytesMax)
        else { return }
        if case .watch = message { state.withLock { $0.watchers += 1 } }
        defer { if case .watch = message { state.withLock { $0.watchers -= 1 } } }
        let answers = AnswerQueue()
        let task = Task {
            await answer(message, into: answers)
            answers.finish()
        }
        defer {
            answers.finish()
            task.cancel()
        }
        while true {
            switch answers.next(within: ControlServer.pulse) {
            case .answer(let answer): guard socket.send(answer) else { return }
            case .nothingYet: guard !socket.isHungUp(), socket.send(ControlAnswer.working) else { return }
            case .finished: return
            }
        }
    }

    private func answer(_ message: ControlMessage, into answers: AnswerQueue) async {
        switch message {
        case .request(let request, let trip):
            guard let trip = await node.node(of: trip) else { return _ = answers.put(.notRunHere) }
            do { answers.put(ControlAnswer(try await trip.answer(request))) } catch { answers.put(.refused(error)) }
        case .watch(let trip):
            guard let trip = await node.node(of: trip) else { return _ = answers.put(.notRunHere) }
            for await event in await trip.events() { guard answers.put(.event(event)) else { return } }
        case .changes(let trip):
            guard let trip = await node.node(of: trip) else { return _ = answers.put(.notRunHere) }
            putChanges(of: trip, into: answers)
        case .runningTrips: answers.put(.runningTrips(await node.tripIDs))
        case .run(let trip):
            do {
                try await node.run(trip)
                answers.put(.done)
            } catch {
                answers.put(.refused(error))
            }
        case .release(let trip):
            await node.release(trip)
            answers.put(.done)
        case .pageLink: await ask(answers) { page throws(ServiceError) in .pageLink(try await page.link()) }
        case .openToGuests(let trip, let minutes):
            await ask(answers) { page throws(ServiceError) in
                .guestPass(try await page.openToGuests(trip: trip, minutes: minutes))
            }
        case .closeToGuests:
            do throws(ServiceError) {
                // A node without a page admits nobody.
                try await page?.closeToGuests()
                answers.put(.done)
            } catch {
                answers.put(.refused(error))
            }
        case .metrics: answers.put(.metrics(await node.metrics(commands: state.withLock(\.clients))))
        case .stop:
            answers.put(.done)
            stopAsked()
        }
    }

    private func ask(
        _ answers: AnswerQueue, _ question: (any PageService) async throws(ServiceError) -> ControlAnswer
    ) async {
        do throws(ServiceError) {
            guard let page else {
                throw ServiceError("the node does not serve the page; start it again without --no-page")
            }
            answers.put(try await question(page))
        } catch {
            answers.put(.refused(error))
        }
    }

    private func putChanges(of trip: TripNode, into answers: AnswerQueue) {
        let changes: [StoredChange]
        do { changes = try trip.store.changes(trip.seal) } catch {
            answers.put(.refused(ServiceError(error)))
            return
        }
        var batch: [Data] = []
        var bytes = 0
        for change in changes {
            batch.append(Data(change.record))
            bytes += change.record.count
            guard bytes >= ControlServer.batchBytes else { continue }
            guard answers.put(.changes(batch, isLast: false)) else { return }
            (batch, bytes) = ([], 0)
        }
        answers.put(.changes(batch, isLast: true))
    }
}
