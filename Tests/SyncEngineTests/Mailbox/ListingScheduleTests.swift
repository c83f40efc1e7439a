import ChangeLog
import Convergence
import DeltaCRDT
import Testing

@testable import SyncEngine

/// When a mailbox is listed that says that something changed.
struct ListingScheduleTests {
    private let slot = MailboxSlot(prefix: Bytes16(high: 0, low: 1), tag: Bytes16(high: 0, low: 2))
    private let limits = MailboxLimits()

    /// The times at which a mailbox is listed that changes all the time for so long, if each listing takes `duration`.
    private func listings(taking duration: UInt64, for length: UInt64) -> [UInt64] {
        var schedule = ListingSchedule()
        var generator = SeededGenerator(seed: 1)
        var times: [UInt64] = []
        var answer: UInt64?
        for now in 1_000..<(1_000 + length) {
            if answer == now {
                answer = nil
                let isAwaited = schedule.answered(slot, well: true, at: now, under: limits)
                #expect(isAwaited)
            }
            schedule.changed()
            guard schedule.due(at: now, under: limits, using: &generator) != .nothing else { continue }
            schedule.asked([slot], at: now, under: limits)
            times.append(now)
            answer = now + duration
        }
        return times
    }

    @Test("news is asked for at once, and a mailbox that changes all the time is listed after pauses")
    func changes() {
        #expect(listings(taking: 2, for: 1_000).count == 20, "a pause is 50 ms at least")
        #expect(listings(taking: 20, for: 2_200).count == 10)
        #expect(listings(taking: 500, for: 6_000).count == 4, "a pause is 1 s at most")
        var schedule = ListingSchedule()
        var generator = SeededGenerator(seed: 1)
        let first = schedule.due(at: 1_000, under: limits, using: &generator)
        schedule.asked([slot], at: 1_000, under: limits)
        _ = schedule.answered(slot, well: true, at: 1_005, under: limits)
        let quiet = schedule.due(at: 1_500, under: limits, using: &generator)
        schedule.changed()
        let changed = schedule.due(at: 1_500, under: limits, using: &generator)
        #expect([first, quiet, changed] == [.whole, .nothing, .present])
    }

    @Test("a listing that fails is one failure, however many slots it was of, and the pause grows with each")
    func failedSlots() {
        var schedule = ListingSchedule()
        var generator = SeededGenerator(seed: 1)
        let slots = (0..<19).map { MailboxSlot(prefix: slot.prefix, tag: Bytes16(high: 1, low: $0)) }
        var now: UInt64 = 1_000
        for failures in 0..<3 {
            let due = schedule.due(at: now, under: limits, using: &generator)
            #expect(due == .whole)
            schedule.asked(slots, at: now, under: limits)
            for slot in slots { _ = schedule.answered(slot, well: false, at: now, under: limits) }
            let pause = schedule.deadline - now
            #expect(pause == limits.retryDelay(after: failures))
            schedule.changed()
            #expect(schedule.deadline == now + limits.changePause.upperBound, "what changed is looked for sooner")
            now += pause
        }
    }

    @Test("a mailbox that fails and says that it changed is asked again once in a second")
    func failures() {
        var schedule = ListingSchedule()
        var generator = SeededGenerator(seed: 1)
        var count = 0
        for now in UInt64(1_000)..<11_000 {
            schedule.changed()
            guard schedule.due(at: now, under: limits, using: &generator) != .nothing else { continue }
            count += 1
            schedule.asked([slot], at: now, under: limits)
            _ = schedule.answered(slot, well: false, at: now, under: limits)
        }
        #expect((9...11).contains(count), "\(count)")
    }
}
