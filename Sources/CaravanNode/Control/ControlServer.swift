import Foundation
import LibC
import NIOCore
import NIOPosix
import Synchronization
package import TripService
import TripStore

/// Answers the commands of this user while a node runs this home's trips.
package final class ControlServer: Sendable {
    private struct State {
        var listening: (any Channel)?
        var isStopped = false
        var clients = 0
        /// The clients that only watch.
        var watchers = 0
    }

    private let node: HomeNode
    private let page: (any PageService)?
    private let stopAsked: @Sendable () -> Void
    private let state = Mutex(State())

    private static let clientsMax = 32
    /// Bytes of changes that make one answer.
    private static let batchBytes = 1 << 20

    /// Opens the socket of the node's home, and begins to answer. Only the home's owner may call this, so an existing
    /// socket is a dead node's.
    ///
    /// - Parameters:
    ///   - page: what the node serves beside its trips; nil where it serves none.
    ///   - stopAsked: called when a command asks for the node's end, from any thread.
    package init(
        for node: HomeNode, page: (any PageService)? = nil, stopAsked: @escaping @Sendable () -> Void = {}
    ) async throws(ServiceError) {
        self.node = node
        self.page = page
        self.stopAsked = stopAsked
        let path = ControlAddress.path(in: node.home.folder)
        let failure = ServiceError("cannot open \(path); check its permissions, or set CARAVAN_HOME")
        unlink(path)
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { throw failure }
        // A Unix socket's file takes its mode from the descriptor.
        fchmod(listener, 0o600)
        let isBound = ControlAddress.withAddress(in: node.home.folder) { bind(listener, $0, $1) == 0 } ?? false
        // The umask has taken from it, and may have taken all.
        guard isBound, chmod(path, 0o600) == 0 else {
            close(listener)
            throw failure
        }
        // The page's threads.
        let bootstrap = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try self.admit(channel) }
            }
        do {
            let channel = try await bootstrap.withBoundSocket(listener).get()
            state.withLock { $0.listening = channel }
        } catch {
            throw failure
        }
    }

    /// Accepts no new command, and returns once the running ones have their answers, or after a second.
    package func stop() async {
        let listening = state.withLock { state in
            state.isStopped = true
            return state.listening.take()
        }
        if let listening {
            unlink(ControlAddress.path(in: node.home.folder))
            try? await listening.close()
        }
        let deadline = ContinuousClock.now + .seconds(1)
        while state.withLock({ $0.clients > $0.watchers }), ContinuousClock.now < deadline {
            try? await Task.sleep(for: .milliseconds(2))
        }
    }

    /// Serves a client that was just accepted, or tells it why not. Called on its event loop.
    private func admit(_ channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        let isOwnUsers = try pipeline.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { descriptor in
            // NIO leaves it open in child processes.
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            return ControlSocket.isOwnUsers(descriptor)
        }
        guard isOwnUsers == true else { throw ChannelError.ioOnClosedChannel }
        let refusal: ControlAnswer? = state.withLock { state in
            if state.isStopped { return .stopping }
            if state.clients == ControlServer.clientsMax {
                return .refused(ServiceError("the node is busy with other commands; try again in a moment"))
            }
            state.clients += 1
            return nil
        }
        if let refusal {
            let connection = ControlConnection(patience: 1) { _, channel in try? await channel.send(refusal).get() }
            return try pipeline.addHandler(connection)
        }
        channel.closeFuture.whenComplete { _ in self.state.withLock { $0.clients -= 1 } }
        try pipeline.addHandler(ControlConnection(patience: 10) { await self.respond(to: $0, on: $1) })
    }

    private func respond(to message: ControlMessage, on channel: any Channel) async {
        do {
            if let last = try await answer(message, on: channel) { try await channel.send(last).get() }
        } catch let error as ServiceError {
            try? await channel.send(.refused(error)).get()
        } catch {
            // The client is gone, and there is nobody to tell.
        }
    }

    /// - Returns: the last answer, after the others were sent; nil for none.
    private func answer(_ message: ControlMessage, on channel: any Channel) async throws -> ControlAnswer? {
        switch message {
        case .request(let request, let trip):
            guard let trip = await node.node(of: trip) else { return .notRunHere }
            return ControlAnswer(try await trip.answer(request))
        case .watch(let trip):
            state.withLock { $0.watchers += 1 }
            defer { state.withLock { $0.watchers -= 1 } }
            guard let trip = await node.node(of: trip) else { return .notRunHere }
            for await event in await trip.events() { try await channel.send(.event(event)).get() }
            return nil
        case .changes(let trip):
            guard let trip = await node.node(of: trip) else { return .notRunHere }
            return try await changes(of: trip, on: channel)
        case .runningTrips: return .runningTrips(await node.tripIDs)
        case .run(let trip):
            try await node.run(trip)
            return .done
        case .release(let trip):
            await node.release(trip)
            return .done
        case .pageLink: return .pageLink(try await servedPage().link())
        case .openToGuests(let trip, let minutes):
            return .guestPass(try await servedPage().openToGuests(trip: trip, minutes: minutes))
        case .closeToGuests:
            // A node without a page admits nobody.
            try await page?.closeToGuests()
            return .done
        case .metrics: return .metrics(await node.metrics(commands: state.withLock(\.clients)))
        case .stop:
            stopAsked()
            return .done
        }
    }

    private func servedPage() throws(ServiceError) -> any PageService {
        guard let page else {
            throw ServiceError("the node does not serve the page; start it again without --no-page")
        }
        return page
    }

    private func changes(of trip: TripNode, on channel: any Channel) async throws -> ControlAnswer {
        let changes: [StoredChange]
        do { changes = try trip.store.changes(trip.seal) } catch { throw ServiceError(error) }
        var batch: [Data] = []
        var bytes = 0
        for change in changes {
            batch.append(Data(change.record))
            bytes += change.record.count
            guard bytes >= ControlServer.batchBytes else { continue }
            try await channel.send(.changes(batch, isLast: false)).get()
            (batch, bytes) = ([], 0)
        }
        return .changes(batch, isLast: true)
    }
}
