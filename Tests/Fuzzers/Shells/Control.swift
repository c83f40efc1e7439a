import Foundation
import Glibc
import Synchronization

@testable import CaravanNode

/// What a program of the same user may say to a running node: bytes over a socket, and every request that they may be.
func tryControl(_ bytes: [UInt8]) {
    var choices = Choices(bytes)
    let kind = choices.byte()
    let rest = choices.everything()
    let sent: [UInt8]
    switch kind % 4 {
    case 0: sent = rest
    default: sent = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rest.count >> $0) } + rest
    }
    guard case .request(let request)? = received(sent) else { return }
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        await Served.shared.execute(request)
        done.signal()
    }
    done.wait()
}

/// What `ControlServer` reads of bytes that came over a socket.
private func received(_ bytes: [UInt8]) -> ControlMessage? {
    var ends: [Int32] = [0, 0]
    guard bytes.count < 100_000, socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return nil }
    let socket = ControlSocket(descriptor: ends[0])
    _ = bytes.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
    close(ends[1])
    return socket.receive(ControlMessage.self, bytesMax: ControlSocket.requestBytesMax)
}

/// A node in memory's file system, made anew now and then, for it fills up.
private actor Served {
    static let shared = Served()

    private var node: TripNode?
    private var age = 0

    func execute(_ request: Request) async {
        if age % 64 == 0 { await renew() }
        age += 1
        guard let node else { fatalError("no node") }
        if case .failure(let message) = await node.execute(request) {
            guard !message.contains("\n") else { fatalError("more than a line: \(message)") }
        }
    }

    private func renew() async {
        await node?.close()
        let home = "/dev/shm/caravan-fuzz-control.\(getpid())"
        try? FileManager.default.removeItem(atPath: home)
        do {
            let folder = try await TripNode.create(
                title: "Lisbon", name: "Jie", in: Home(environment: ["CARAVAN_HOME": home]))
            let node = try await TripNode.open(folder: folder)
            _ = await node.execute(Request(.add([NewItem(title: "Casa do Rio"), NewItem(title: "Tent", quantity: 2)])))
            self.node = node
        } catch {
            fatalError("\(error)")
        }
    }
}
