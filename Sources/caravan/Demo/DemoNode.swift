import CaravanNode
import Desktop
import Foundation
import Synchronization
import TripModel
import TripService

/// One person of the demo: a home folder, and a process that runs their node.
final class DemoNode: Sendable {
    let name: String
    let home: Home
    private let process = Mutex<RunningProgram?>(nil)
    private let said = Mutex<[String]>([])

    init(name: String, in folder: String) {
        self.name = name
        home = Home(folder: "\(folder)/\(name.lowercased())")
    }

    /// Starts `caravan up` as a process of its own, and returns once it is ready.
    func up() async throws(ServiceError) {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        let variables = ProcessInfo.processInfo.environment.merging(["CARAVAN_HOME": home.folder]) { $1 }
        let node: RunningProgram
        do {
            node = try RunningProgram([program, "up"], environment: variables.map { "\($0.key)=\($0.value)" })
        } catch { throw ServiceError("cannot start \(name)'s node: \(error)") }
        process.withLock { $0 = node }
        Thread.detachNewThread { [self] in
            let reader = FileHandle(fileDescriptor: node.output)
            var rest = ""
            while true {
                let data = reader.availableData
                if data.isEmpty { break }
                rest += String(decoding: data, as: UTF8.self)
                let lines = rest.split(separator: "\n", omittingEmptySubsequences: false)
                said.withLock { $0 += lines.dropLast().map(String.init) }
                rest = lines.last.map(String.init) ?? ""
            }
        }
        let isReady = await eventually(within: 15) { self.said.withLock { $0.contains("ready") } || !node.isRunning }
        guard isReady, node.isRunning else {
            let reason = said.withLock { $0.last } ?? "it printed nothing"
            throw ServiceError("\(name)'s node stopped: \(reason.replacing("caravan: ", with: ""))")
        }
    }

    /// This person's trip, as their commands reach it.
    var trip: TripAccess {
        get async throws(ServiceError) { TripAccess(home: home, id: try await home.tripID(named: nil)) }
    }

    /// Asks this person's node.
    @discardableResult
    func ask(_ request: TripRequest) async throws(ServiceError) -> TripAnswer { try await trip.answer(request) }

    /// The trip as this person sees it.
    func list() async throws(ServiceError) -> TripView {
        guard case .trip(let view) = try await ask(.list) else { throw .senseless }
        return view
    }

    func status() async throws(ServiceError) -> StatusView {
        guard case .status(let status) = try await ask(.status) else { throw .senseless }
        return status
    }

    /// Ends this person's node.
    func down() { process.withLock { $0 }?.end(within: 3) }
}

/// Asks again and again until something holds. False where it does not in time.
func eventually(within seconds: Double, _ isDone: () async -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < deadline {
        if await isDone() { return true }
        try? await Task.sleep(for: .milliseconds(10))
    }
    return false
}

extension ServiceError {
    static let senseless = ServiceError("the node sent an unexpected answer; restart it")
}
