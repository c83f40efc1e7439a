import ChangeLog
import DeltaCRDT
import SyncEngine
import Testing

/// What is durable where, as others are told: so that people see who has what, and nothing is waited for in vain.
struct AcknowledgementTests {
    private let sender = 0
    private let receiver = 1
    private let third = 2
    private let fourth = 3

    /// A sender and a receiver who both heard all from a third, so that neither pushes to the other any more; and a fourth
    /// whom the third alone knows.
    private func wires(seed: UInt64) throws -> Wires {
        var limits = SessionLimits()
        limits.repetitionsMax = 1
        var wires = try Wires(seed: seed, count: 4, limits: limits)
        for (node, other) in [(third, sender), (third, receiver), (sender, receiver), (third, fourth)] {
            wires.connect(node, other)
        }
        wires.write("first", on: third)
        wires.deliver()
        wires.wait(1_000)
        return wires
    }

    /// How much the sender and the receiver do not know to be with the other.
    private func unknown(_ wires: Wires) -> [Int] {
        [(sender, receiver), (receiver, sender)].map { wires.nodes[$0].changesNotKnown(at: wires.replica($1)) }
    }

    /// A change that a peer held, and had told of before it was here, comes back to it behind one that is new there.
    @Test("a batch is acknowledged whole, whatever of it was there")
    func wholeBatch() throws {
        for others in 1...2 {
            var wires = try wires(seed: 1)
            #expect(unknown(wires) == [0, 0])
            wires.held = [[sender, third], [third, fourth]]
            wires.write("by the third", on: third)
            if others == 2 { wires.write("by the fourth", on: fourth) }
            wires.held = [[sender, third]]
            wires.deliver()
            // The receiver has these, and tells the sender of them, who has nothing yet.
            wires.wait(240)
            #expect(wires.nodes[receiver].log.count == 6 + others)
            #expect(wires.nodes[sender].log.count == 6)
            // They come, while the sender's own change waits for the disk; and all become durable at once.
            wires.slow = [sender]
            wires.write("by the sender", on: sender)
            wires.held = []
            wires.deliver()
            wires.finishWrites(on: sender)
            wires.deliver()
            #expect(wires.nodes[receiver].log.count == 7 + others)
            #expect(unknown(wires) == [0, 0], "with \(others)")
            #expect(wires.nodes[sender].load.unacknowledgedBytesMax == 0)
        }
    }

    /// A change comes to two by a third, to one of them a little later: sooner than it hears of it from the other, or later.
    @Test("each of two who were sent a change by a third knows that the other has it")
    func byAThird() throws {
        for delay in [50, 190, 210, 340] as [UInt64] {
            var wires = try wires(seed: 2)
            wires.held = [[sender, third]]
            wires.write("by the third", on: third)
            wires.deliver()
            wires.wait(delay)
            wires.held = []
            wires.deliver()
            #expect(wires.nodes[sender].log.count == 7)
            wires.wait(1_000)
            #expect(unknown(wires) == [0, 0], "after \(delay) ms")
        }
    }

    /// Such a peer acknowledges nothing, so what it shows at the beginning of the session is all that it reports.
    @Test("people are told what a peer holds once it showed that, also if it lacks nothing and writes nothing")
    func shownAsTheyMeet() throws {
        var wires = try Wires(seed: 3, count: 2)
        wires.connect(sender, receiver)
        wires.deliver()
        #expect(unknown(wires) == [0, 0])
        #expect(wires.notices.count { $0 == .acknowledged } >= 2, "each of the two")
    }
}
