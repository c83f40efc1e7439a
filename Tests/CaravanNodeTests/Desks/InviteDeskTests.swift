import ChangeLog
import SyncEngine
import Testing
import TripModel
import TripService

@testable import CaravanNode

/// Open invites, and which of them is meant.
struct InviteDeskTests {
    private func desk(_ writer: LogWriter, hints: [String]? = nil, at time: Int64 = 0) -> InviteDesk {
        var shown = ShownTrip(cryptography: writer.cryptography)
        return InviteDesk(
            reader: shown.reader(writer.node), cryptography: writer.cryptography, wallTime: time, hints: hints,
            mailboxes: [])
    }

    private func invites(_ count: Int, by writer: inout LogWriter, expires: Int64? = nil) throws {
        var entropy = SystemRandomNumberGenerator()
        for _ in 0..<count {
            try writer.write(.invite(Invite(seed: .random(using: &entropy), uses: 2, expires: expires)))
        }
    }

    @Test("a number means the invite that it was shown with, also after an earlier one was closed")
    func numbers() throws {
        var jie = try LogWriter(founding: "Jie")
        try invites(3, by: &jie)
        let all = desk(jie).views()
        var shown = ShownLists()
        let numbers = shown.show(all.map(\.mark), of: .invites)
        #expect(numbers == [1, 2, 3])
        try jie.write(.closeInvite(id: jie.log.invites[0].id))
        let left = desk(jie)
        #expect(left.views().map(\.number) == [1, 2])
        let second = try left.invite("2", shown: &shown)
        #expect(second.id == all[1].id && second.number == 2)
        let error = #expect(throws: ServiceError.self) { try left.invite("1", shown: &shown) }
        #expect(error?.message == "invite 1 no longer exists; see `caravan invite list`")
        #expect(throws: ServiceError.self) { try left.invite("9", shown: &shown) }
    }

    @Test("an invite is found by its link and by the beginning of its id, and not by three digits of it")
    func names() throws {
        var jie = try LogWriter(founding: "Jie")
        try invites(2, by: &jie)
        let desk = desk(jie)
        let wanted = desk.views()[1]
        var shown = ShownLists()
        #expect(try desk.invite(wanted.link, shown: &shown).id == wanted.id)
        #expect(try desk.invite(String(wanted.id.prefix(12)).uppercased(), shown: &shown).id == wanted.id)
        #expect(throws: ServiceError.self) { try desk.invite(String(wanted.id.prefix(3)), shown: &shown) }
    }

    @Test("an invite is answered while the node is online, and is gone once it has expired")
    func time() throws {
        var jie = try LogWriter(founding: "Jie")
        try invites(1, by: &jie, expires: 1_000)
        #expect(desk(jie).views().map(\.isAnswered) == [false])
        let online = desk(jie, hints: ["10.0.0.2:4000"]).views()
        #expect(online.map(\.isAnswered) == [true] && online[0].link != desk(jie).views()[0].link)
        #expect(desk(jie, at: 1_001).views().isEmpty)
    }
}
