/// Which bodies one peer is asked for, and when: each at once, and again ever less often.
struct BodyRequests: Sendable {
    /// When it is looked at again, if nothing comes before that.
    private(set) var deadline: UInt64?
    /// What the peer was asked for since the last round began, by indices in the log.
    private var asked: Set<Int> = []
    private var round = RepeatedRequest()
    private var askedAt: UInt64?

    /// Of some bodies those that the peer may be asked for now; if there are none, the deadline is when.
    /// - Parameter pause: between two messages, and before the second round, in milliseconds.
    mutating func due(of wanted: Set<Int>, at now: UInt64, pause: UInt64) -> Set<Int> {
        let before = asked.count
        asked.formIntersection(wanted)
        // One message holds a part of them.
        if asked.count < before { answered(pause: pause) }
        deadline = nil
        guard !wanted.isEmpty else { return [] }
        if let last = askedAt, now < last + pause {
            deadline = last + pause
            return []
        }
        if asked.count == wanted.count {
            guard round.mayAsk(at: now, pause: pause) else {
                deadline = round.deadline
                return []
            }
            asked = []
        }
        return wanted.subtracting(asked)
    }

    /// Notes what the peer is asked for. It is looked at again, for the answer may come in several messages.
    mutating func ask(_ batch: [Int], at now: UInt64, pause: UInt64) {
        asked.formUnion(batch)
        (askedAt, deadline) = (now, now + pause)
    }

    /// Some of it came, or the peer sent other news: the next round may begin after a pause, in milliseconds.
    mutating func answered(pause: UInt64) { round.answered(pause: pause) }
}
