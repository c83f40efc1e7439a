import Testing
import TripService

@testable import TripText

struct FindingTextTests {
    private static let all: [Finding] = [
        .home(.writableByOthers(path: "/h")), .home(.unwritable(path: "/h", reason: "r")),
        .home(.diskFull(path: "/h", freeBytes: 4_096)), .home(.diskNearlyFull(path: "/h", freeBytes: 4_096)),
        .home(.storeDamaged(trip: "46ea669282b134c0", reason: "r")),
        .home(
            .mailboxUnusable(trip: "46ea669282b134c0", address: "/box", reason: "there is no folder /box; connect it")),
        .home(
            .mailboxCluttered(
                trip: "46ea669282b134c0", address: "/box", MailboxView.Clutter(count: 2, example: "IMG_1.jpg"))),
        .home(.mailboxNearlyFull(trip: "46ea669282b134c0", address: "/box", freeBytes: 1_048_576)),
        .home(.mailboxOpen(trip: "46ea669282b134c0", address: "https://cloud.example.org")),
        .home(.storeSealed(trip: "46ea669282b134c0")), .home(.heldByAnother(path: "/h", process: 7)),
        .clock(ClockFinding(secondsBehind: 7_200, witness: .people(["Jie", "Noah"]))),
        .clock(ClockFinding(secondsBehind: 90, witness: .files)), .node(.none), .node(.stopped(process: 7)),
        .node(.notAnswering(process: nil)), .network(.noAddress(unplugged: ["eth0"])),
        .network(.routedElsewhere(network: "192.0.2.0/24", interface: "tun0")),
        .network(.routeRefused(network: "192.0.2.0/24", reason: "r")), .network(.noBus(reason: "r")),
        .network(.noDaemon(reason: "r")), .network(.multicastNotSent(interface: "eth0", reason: "r")),
        .network(.multicastNotReceived(interface: "eth0")), .network(.multicastNotForwarded),
        .network(.crowded), .network(.ownPortClosed(address: "192.0.2.1:4000")),
        .network(.neverReached(port: 4_000, firewall: nil)),
        .network(.neverReached(port: 4_000, firewall: "ufw")), .peer(.isolated(address: "192.0.2.1:4000")),
        .home(.changesLost(trip: "46ea669282b134c0", count: 8)), .picture(.noDecoder(reason: "r")),
        .picture(.noSandbox(reason: "r")), .link(.noFetcher(reason: "r")),
        .peer(.portFiltered(address: "192.0.2.1:4000")),
        .peer(.portClosed(address: "192.0.2.1:4000")),
    ]

    @Test("every finding is one line that says what is wrong and what to do")
    func lines() {
        for finding in Self.all {
            let text = FindingText(finding)
            #expect(!text.message.isEmpty && !text.remedy.isEmpty && !text.cause.isEmpty)
            #expect(!text.message.contains("\n") && !text.remedy.contains("\n"))
            let line = TerminalText.findings([finding])
            #expect(line.contains(text.message) && line.contains(text.remedy))
            #expect(line.split(separator: "\n").count == (finding.isProblem ? 1 : 2))
        }
        #expect(Set(Self.all.map { FindingText($0).cause }).count == 33)
    }

    @Test("a trip that cannot be opened is told with one advice, that of the reason, and how to name the trip in it")
    func damage() {
        let reason = "/h/trip.sqlite is damaged (it is empty); recover what is intact with `caravan salvage`"
        #expect(
            TerminalText.findings([.home(.storeDamaged(trip: "46ea669282b134c0", reason: reason))])
                == "Problem: trip 46ea66 cannot be opened: /h/trip.sqlite is damaged (it is empty); "
                + "recover what is intact with `caravan salvage`; name the trip with `--trip 46ea66`\n")
    }

    @Test("an address that several names lead to is told once")
    func once() {
        let places = ["127.0.0.1:4000", "127.0.0.1:4001", "127.0.0.1:4000"]
        let stale = places.map { Finding.peer(.portClosed(address: $0)) }
        #expect(stale.once == Array(stale.prefix(2)))
        #expect(Self.all.once == Self.all)
    }

    @Test("problems come first, notes are marked, and where none is left all is well")
    func order() {
        let text = TerminalText.findings([.node(.none), .network(.multicastNotForwarded)])
        let lines = text.split(separator: "\n")
        #expect(
            lines.count == 2 && lines[0].hasPrefix("Problem: this network") && lines[1].hasPrefix("Note: no node"))
        #expect(TerminalText.findings([]) == "No problems found\n")
    }

    @Test("programs get the cause, and whether it is a problem")
    func json() {
        #expect(
            TripJSON.findings([.node(.none)]).text == """
                {
                  "findings": [
                    {
                      "cause": "no_node",
                      "message": "no node is running",
                      "problem": false,
                      "remedy": "start one with `caravan up` or `caravan up --detach`"
                    }
                  ],
                  "well": true
                }
                """)
    }

    @Test("spans are told in the unit that people would use")
    func spans() {
        let told = [90, 600, 7_300, 200_000].map { seconds in
            FindingText(.clock(ClockFinding(secondsBehind: seconds, witness: .files))).message
        }
        for (text, span) in zip(told, ["90 seconds", "10 minutes", "2 hours", "2 days"]) {
            #expect(text.contains(span))
        }
    }
}
