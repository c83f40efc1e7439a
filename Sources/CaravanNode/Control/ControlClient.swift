import Foundation
import LibC
package import TripService

/// Speaks with the node of a home, where one runs.
struct ControlClient: Sendable {
    let home: Home

    /// How long a node may be silent, in seconds.
    static let patience = 2

    /// Why a node that has been asked nothing yet is left alone.
    private var notAnswering: ServiceError {
        ServiceError(.notAnswering, "your node does not answer, so nothing was done; \(home.adviceOnSuspendedNode)")
    }
    private static let silent = ServiceError(
        .notAnswering,
        "your node stopped answering; your command may still take effect, see `caravan history`")
    private static let ended = ServiceError(
        "the node stopped while it worked on this, or is an older version; see `caravan history`")
    private static let senseless = ServiceError(
        "the node sent an invalid answer; restart it with `caravan down` and `caravan up`")

    /// A connection to the node, which has said that it is there; nil where none runs. Blocks this thread for at most
    /// `patience`.
    ///
    /// - Throws: where a node has the socket and does not answer.
    func connect() throws(ServiceError) -> ControlSocket? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        let control = ControlSocket(descriptor: descriptor)
        // A stopped node's queue fills: then to connect takes time too.
        control.setPatience(Self.patience)
        var code: Int32 = 0
        let isConnected = ControlAddress.withAddress(in: home.folder) { address, size in
            let result = LibC.connect(descriptor, address, size)
            code = errno
            return result == 0
        }
        guard isConnected == true else {
            if isConnected != nil, code == EAGAIN { throw notAnswering }
            return nil
        }
        guard ControlSocket.isOwnUsers(descriptor) else { return nil }
        switch control.receive(ControlAnswer.self, bytesMax: ControlSocket.replyBytesMax) {
        case .message(.ready): return control
        case .silence: throw notAnswering
        case .message, .end: return nil
        }
    }

    /// Whether a node runs and answers.
    func isAnswered() throws(ServiceError) -> Bool { try connect() != nil }

    /// The node's answer, or nil where none runs or it did nothing. Blocks this thread until it comes.
    func ask(_ message: ControlMessage) throws(ServiceError) -> ControlAnswer? {
        guard let socket = try connect(), socket.send(message) else { return nil }
        switch try Self.next(socket) {
        case .stopping: return nil
        case .refused(let error): throw error
        case let answer: return answer
        }
    }

    /// The next answer that says something.
    private static func next(_ socket: borrowing ControlSocket) throws(ServiceError) -> ControlAnswer {
        while true {
            switch socket.receive(ControlAnswer.self, bytesMax: ControlSocket.replyBytesMax) {
            case .message(.working): continue
            case .message(let answer): return answer
            case .silence: throw silent
            case .end: throw ended
            }
        }
    }

    /// The threads that tasks and Dispatch's queues share are few, and none may block.
    func askOnAnotherThread(_ message: ControlMessage) async throws(ServiceError) -> ControlAnswer? {
        let result: Result<ControlAnswer?, ServiceError> = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: Result { () throws(ServiceError) in try ask(message) })
            }
        }
        return try result.get()
    }

    // MARK: - What is asked of the node of a home

    /// The trips that a node runs; none where no node runs.
    func runningTrips() async throws(ServiceError) -> [String] {
        guard case .runningTrips(let ids)? = try await askOnAnotherThread(.runningTrips) else { return [] }
        return ids
    }

    /// What a node counts and measures; nil where none runs.
    func metrics() async throws(ServiceError) -> NodeMetrics? {
        guard case .metrics(let metrics)? = try await askOnAnotherThread(.metrics) else { return nil }
        return metrics
    }

    /// Lets the node, where one runs, run a trip that has come to the home.
    func run(trip id: String) async throws(ServiceError) { _ = try await askOnAnotherThread(.run(trip: id)) }

    /// Lets the node, where one runs, let go of a trip's folder.
    func release(trip id: String) async throws(ServiceError) { _ = try await askOnAnotherThread(.release(trip: id)) }

    /// Prints what happens until the node stops, or `print` says that nobody reads. Blocks this thread.
    func watch(trip id: String, print: (TripEvent) -> Bool) throws(ServiceError) {
        guard let socket = try connect() else {
            throw ServiceError("no node is running; start one with `caravan up`")
        }
        guard socket.send(ControlMessage.watch(trip: id)) else {
            throw ServiceError("the node is stopping; start it again with `caravan up`")
        }
        socket.setPatience(0)
        while true {
            switch socket.receive(ControlAnswer.self, bytesMax: ControlSocket.replyBytesMax) {
            case .message(.event(let event)): guard print(event) else { return }
            case .message(.working): continue
            case .message(.notRunHere):
                throw ServiceError("the running node runs only another trip; run `caravan down`, then `caravan up`")
            case .message(.refused(let error)): throw error
            case .message, .silence, .end: return
            }
        }
    }

    /// The records of all durable changes of a trip, as the running node has them; nil where it is not run. Blocks this thread until they
    /// are here.
    func changes(ofTrip id: String) throws(ServiceError) -> [[UInt8]]? {
        guard let socket = try connect(), socket.send(ControlMessage.changes(trip: id)) else { return nil }
        var records: [[UInt8]] = []
        var bytes = 0
        while true {
            switch try Self.next(socket) {
            case .changes(let batch, let isLast):
                records += batch.map { Array($0) }
                bytes += batch.reduce(0) { $0 + $1.count }
                if isLast { return records }
                // More than any backup holds, or nothing at all, for ever.
                guard bytes <= BackupFormat.bytesMax, !batch.isEmpty else { throw Self.senseless }
            case .refused(let error): throw error
            case .stopping, .notRunHere: return nil
            default: throw Self.senseless
            }
        }
    }

    /// The answer to a request; nil where no node runs that trip.
    func answer(_ request: TripRequest, trip id: String) async throws(ServiceError) -> TripAnswer? {
        switch try await askOnAnotherThread(.request(request, trip: id)) {
        case .notRunHere?, nil: return nil
        case let answer?:
            guard let answer = answer.tripAnswer else { throw Self.senseless }
            return answer
        }
    }
}

extension Home {
    /// Ends the node that runs this home's trips.
    /// - Returns: false where none runs.
    package func stopNode() async throws(ServiceError) -> Bool {
        guard case .done? = try await ControlClient(home: self).askOnAnotherThread(.stop) else { return false }
        // Until the last trip is closed.
        let deadline = ContinuousClock.now + .seconds(10)
        while ContinuousClock.now < deadline {
            guard isNodeRunning else { return true }
            try? await Task.sleep(for: .milliseconds(10))
        }
        throw ServiceError("the node has not stopped yet; try again in a moment")
    }

    /// What this home's node counts and measures; nil where none runs.
    package func nodeMetrics() async throws(ServiceError) -> NodeMetrics? {
        try await ControlClient(home: self).metrics()
    }

    /// Lets the node, where one runs, run a trip that was made here.
    package func runIfNodeRuns(trip id: String) async throws(ServiceError) {
        try await ControlClient(home: self).run(trip: id)
    }
}
