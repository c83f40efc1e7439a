/// When the slots of one mailbox are listed.
struct ListingSchedule: Sendable {
    /// What is to be listed.
    enum Answer: Hashable, Sendable {
        case nothing
        /// The slots that others write to at present.
        case present
        /// All.
        case whole
    }

    private var nextPresent: UInt64 = 0
    private var nextWhole: UInt64 = 0
    private var lastAsked: UInt64 = 0
    /// Whether something changed since the slots were listed, and when they may be listed for that.
    private var isChanged = false
    private var mayListAt: UInt64 = 0
    /// Slots whose listing has not come, and until when it may.
    private var awaited: Set<MailboxSlot> = []
    private var awaitedUntil: UInt64 = 0
    private var failures = 0
    /// Whether one of the slots that were asked for last could not be listed. However many can't, that is one failure.
    private var hasFailed = false
    private var isAskingWhole = false

    /// Everything is to be listed again.
    mutating func restart() { (nextWhole, failures) = (0, 0) }

    /// Something changed, as the mailbox says.
    mutating func changed() { isChanged = true }

    mutating func due(
        at now: UInt64, under limits: MailboxLimits, using generator: inout some RandomNumberGenerator
    ) -> Answer {
        if !awaited.isEmpty {
            guard now >= awaitedUntil else { return .nothing }
            // It did not answer: that is a failure too.
            awaited = []
            failed(at: now, under: limits)
        }
        guard now >= next else { return .nothing }
        nextPresent = now + limits.listInterval.draw(using: &generator)
        (lastAsked, isChanged) = (now, false)
        isAskingWhole = now >= nextWhole
        if isAskingWhole { nextWhole = now + limits.wholeListInterval }
        return isAskingWhole ? .whole : .present
    }

    mutating func asked(_ slots: [MailboxSlot], at now: UInt64, under limits: MailboxLimits) {
        (awaited, awaitedUntil) = (
            Set(slots), now + limits.listPatience + UInt64(slots.count) * limits.listPatienceOfSlot
        )
        hasFailed = false
    }

    /// - Returns: whether that was asked for.
    mutating func answered(_ slot: MailboxSlot, well: Bool, at now: UInt64, under limits: MailboxLimits) -> Bool {
        guard awaited.remove(slot) != nil else { return false }
        if well {
            failures = 0
        } else if !hasFailed {
            hasFailed = true
            failed(at: now, under: limits)
        }
        if awaited.isEmpty {
            // However often something changes, a quick listing takes a small share of the time.
            let pause = limits.changePause
            let share = min(max(10 * (now - lastAsked), pause.lowerBound), pause.upperBound)
            mayListAt = now + (hasFailed ? pause.upperBound : share)
        }
        return true
    }

    private mutating func failed(at now: UInt64, under limits: MailboxLimits) {
        let pause = limits.retryDelay(after: failures)
        failures += 1
        mayListAt = now + limits.changePause.upperBound
        if isAskingWhole { nextWhole = now + pause } else { nextPresent = now + pause }
    }

    /// Whether the last listing failed.
    var isFailing: Bool { failures > 0 }

    private var next: UInt64 { min(nextPresent, nextWhole, isChanged ? mayListAt : .max) }

    var deadline: UInt64 { awaited.isEmpty ? next : awaitedUntil }
}
