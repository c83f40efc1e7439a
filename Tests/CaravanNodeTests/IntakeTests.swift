import LibC
import PeerTransport
import SyncEngine
import Synchronization
import Testing

@testable import CaravanNode

@Suite struct IntakeTests {
    /// Whoever sends without end has to wait for the node, whose memory stays small; nothing is lost.
    @Test func aFasterSenderWaitsForTheNode() async throws {
        let intake = Intake()
        let arrived = Mutex<[(id: ConnectionID, count: Int)]>([])
        let transport = TCPTransport { event in
            guard case .received(let id, let bytes) = event else { return }
            arrived.withLock { $0.append((id, bytes.count)) }
            intake.arrived(bytes.count, on: id)
        }
        intake.attach(transport)
        let port = try await transport.listen()
        let raw = try connectedSocket(to: port)
        defer { close(raw) }
        // Until the sender's own system takes no more for a second.
        let sent = sendUntilStalled(raw, limit: 256 << 20)
        let waiting = arrived.withLock { $0.reduce(0) { $0 + $1.count } }
        #expect(sent < 64 << 20)
        #expect(waiting <= Intake.waitingMax + (2 << 20), "\(waiting) bytes wait")

        // Once they are handled, the rest comes.
        var handled = 0
        let deadline = ContinuousClock.now + .seconds(20)
        while handled < sent, ContinuousClock.now < deadline {
            let next = arrived.withLock { arrived in
                defer { arrived = [] }
                return arrived
            }
            for (id, count) in next {
                intake.handled(count, on: id)
                handled += count
            }
            await Task.yield()
        }
        #expect(handled == sent)
        await transport.stop()
    }

    private func connectedSocket(to port: UInt16) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var patience = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0)
        return descriptor
    }

    private func sendUntilStalled(_ descriptor: Int32, limit: Int) -> Int {
        let chunk = [UInt8](repeating: 7, count: 1 << 16)
        var sent = 0
        while sent < limit {
            let count = send(descriptor, chunk, chunk.count, Int32(MSG_NOSIGNAL))
            guard count > 0 else { break }
            sent += count
        }
        return sent
    }
}
