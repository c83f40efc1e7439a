import Foundation
import Glibc

@testable import CaravanNode

/// What a program of the same user may say to a running node: bytes over a socket, and every request that they may be.
func tryControl(_ bytes: [UInt8]) {
    var choices = Choices(bytes)
    let said: [UInt8]
    switch choices.byte() % 4 {
    case 0: said = choices.everything()
    case 1:
        guard let honest = try? encoder.encode(ControlMessage.request(anyRequest(&choices))) else { return }
        said = choices.altered(Array(honest))
    default: return tryRequest(anyRequest(&choices), choices)
    }
    let message: ControlMessage?
    if choices.isOne(of: 64) {
        message = received(choices.byte() % 4 == 0 ? said : framed32(said))
    } else {
        message = try? JSONDecoder().decode(ControlMessage.self, from: Data(said))
    }
    guard case .request(let request)? = message else { return }
    tryRequest(request, choices)
}

private let encoder = JSONEncoder()

/// Asks the node a few of all.
private func tryRequest(_ request: Request, _ choices: Choices) {
    guard choices.isOne(of: 8) else { return }
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        await Served.shared.execute(request)
        done.signal()
    }
    done.wait()
}

/// A request of somebody who sees the trip, or not quite.
private func anyRequest(_ choices: inout Choices) -> Request {
    let json = choices.byte() % 2 == 0
    switch choices.byte() % 18 {
    case 0:
        let items = (0..<choices.byte() % 4).map { number in
            NewItem(
                title: "\(number)" + text(&choices), fields: fields(&choices).compactMapValues { $0 },
                quantity: choices.byte() % 2 == 0 ? nil : integer(&choices))
        }
        return Request(.add(items), json: json)
    case 1: return Request(.edit(item: reference(&choices), fields: fields(&choices)), json: json)
    case 2: return Request(.remove(items: references(&choices)), json: json)
    case 3: return Request(.restore(items: references(&choices)), json: json)
    case 4: return Request(.vote(items: references(&choices), against: choices.byte() % 2 == 0), json: json)
    case 5: return Request(.unvote(items: references(&choices)), json: json)
    case 6: return Request(.quantity(item: reference(&choices), by: integer(&choices)), json: json)
    case 7: return Request(.title, json: json)
    case 8:
        let sort = ["number", "title", "votes", text(&choices)][choices.index(4)]
        return Request(
            .list(sort: choices.byte() % 2 == 0 ? nil : sort, includingRemoved: choices.byte() % 2 == 0), json: json)
    case 9: return Request(.show(item: reference(&choices)), json: json)
    case 10: return Request(.history, json: json)
    case 11: return Request(.members, json: json)
    case 12: return Request(.status, json: json)
    case 13: return Request(.removeMember(name: reference(&choices)), json: json)
    case 14: return Request(choices.byte() == 9 ? .leave : .invites, json: json)
    case 15:
        let lifetime = choices.byte() % 2 == 0 ? nil : integer(&choices)
        return Request(.invite(uses: Int(integer(&choices)), lifetime: lifetime), json: json)
    case 16: return Request(.addDevice(lifetime: choices.byte() % 2 == 0 ? nil : integer(&choices)), json: json)
    default: return Request(.closeInvite(reference: reference(&choices)), json: json)
    }
}

private func text(_ choices: inout Choices) -> String { String(decoding: choices.bytes(), as: UTF8.self) }

private func integer(_ choices: inout Choices) -> Int64 {
    switch choices.byte() % 4 {
    case 0: return Int64(bitPattern: choices.number(8))
    case 1: return [.min, .max, -1, 0][choices.index(4)]
    default: return Int64(choices.byte())
    }
}

private func reference(_ choices: inout Choices) -> String {
    ["1", "2", "3", "Casa do Rio", "tent", "Jie", "0", text(&choices)][choices.index(8)]
}

private func references(_ choices: inout Choices) -> [String] {
    (0..<choices.byte() % 4).map { _ in reference(&choices) }
}

private func fields(_ choices: inout Choices) -> [String: String?] {
    var fields: [String: String?] = [:]
    for name in ["title", "note", "link", "price", "place", "host", "details", "done", text(&choices)]
    where choices.byte() % 4 == 0 {
        fields[name] = .some(choices.byte() % 4 == 0 ? nil : text(&choices))
    }
    return fields
}

/// Four bytes of length, and as many bytes.
private func framed32(_ bytes: [UInt8]) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bytes.count >> $0) } + bytes
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
        if age % 128 == 0 { await renew() }
        age += 1
        guard let node else { fatalError("no node") }
        if case .failure(let message) = await node.execute(request) {
            let ends: Set<Unicode.Scalar> = ["\n", "\r", "\u{1B}", "\u{85}", "\u{2028}", "\u{2029}"]
            guard !message.unicodeScalars.contains(where: ends.contains) else {
                fatalError("more than a line: \(message)")
            }
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
