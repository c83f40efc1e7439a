import ChangeLog
import DeltaCRDT
import Testing
import TripStore

@testable import CaravanNode

/// What a disk lost, and how it comes back.
struct LossDeskTests {
    /// A log with three changes more than another one, and a mark for its last change.
    private func cut() throws -> (short: LogWriter, whole: LogWriter, mark: WrittenMark) {
        let short = try LogWriter(founding: "Jie")
        var whole = short
        for title in ["One", "Two", "Three"] { try whole.write(adding: title) }
        let last = try #require(whole.log.graph.changes.last)
        return (
            short, whole, WrittenMark(replica: last.change.replica, number: last.change.number, hash: last.hash)
        )
    }

    @Test("lost changes are counted, said, and regained once, when the last of them is back")
    func regained() throws {
        var (short, whole, mark) = try cut()
        var desk = LossDesk()
        let isMissing = [desk.find([mark], in: whole.log), desk.find([mark], in: short.log)]
        #expect(isMissing == [false, true] && desk.count(in: short.log) == 3)
        #expect(desk.problem(in: short.log)?.hasPrefix("3 of your changes were lost on disk; run") == true)
        let missing = whole.log.graph.changes.dropFirst(short.log.graph.count).map(\.record)
        _ = short.log.receive(Array(missing.prefix(2)))
        let early = desk.look(in: short.log)
        #expect(early.isEmpty && desk.count(in: short.log) == 1)
        _ = short.log.receive(Array(missing.suffix(1)))
        guard case .regained? = desk.look(in: short.log).first else {
            Issue.record("nothing was regained")
            return
        }
        let again = desk.look(in: short.log)
        #expect(again.isEmpty && desk.lost.isEmpty && desk.problem(in: short.log) == nil)
    }

    @Test("what is given up counts as acknowledged up to the present end of its log, and other logs' marks stay")
    func givenUp() throws {
        let (short, _, mark) = try cut()
        let other = WrittenMark(replica: .init(high: 1, low: 2), number: 7, hash: mark.hash)
        var desk = LossDesk()
        _ = desk.find([mark], in: short.log)
        let (marks, loss) = desk.giveUp([mark, other], in: short.log)
        let end = try #require(short.log.graph.changes.last)
        #expect(marks == [other, WrittenMark(replica: mark.replica, number: end.change.number, hash: end.hash)])
        #expect(loss == "3 of your changes were lost on disk and could not be recovered")
        #expect(desk.lost.isEmpty && desk.problem(in: short.log) == nil)
    }

    @Test("orphans are carried into the log in order and once, when their past is back")
    func orphans() throws {
        var (short, whole, _) = try cut()
        let changes = Array(whole.log.graph.changes.dropFirst(short.log.graph.count))
        var desk = LossDesk()
        desk.keep(orphans: [changes[2], changes[1]])
        let early = desk.look(in: short.log)
        _ = short.log.receive([changes[0].record])
        guard case .carry(let ready)? = desk.look(in: short.log).first else {
            Issue.record("nothing was carried")
            return
        }
        let again = desk.look(in: short.log)
        #expect(ready.map(\.hash) == [changes[1].hash, changes[2].hash])
        #expect(early.isEmpty && again.isEmpty)
    }
}
