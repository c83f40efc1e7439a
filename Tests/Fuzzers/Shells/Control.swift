import Foundation
import LibC
import NIOCore
import TripModel
import TripService

@testable import CaravanNode

/// What a program of the same user may say to a running node: bytes over a socket, and every request that they may be.
func tryControl(_ bytes: [UInt8]) {
    var choices = Choices(bytes)
    let said: [UInt8]
    switch choices.byte() % 4 {
    case 0: said = choices.everything()
    case 1:
        guard let honest = try? encoder.encode(ControlMessage.request(anyRequest(&choices), trip: "trip")) else {
            return
        }
        said = choices.altered(Array(honest))
    default: return tryRequest(anyRequest(&choices), choices)
    }
    let message: ControlMessage?
    if choices.isOne(of: 64) {
        message = received(choices.byte() % 4 == 0 ? said : framed32(said))
    } else {
        message = try? JSONDecoder().decode(ControlMessage.self, from: Data(said))
    }
    guard case .request(let request, _)? = message else { return }
    tryRequest(request, choices)
}

private let encoder = JSONEncoder()

/// Asks the node a few of all.
private func tryRequest(_ request: TripRequest, _ choices: Choices) {
    guard choices.isOne(of: 8) else { return }
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        await Served.shared.execute(request)
        done.signal()
    }
    done.wait()
}

/// A request of somebody who sees the trip, or not quite.
private func anyRequest(_ choices: inout Choices) -> TripRequest {
    switch choices.byte() % 17 {
    case 0:
        let items = (0..<choices.byte() % 4).map { number in
            NewItem(
                title: "\(number)" + text(&choices), fields: fields(&choices).compactMapValues { $0 },
                quantity: choices.byte() % 2 == 0 ? nil : integer(&choices))
        }
        return .add(items)
    case 1: return .act(.edit(fields(&choices)), on: [.typed(reference(&choices))])
    case 2: return .act(.remove, on: .typed(references(&choices)))
    case 3: return .act(.restore, on: .typed(references(&choices)))
    case 4: return .act(.vote(choices.byte() % 2 == 0 ? .for : .against), on: .typed(references(&choices)))
    case 5: return .act(.vote(nil), on: .typed(references(&choices)))
    case 6: return .act(.changeQuantity(by: integer(&choices)), on: [.typed(reference(&choices))])
    case 7: return .showInvite(reference: reference(&choices))
    case 8: return .list
    case 9: return .show(item: .typed(reference(&choices)))
    case 10: return .history
    case 11: return .members
    case 12: return .status
    case 13: return .removeMember(name: reference(&choices))
    case 14: return choices.byte() == 9 ? .leave : .invites
    case 15:
        let lifetime = choices.byte() % 2 == 0 ? nil : integer(&choices)
        return choices.byte() % 2 == 0
            ? .addDevice(lifetime: lifetime) : .invite(uses: Int(integer(&choices)), lifetime: lifetime)
    default: return .closeInvite(reference: reference(&choices))
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

private func fields(_ choices: inout Choices) -> [Field: String?] {
    var fields: [Field: String?] = [:]
    for field in Field.allCases where choices.byte() % 4 == 0 {
        fields[field] = .some(choices.byte() % 4 == 0 ? nil : text(&choices))
    }
    return fields
}

/// Four bytes of length, and as many bytes.
private func framed32(_ bytes: [UInt8]) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bytes.count >> $0) } + bytes
}

/// What `ControlServer` reads of bytes that came over a socket.
private func received(_ bytes: [UInt8]) -> ControlMessage? {
    guard let body = try? ControlConnection.request(in: ByteBuffer(bytes: bytes)) else { return nil }
    return try? JSONDecoder().decode(ControlMessage.self, from: Data(body.readableBytesView))
}

/// A node in memory's file system, made again now and then, because it fills up.
private actor Served {
    static let shared = Served()

    private var node: TripNode?
    private var age = 0

    func execute(_ request: TripRequest) async {
        if age % 128 == 0 { await renew() }
        age += 1
        guard let node else { fatalError("no node") }
        do { _ = try await node.answer(request) } catch {
            let message = error.message
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
            let place = Home(folder: home)
            let id = try await TripNode.create(title: "Lisbon", name: "Jie", in: place)
            let node = try await TripNode.open(folder: place.folder(ofTrip: id))
            _ = try await node.answer(.add([NewItem(title: "Casa do Rio"), NewItem(title: "Tent", quantity: 2)]))
            self.node = node
        } catch {
            fatalError("\(error)")
        }
    }
}
