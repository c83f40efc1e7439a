import ChangeLog
import Dispatch
import FoundationEssentials
import Mailbox
import SyncEngine
import Synchronization
import TestTiers
import Testing

@testable import CaravanNode

/// The way between a node and a mailbox.
struct MailboxCourierTests {
    /// What a courier brought.
    private final class Heard: Sendable {
        private let answers = Mutex<[MailboxAnswer]>([])
        func take(_ answer: MailboxAnswer) { answers.withLock { $0.append(answer) } }
        var all: [MailboxAnswer] { answers.withLock { $0 } }
    }

    /// A mailbox that answers nothing until it ends.
    private final class StuckMailbox: MailboxPort {
        private let gate = DispatchSemaphore(value: 0)

        private func wait() throws(MailboxError) -> Never {
            gate.wait()
            gate.signal()
            throw MailboxError(.ended, "closed")
        }

        func put(_ block: [UInt8], in slot: MailboxSlot) throws(MailboxError) { try wait() }
        func list(_ slots: [MailboxSlot]) throws(MailboxError) -> [MailboxListing] { try wait() }
        func get(_ name: BlockName, in slot: MailboxSlot) throws(MailboxError) -> [UInt8]? { try wait() }
        func drop(_ names: [BlockName], in slot: MailboxSlot) throws(MailboxError) { try wait() }
        func watch(prefix: Bytes16) -> AsyncStream<Void> { AsyncStream { $0.finish() } }
        func end() { gate.signal() }
    }

    private let tests = TripNodeTests()
    private let scratch = TripNodeTests.Scratch()
    private let heard = Heard()
    private let slot: MailboxSlot = {
        var generator = SystemRandomNumberGenerator()
        return MailboxSlot(
            prefix: Bytes32.random(using: &generator).prefix16, tag: Bytes32.random(using: &generator).prefix16)
    }()

    private func courier(
        _ port: any MailboxPort, standingChanged: @escaping @Sendable () -> Void = {}
    ) -> MailboxCourier {
        MailboxCourier(
            prefix: slot.prefix, port: port, hear: { [heard] in heard.take($0) }, standingChanged: standingChanged)
    }

    private func hears(_ count: Int) async throws -> [MailboxAnswer] {
        _ = try await tests.eventually { heard.all.count >= count }
        return heard.all
    }

    @Test("each request is answered once, and a change of the folder is a hint") func answers() async throws {
        let box = scratch.path + "/box"
        try FileManager.default.createDirectory(atPath: box, withIntermediateDirectories: true)
        let courier = courier(FolderMailbox(path: box))
        let block = [UInt8](repeating: 7, count: 1_024)
        let name = BlockName(of: block)
        courier.perform(.put(name, slot, block))
        #expect(try await hears(1) == [.put(name, slot, .stored)])
        courier.perform(.get(name, slot))
        #expect(try await hears(2).last == .block(name, slot, block))
        let other = MailboxSlot(prefix: slot.prefix, tag: slot.prefix)
        courier.perform(.list([slot, other]))
        #expect(try await hears(4).suffix(2) == [.listed(slot, [name]), .listed(other, [])])
        #expect(courier.standing.problem == nil && courier.standing.lastReached != nil)
        courier.watch()
        #expect(try await hears(5).last == .changed(slot.prefix))
        courier.perform(.drop([name], slot))
        #expect(try await tests.eventually { heard.all.count >= 6 })
        #expect(heard.all.dropFirst(4).allSatisfy { $0 == .changed(slot.prefix) })
        courier.end()
    }

    @Test("a mailbox that can't be reached fails each request, and is used as soon as it is there")
    func unreachable() async throws {
        let box = scratch.path + "/box"
        let news = Mutex(0)
        let courier = courier(FolderMailbox(path: box)) { news.withLock { $0 += 1 } }
        let name = BlockName(of: [1])
        courier.perform(.list([slot]))
        #expect(try await hears(1) == [.listed(slot, nil)])
        #expect(try await tests.eventually { courier.standing.problem?.code == .unreachable })
        courier.perform(.get(name, slot))
        #expect(try await hears(2).last == .unanswered(name, slot))
        try FileManager.default.createDirectory(atPath: box, withIntermediateDirectories: true)
        courier.perform(.put(name, slot, [1]))
        #expect(try await hears(3).last == .put(name, slot, .stored))
        #expect(try await tests.eventually { courier.standing.problem == nil })
        #expect(news.withLock { $0 } == 2, "people hear of the problem, and once of its end")
        courier.end()
    }

    /// A mailbox that can be read, and takes nothing while there is a problem.
    private final class UnwritableMailbox: MailboxPort {
        let problem: Mutex<MailboxError?>

        init(_ problem: MailboxError) { self.problem = Mutex(problem) }

