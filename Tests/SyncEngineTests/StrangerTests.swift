import ChangeLog
import DeltaCRDT
import LogFixtures
import Testing

@testable import SyncEngine

/// A newcomer whose admission nobody knows, and whose device hands it over.
struct StrangerTests {
    private var founder: Member
    private let newcomer: Member
    private let peer: Session.PeerIdentity

    /// The founder hasn't heard of what the host wrote.
    init() throws {
        founder = try Member.founder()
        let link = try founder.openInvite(9, uses: 5)
        var host = try founder.admit(2)
        for number in UInt8(0)..<10 { try host.say(nil, [number]) }
        newcomer = try host.admit(3, by: link)
        peer = Session.PeerIdentity(
            role: .initiator, replica: newcomer.replica, key: newcomer.secrets.device.agreementKey)
    }

    private func taken(
        _ records: [[UInt8]], limits: SessionLimits = SessionLimits()
    ) -> (progress: ShownAdmission.Progress, past: Int) {
        var shown = ShownAdmission()
        let progress = shown.take(records, of: peer, in: founder.log, limits: limits)
        return (progress, shown.past(of: admission).count)
    }

    private var admission: Bytes32 { newcomer.changes[newcomer.changes.count - 1].hash }

    @Test("of what is not here the admission is taken with its past, and nothing else")
    func whole() throws {
        var later = newcomer
        let more = try later.say(nil, [1])
        let records = newcomer.changes.map(\.record)
        #expect(taken(records) == (.admission(admission), 11))
        #expect(taken([records[0]] + [more.record] + records.dropFirst()) == (.admission(admission), 11))
        #expect(taken(Array(records.dropLast())) == (.incomplete, 0))
        #expect(taken(Array(records.prefix(3))) == (.incomplete, 0), "they are here")
    }

    @Test("a stranger may show admissions so often, for each is judged on a copy of the log")
    func judged() {
        var shown = ShownAdmission()
        let limits = SessionLimits()
        let records = newcomer.changes.map(\.record)
        for _ in 0..<limits.strangerAdmissionsMax {
            #expect(shown.take(records.suffix(1), of: peer, in: founder.log, limits: limits) == .admission(admission))
        }
        #expect(shown.take(records.suffix(1), of: peer, in: founder.log, limits: limits) == .refused)
    }

    @Test("what can't be read, and more than the bounds, is refused")
    func bounds() {
        let records = newcomer.changes.map(\.record)
        #expect(taken([[1, 2, 3]]).progress == .refused)
        var limits = SessionLimits()
        limits.strangerChangesMax = 10
        #expect(taken(records, limits: limits).progress == .refused)
        limits.strangerChangesMax = 11
        #expect(taken(records, limits: limits).progress == .admission(admission))
        limits.strangerBytesMax = records.suffix(11).reduce(0) { $0 + $1.count } - 1
        #expect(taken(records, limits: limits).progress == .refused)
    }
}
