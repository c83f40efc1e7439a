import Attachments
import ChangeLog
import Convergence
import DeltaCRDT
import TripSimulation

@testable import SyncEngine

/// Server nonces, streams, frames, fragments and messages, at every point of a connection and by every kind of peer.
func tryFrames(_ bytes: [UInt8]) {
    var choices = Choices(bytes)
    var scene = Scene.all[choices.index(Scene.all.count)]
    let before = scene.node.log.graph.count
    var steps = 0
    while !choices.isEmpty, steps < 48 {
        steps += 1
        step(&scene, &choices)
    }
    for _ in 0..<4 {
        scene.time += 5_000
        scene.tell(.woke)
    }
    scene.node.checkInvariants()
    guard !scene.node.connectionIDs.contains(scene.connection) else { fatalError("a silent peer is kept") }
    // Without a session no change arrives; in one, only those handed over. A node answers with one change at most: it admits a device,
    // begins an epoch or grants it.
    let taken = scene.node.log.graph.count - before
    let bound = scene.cipher == nil ? 0 : scene.handed + steps + 4
    guard taken <= bound + scene.written else { fatalError("\(taken) changes came, of \(scene.handed)") }
}

private func step(_ scene: inout Scene, _ choices: inout Choices) {
    switch choices.byte() % 22 {
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
        scene.tell(.write(content: Planned.contents[0], ticket: 1))
    case 7:
        let records = someRecords(&choices)
        scene.handed += records.count
        scene.say(.changes(records))
    case 8:
        scene.say(
            .hello(
                digest: scene.node.log.frontier.digest(using: Group.shared.cryptography),
                incarnation: Bytes16(high: 1, low: 2)))
    case 9: scene.say(choices.altered(Message.frontier(Group.shared.early.frontier).encoding))
    case 10: scene.say(choices.altered(Message.frontier(Group.shared.log.frontier).encoding))
    case 11: scene.say(.have(someHashes(&choices)))
    case 12: scene.say(.locator(anyReplica(&choices), someHashes(&choices)))
    case 13:
        scene.say(.rekey)
        scene.cipher?.rekey()
    case 14: scene.say(choices.altered(joinRequest(&choices).encoding))
    case 15: scene.goOn { choices.altered($0) }
    case 16: scene.say(joinAnswer(&choices, to: scene.node.secrets.device))
    case 17: scene.say([.lazy, .ping, .end, .unknown][choices.index(4)] as Message)
    case 18:
        scene.say(
            choices.byte() % 2 == 0
                ? .epochWanted(Group.shared.epoch.id) : .want(someHashes(&choices).first ?? Group.shared.log.trip))
    case 19: longMessage(&scene, &choices)
    case 20: sayOfChunks(&scene, &choices)
    default: scene.tell(.chunks(newsOfChunks(&choices, scene.connection)))
    }
}

/// A few names, so that what is wanted, held and sent meets.
private func someChunks(_ choices: inout Choices) -> [BlobHash] {
    (0...choices.byte() % 4).compactMap { _ in BlobHash(bytes: [UInt8](repeating: choices.byte() % 4, count: 32)) }
}

private func sayOfChunks(_ scene: inout Scene, _ choices: inout Choices) {
    let chunks = someChunks(&choices)
    guard let first = chunks.first else { return }
    let message: BlobMessage =
        switch choices.byte() % 4 {
        case 0: .lack(chunks)
        case 1: .hold(chunks)
        case 2: .ask(first)
        default: .chunk(first, choices.byte() % 2 == 0 ? [] : choices.bytes())
        }
    let bytes = Message.blob(message).encoding
    scene.say(choices.isOne(of: 4) ? choices.altered(bytes) : bytes)
}

private func newsOfChunks(_ choices: inout Choices, _ connection: ConnectionID) -> ChunkNews {
    let chunks = someChunks(&choices)
    guard let first = chunks.first else { return .gone([]) }
    return switch choices.byte() % 8 {
    case 0: .here(chunks)
    case 1: .wanted(chunks.map { ($0, .thumbnail) })
    case 2: .gone(chunks)
    case 3: .stored(first)
    case 4: .notStored(first)
    case 5: .loaded(first, choices.byte() % 2 == 0 ? nil : choices.bytes(), for: .peer(connection))
    case 6: .loaded(first, choices.bytes(), for: .mailbox(Bytes16(high: 1, low: 2)))
    default: .previews(chunks.map { ChunkPreview(chunk: $0, change: Bytes32(words: (1, 2, 3, 4))) })
    }
}

private func anyReplica(_ choices: inout Choices) -> ReplicaID {
    Group.shared.people[choices.index(Group.shared.people.count)].device.replica
}

private func someHashes(_ choices: inout Choices) -> [Bytes32] {
    (0..<choices.byte() % 8).compactMap { _ in choices.pick(Group.shared.log.graph.changes)?.hash }
}

/// Changes that are there, altered or not, and new ones of the peer's making; for a node without any, the log from its start.
private func someRecords(_ choices: inout Choices) -> [[UInt8]] {
    if choices.byte() % 4 == 1 {
        return Group.shared.log.graph.changes.prefix(1 + choices.index(8)).map(\.record)
    }
    let forge = Forge(group: .shared)
    return (0..<choices.byte() % 4).map { _ in forge.anyRecord(&choices, by: .group) }
}

private func joinRequest(_ choices: inout Choices) -> Message {
    let group = Group.shared
    let person = choices.index(group.people.count)
    let device = group.people[person].device
    let name = String(decoding: choices.bytes().prefix(16), as: UTF8.self)
    let consent = group.consent(of: device, signedBy: person, name: name)
    return .joinRequest(JoinRequest(device: device, name: name, consent: consent))
}

private func joinAnswer(_ choices: inout Choices, to device: Device) -> Message {
    var generator = SeededGenerator(seed: UInt64(choices.byte()))
    let group = Group.shared
    switch choices.byte() % 4 {
    case 0: return .joinAnswer(.refused(choices.byte() % 2 == 0 ? .inviteClosed : .invalidRequest))
    case 1:
        let sealed = (0..<SealedBox.size).map { _ in choices.byte() }
        return .joinAnswer(.admitted(DeviceGrant(epoch: group.epoch.id, sealed: sealed)))
    default:
        guard let grant = DeviceGrant(group.epoch, to: device, using: &generator, group.cryptography) else {
            return .end
        }
        return .joinAnswer(.admitted(grant))
    }
}

/// Fragments without an end, up to beyond what a message may have.
private func longMessage(_ scene: inout Scene, _ choices: inout Choices) {
    guard choices.byte() == 77, choices.isOne(of: 64) else { return }
    let room = Scene.buckets[Scene.buckets.count - 1] - 3
    for _ in 0..<choices.byte() % 40 where scene.isOpen {
        scene.say(fragment: [1, UInt8(room >> 8), UInt8(room & 255)] + [UInt8](repeating: 3, count: room))
    }
}