        func put(_ block: [UInt8], in slot: MailboxSlot) throws(MailboxError) {
            if let problem = problem.withLock({ $0 }) { throw problem }
        }
        func list(_ slots: [MailboxSlot]) throws(MailboxError) -> [MailboxListing] {
            slots.map { _ in MailboxListing() }
        }
        func get(_ name: BlockName, in slot: MailboxSlot) throws(MailboxError) -> [UInt8]? { nil }
        func drop(_ names: [BlockName], in slot: MailboxSlot) throws(MailboxError) {}
        func watch(prefix: Bytes16) -> AsyncStream<Void> { AsyncStream { $0.finish() } }
        func end() {}
    }

    @Test(
        "a mailbox that takes nothing is read all the while, and people are told until it takes a block",
        arguments: [
            (MailboxError(.full, "there is no space"), MailboxPutOutcome.full),
            (MailboxError(.refused, "you may not write there"), .failed),
        ])
    func unwritable(problem: MailboxError, outcome: MailboxPutOutcome) async throws {
        let box = UnwritableMailbox(problem)
        let courier = courier(box)
        let name = BlockName(of: [1])
        courier.perform(.put(name, slot, [1]))
        #expect(try await hears(1) == [.put(name, slot, outcome)])
        courier.perform(.list([slot]))
        #expect(try await hears(2).last == .listed(slot, []))
        #expect(try await tests.eventually { courier.standing.lastReached != nil })
        #expect(courier.standing.problem == problem)
        box.problem.withLock { $0 = nil }
        courier.perform(.put(name, slot, [1]))
        #expect(try await hears(3).last == .put(name, slot, .stored))
        #expect(try await tests.eventually { courier.standing.problem == nil })
        courier.end()
    }

    /// A mailbox in which one slot has more names than can be listed.
    private struct CrowdedMailbox: MailboxPort {
        let crowded: MailboxSlot

        func put(_ block: [UInt8], in slot: MailboxSlot) throws(MailboxError) {}
        func list(_ slots: [MailboxSlot]) throws(MailboxError) -> [MailboxListing] {
            if slots.contains(crowded) { throw MailboxError(.full, "a slot has too many blocks") }
            return slots.map { _ in MailboxListing() }
        }
        func get(_ name: BlockName, in slot: MailboxSlot) throws(MailboxError) -> [UInt8]? { [1] }
        func drop(_ names: [BlockName], in slot: MailboxSlot) throws(MailboxError) {}
        func watch(prefix: Bytes16) -> AsyncStream<Void> { AsyncStream { $0.finish() } }
        func end() {}
    }

    @Test("a slot that is too crowded to be listed keeps nobody from the others, and people are told all the while")
    func crowded() async throws {
        let others = (1...3).map { MailboxSlot(prefix: slot.prefix, tag: Bytes16(high: 0, low: $0)) }
        let courier = courier(CrowdedMailbox(crowded: slot))
        courier.perform(.list([others[0], slot, others[1], others[2]]))
        #expect(
            try await hears(4)
                == [.listed(others[0], []), .listed(slot, nil), .listed(others[1], []), .listed(others[2], [])])
        #expect(try await tests.eventually { courier.standing.problem?.code == .full })
        courier.perform(.get(BlockName(of: [1]), others[0]))
        _ = try await hears(5)
        #expect(try await tests.eventually { courier.standing.lastReached != nil })
        #expect(courier.standing.problem?.code == .full)
        courier.perform(.list([others[0]]))
        #expect(try await tests.eventually { courier.standing.problem == nil })
        courier.end()
    }

    @Test("a mailbox that says when to come back is left alone until then", arguments: [true, false])
    func comesBackLater(isFarOff: Bool) async throws {
        let pause: Duration = isFarOff ? .seconds(600) : .milliseconds(1)
        let box = UnwritableMailbox(MailboxError(.unreachable, "it is busy", retryAfter: pause))
        let courier = courier(box)
        let name = BlockName(of: [1])
        courier.perform(.put(name, slot, [1]))
        #expect(try await hears(1) == [.put(name, slot, .failed)])
        // The answer comes just before the pause begins.
        #expect(try await tests.eventually { courier.standing.problem != nil })
        try await Task.sleep(for: .milliseconds(10))
        courier.perform(.list([slot]))
        #expect(try await hears(2).last == .listed(slot, isFarOff ? nil : []))
        courier.end()
    }

    @Test("requests beyond the bound fail at once, and all end with the courier") func bound() async throws {
        let courier = courier(StuckMailbox())
        let name = BlockName(of: [1])
        for _ in 0..<200 { courier.perform(.get(name, slot)) }
        // Six are under way, and as many wait as may.
        let failed = try await hears(200 - MailboxCourier.requestsMax - 6).count
        #expect((200 - MailboxCourier.requestsMax - 6...200 - MailboxCourier.requestsMax).contains(failed))
        courier.perform(.put(name, slot, [1]))
        let start = ContinuousClock.now
        await courier.finishPuts(until: start + .milliseconds(50))
        #expect(ContinuousClock.now - start < .seconds(5))
        courier.end()
        #expect(try await hears(201).count == 201)
        #expect(heard.all.allSatisfy { $0 == .unanswered(name, slot) || $0 == .put(name, slot, .failed) })
        courier.perform(.get(name, slot))
        #expect(heard.all.count == 202)
    }
}
