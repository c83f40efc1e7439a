import Foundation
import Glibc

/// A trip of this machine as a command reaches it: through the node that runs, or else by itself.
package struct TripAccess: Sendable {
    private let folder: String

    package init(folder: String) { self.folder = folder }

    /// How long to wait where another process holds the trip and does not answer yet, or is on its way out.
    private static let patience = 2.0

    /// Does what is asked, and returns what to print.
    package func run(_ request: Request) async throws(NodeError) -> String {
        let deadline = Date().addingTimeInterval(TripAccess.patience)
        while true {
            if let reply = askNode(request) {
                switch reply {
                case .output(let text): return text
                case .failure(let message): throw NodeError(message)
                }
            }
            let node: TripNode
            do { node = try await TripNode.open(folder: folder) } catch {
                guard error.isOwned, Date() < deadline else { throw error }
                try? await Task.sleep(for: .milliseconds(20))
                continue
            }
            let reply = await node.execute(request)
            await node.close()
            switch reply {
            case .output(let text): return text
            case .failure(let message): throw NodeError(message)
            }
        }
    }

    /// Prints what happens until the node stops. Needs a running node.
    package func watch(json: Bool, print: (String) -> Void) throws(NodeError) {
        guard let socket = connect() else {
            throw NodeError("no node runs here: start one with `caravan up`, then watch")
        }
        guard socket.send(ControlMessage.watch(json: json)) else {
            throw NodeError("the node is stopping: start it again with `caravan up`")
        }
        socket.setPatience(receiving: 0, sending: 10)
        while case .output(let line)? = socket.receive(Reply.self) { print(line) }
    }

    /// The running node's answer, or nil where none runs. Blocks this thread until it comes.
    package func askNode(_ request: Request) -> Reply? {
        guard let socket = connect() else { return nil }
        socket.setPatience(receiving: 60, sending: 10)
        guard socket.send(ControlMessage.request(request)) else { return nil }
        return socket.receive(Reply.self)
            ?? .failure("the node stopped in the middle: look at `caravan history`, then go on")
    }

    private func connect() -> ControlSocket? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        let control = ControlSocket(descriptor: descriptor)
        let isConnected = ControlPath.withAddress(ControlPath.path(forTripIn: folder)) {
            Glibc.connect(descriptor, $0, $1) == 0
        }
        guard isConnected == true, control.isOwnUsers() else { return nil }
        return control
    }
}
