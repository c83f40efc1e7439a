import Testing
import TripService

@testable import TripText

/// How people and programs are told of mailboxes.
@Suite struct MailboxTextTests {
    private func mailbox(
        problem: String? = nil, lastReached: Int64? = nil, trial: MailboxView.Trial? = nil
    ) -> MailboxView {
        MailboxView(
            number: 1, address: "/srv/box", code: "9f2c", problem: problem, lastReached: lastReached, trial: trial)
    }

    private func status(lacks: Int, inMailbox: Int, _ mailboxes: [MailboxView] = []) -> String {
        let noah = DeviceStatus(
            id: "00", label: "Noah", isYours: false, isHere: false, lacks: lacks, lastHeard: nil, inMailbox: inMailbox)
        return TerminalText.status(
            StatusView(
                title: "Lofoten", you: "Jie", changes: 7, listening: nil, discoveryProblem: nil, writingProblem: nil,
                removal: nil, devices: [noah], inTwoPlaces: [], mailboxes: mailboxes), now: 120_000)
    }

    @Test("status says what is in the mailbox for a member, and not yet with them") func devices() {
        #expect(status(lacks: 3, inMailbox: 0).contains("may be 3 changes behind\n"))
        #expect(status(lacks: 3, inMailbox: 2).contains("may be 3 changes behind, 2 of them in the mailbox\n"))
        #expect(status(lacks: 3, inMailbox: 3).contains("may be 3 changes behind, in the mailbox for them\n"))
        #expect(!status(lacks: 0, inMailbox: 0).contains("ailbox"))
    }

    @Test("a mailbox that doesn't work says why, and one that does says when") func standing() {
        let broken = mailbox(problem: "there is no space; free some")
        #expect(status(lacks: 0, inMailbox: 0, [broken]).contains("Mailbox /srv/box: there is no space; free some\n"))
        #expect(
            status(lacks: 0, inMailbox: 0, [mailbox(lastReached: 60_000)]).contains("Mailbox /srv/box: reached "))
        #expect(TerminalText.mailboxes([broken], now: 0).contains("doesn't work: there is no space; free some\n"))
        let tested = mailbox(trial: .init(list: 1, put: 20, get: 3))
        #expect(
            TerminalText.mailboxes([tested], now: 0)
                == "1  /srv/box · code 9f2c · works: written in 20 ms, listed in 1 ms, read in 3 ms\n")
        #expect(TerminalText.mailboxes([], now: 0).contains("caravan mailbox add FOLDER"))
        #expect(TripJSON.mailbox(tested).text.contains("put_ms"))
    }

    @Test("a mailbox that no node uses yet says when one does") func unused() {
        let added = MailboxView(
            number: 1, address: "/srv/box", code: "9f2c", problem: nil, lastReached: nil, isInUse: false)
        #expect(TerminalText.mailboxes([added], now: 0).hasSuffix(" · used while `caravan up` runs\n"))
        #expect(status(lacks: 0, inMailbox: 0, [added]).contains("/srv/box: used while `caravan up` runs\n"))
        #expect(TerminalText.mailboxes([mailbox()], now: 0).hasSuffix(" · not reached yet\n"))
    }

    @Test("a test says in its one line what lies among the blocks, and that it does no harm") func clutter() {
        func line(_ count: Int) -> String {
            TerminalText.mailboxes(
                [
                    MailboxView(
                        number: 1, address: "/srv/box", code: "9f2c", problem: nil, lastReached: nil,
                        trial: .init(list: 1, put: 20, get: 3), clutter: .init(count: count, example: "a\nb.jpg"))
                ], now: 0)
        }
        #expect(line(2).hasSuffix("b.jpg”: they do no harm, and you may delete them\n"), "\(line(2))")
        #expect(line(2).contains(" · holds 2 files that are no blocks, such as “a"), "\(line(2))")
        #expect(line(1).contains(" · holds 1 file that is no block, “a"), "\(line(1))")
        #expect(line(2).split(separator: "\n").count == 1)
        #expect(!TripJSON.mailbox(mailbox()).text.contains("clutter"))
    }

    @Test("a mailbox with as much of photos as it may have says so") func photos() {
        let full = MailboxView(
            number: 1, address: "/srv/box", code: "9f2c", problem: nil, lastReached: 60_000, hasNoRoomForPhotos: true)
        let line = "full of photos: nodes exchange further ones only when they meet\n"
        #expect(TerminalText.mailboxes([full], now: 60_000).hasSuffix(" · " + line))
        #expect(status(lacks: 0, inMailbox: 0, [full]).contains(", " + line))
        #expect(!TerminalText.mailboxes([mailbox(lastReached: 60_000)], now: 60_000).contains("photos"))
        #expect(TripJSON.mailbox(full).text.contains("photos_full"))
        #expect(!TripJSON.mailbox(mailbox()).text.contains("photos_full"))
    }
}
