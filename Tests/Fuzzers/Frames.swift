import ChangeLog
import Convergence
import DeltaCRDT
import TripModel
import TripSimulation

@testable import SyncEngine

/// Streams, frames, fragments and messages, at every point of a connection and by every kind of peer.
func tryFrames(_ bytes: [UInt8]) {
    var choices = Choices(bytes)
    let number = choices.index(Scene.all.count)
    var scene = Scene.all[number]
    let before = scene.node.log.changes.count
    var steps = 0
    while !choices.isEmpty, steps < 48 {
        steps += 1
        step(&scene, &choices)
    }
    for _ in 0..<4 {
        scene.time += 5_000
        scene.tell(.woke)
    }
    guard !scene.node.connectionIDs.contains(scene.connection) else { fatalError("a silent peer is kept") }
    let taken = scene.node.log.changes.count - before
    // Under an invite, a device may be let in; without a session, nothing may happen at all.
    let bound = number < 3 ? 0 : number == 5 ? 1 : 48
    let written = scene.written
    guard taken <= bound + written else { fatalError("\(taken) changes came through scene \(number)") }
}

private func step(_ scene: inout Scene, _ choices: inout Choices) {
    switch choices.byte() % 16 {
    case 0: scene.deliver(choices.bytes())
    case 1: scene.deliver(framed(choices.bytes()))
    case 2: scene.say(fragment: choices.bytes())
    case 3: scene.say(choices.bytes())
    case 4:
        scene.time += choices.number(2)
        scene.tell(.woke)
    case 5: if !scene.tokens.isEmpty { scene.tell(.persisted(token: scene.tokens.removeFirst())) }
    case 6:
        scene.written += 1
        scene.tell(.author(.content(Planned.contents[0]), ticket: 1))
    case 7: scene.say(.changes(someChanges(&choices)))
    case 8:
        scene.say(
            .hello(
                digest: scene.node.log.frontier.digest(using: Group.shared.cryptography),
                incarnation: Bytes16(high: 1, low: 2)))
    case 9: scene.say(choices.altered(Message.frontier(Group.shared.early.frontier).encoding))
    case 10: scene.say(choices.altered(Message.frontier(Group.shared.log.frontier).encoding))
    case 11: scene.say(.have(someHashes(&choices)))
    case 12: scene.say(.locator(Group.shared.people[choices.index(5)].device.replica, someHashes(&choices)))
    case 13:
        scene.say(.rekey)
        scene.cipher?.rekey()
    case 14: scene.say(joinRequest(&choices))
    default: longMessage(&scene, &choices)
    }
}

private func someHashes(_ choices: inout Choices) -> [Bytes32] {
    let changes = Group.shared.log.changes
    return (0..<choices.byte() % 8).map { _ in changes[choices.index(changes.count)].hash }
}

/// Changes that are there, altered or not, and new ones of the peer's making.
private func someChanges(_ choices: inout Choices) -> [[UInt8]] {
    let forge = Forge(group: .shared)
    return (0..<choices.byte() % 4).map { _ in forge.anySealed(&choices, by: .group) }
}

private func joinRequest(_ choices: inout Choices) -> Message {
    let group = Group.shared
    let person = group.people[choices.index(5)]
    let name = String(decoding: choices.bytes().prefix(16), as: UTF8.self)
    var encoder = CanonicalEncoder()
    encoder.encode("caravan join")
    encoder.encode(fixed: group.log.trip.bytes)
    encoder.encode(fixed: group.invite.id(using: group.cryptography).bytes)
    encoder.encode(person.device)
    encoder.encode(name)
    let signature = group.cryptography.sign(encoder.bytes, seed: person.signingSeed)
    return .joinRequest(JoinRequest(device: person.device, name: name, signature: signature))
}

/// Fragments without an end, up to beyond what a message may have.
private func longMessage(_ scene: inout Scene, _ choices: inout Choices) {
    guard choices.byte() == 77, choices.isOne(of: 64) else { return }
    let room = 65_516
    for _ in 0..<choices.byte() % 40 where scene.isOpen {
        scene.say(fragment: [1, UInt8(room >> 8), UInt8(room & 255)] + [UInt8](repeating: 3, count: room))
    }
}

extension Scene {
    /// Says a message as members do.
    mutating func say(_ message: Message) { say(message.encoding) }

    mutating func say(_ message: [UInt8]) {
        guard message.count < 65_000 else { return }
        say(fragment: [0, UInt8(message.count >> 8), UInt8(message.count & 255)] + message)
    }

    mutating func say(fragment: [UInt8]) {
        guard let sealed = cipher?.seal(fragment) else { return }
        deliver(framed(sealed))
    }
}
