import DeltaCRDT
import Testing

@testable import ChangeLog

/// What one change may ask of all who hold it: the most is taken, and one more is refused, whoever signed it.
struct ChangeBoundsTests {
    private let founder: Author
    private let epoch: Epoch

    init() throws {
        founder = try Author.founder()
        epoch = try #require(founder.log.newestEpoch)
    }

    /// The founder's next change, but for what is asked of it.
    private func change(
        heads: Int = 0, operations: Int = 1, body: ChangeBody = .content([1]), counter: UInt64 = 2, lamport: UInt64 = 2
    ) -> Change {
        let names = (0..<heads).compactMap { number in
            Bytes32([UInt8(number >> 8), UInt8(number & 255)] + [UInt8](repeating: 7, count: 30))
        }
        return Change(
            trip: founder.log.trip, replica: founder.secrets.device.replica, counter: counter,
            previous: founder.log.changes[0].hash, heads: names, lamport: lamport, wallTime: 0,
            operationCount: operations, body: body)
    }

    /// Why it cannot be read, where another has signed and sealed it; nil where it can.
    private func refusal(of change: Change) -> Refusal? {
        let sealed = SignedChange.make(
            change, signingSeed: founder.secrets.signingSeed, epoch: epoch, using: Author.cryptography
        ).sealed
        do {
            _ = try SignedChange.open(sealed, epoch: epoch, using: Author.cryptography)
            return nil
        } catch {
            return error
        }
    }

    @Test func theMostIsTakenAndOneMoreRefused() {
        func content(_ count: Int) -> ChangeBody { .content([UInt8](repeating: 5, count: count)) }
        func invite(_ uses: Int) -> ChangeBody {
            .membership(.invite(Invite(secret: founder.log.trip, uses: uses, expires: nil)))
        }
        let counters = ChangeLimits.counterMax
        for (what, most, beyond) in [
            ("heads", change(heads: ChangeLimits.headsMax), change(heads: ChangeLimits.headsMax + 1)),
            (
                "operations", change(operations: ChangeLimits.operationsMax),
                change(operations: ChangeLimits.operationsMax + 1)
            ),
            (
                "bytes", change(body: content(ChangeLimits.contentBytesMax)),
                change(body: content(ChangeLimits.contentBytesMax + 1))
            ),
            ("numbers", change(counter: counters), change(counter: counters + 1)),
            (
                "numbers of several", change(operations: 10, counter: counters - 9),
                change(operations: 10, counter: counters - 8)
            ),
            // Whose end cannot even be counted.
            ("numbers of two", change(operations: 2, counter: counters - 1), change(operations: 2, counter: .max)),
            ("Lamport time", change(lamport: ChangeLimits.lamportMax), change(lamport: ChangeLimits.lamportMax + 1)),
            (
                "uses of an invite", change(body: invite(ChangeLimits.inviteUsesMax)),
                change(body: invite(ChangeLimits.inviteUsesMax + 1))
            ),
        ] {
            #expect(refusal(of: most) == nil, "\(what)")
            #expect(refusal(of: beyond) == .malformed(.tooLarge), "\(what)")
        }
    }

    /// Told by its length, before anything of it is opened.
    @Test func noSealedChangeIsLongerThanItsBound() {
        let header = [1] + epoch.id.bytes
        func sealed(_ count: Int) -> [UInt8] { header + [UInt8](repeating: 0, count: count - header.count) }
        #expect(SignedChange.epochID(ofSealed: sealed(ChangeLimits.sealedBytesMax)) == epoch.id)
        #expect(SignedChange.epochID(ofSealed: sealed(ChangeLimits.sealedBytesMax + 1)) == nil)
        // What each part may hold at most fits in.
        let largest = change(
            heads: ChangeLimits.headsMax, operations: ChangeLimits.operationsMax,
            body: .content([UInt8](repeating: 5, count: ChangeLimits.contentBytesMax)))
        #expect(refusal(of: largest) == nil)
    }
}
