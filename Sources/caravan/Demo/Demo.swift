import ArgumentParser
import CaravanNode
import Console
import Foundation
import TripModel
import TripService
import TripText

struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Show how three people plan a trip, on this machine.",
        discussion: """
            Runs three nodes that find each other by multicast DNS. Takes about ten seconds, and leaves nothing behind.

            Example: caravan demo
            """)

    func run() async throws {
        let folder = NSTemporaryDirectory() + "caravan-demo-\(getpid())"
        let people = ["Jie", "Michelle", "Noah"].map { DemoNode(name: $0, in: folder) }
        let interrupted = Interruption.next().stream
        let play = Task { try await DemoPlay(jie: people[0], michelle: people[1], noah: people[2]).run() }
        let watch = Task {
            for await _ in interrupted { play.cancel() }
        }
        defer {
            watch.cancel()
            for person in people { person.down() }
            try? FileManager.default.removeItem(atPath: folder)
        }
        try await play.value
    }
}

/// What the three do, and what must come of it.
struct DemoPlay {
    let jie: DemoNode
    let michelle: DemoNode
    let noah: DemoNode
    private let start = ContinuousClock.now

    init(jie: DemoNode, michelle: DemoNode, noah: DemoNode) {
        self.jie = jie
        self.michelle = michelle
        self.noah = noah
    }

    private var everyone: [DemoNode] { [jie, michelle, noah] }

    func run() async throws {
        introduce()
        try await begin()
        try await meet()
        let seconds = try await race()
        try await judge(seconds)
        try await decide()
        conclude()
    }

    // MARK: - The acts

    private func introduce() {
        Output.line(
            "Jie, Michelle and Noah plan a trip on this machine. Each has a node of their own, as on three laptops.")
        Output.line("There is no server and no internet. The nodes find each other by multicast DNS, as on any Wi-Fi.")
        Output.line("")
    }

    private func begin() async throws {
        say("Jie creates the trip “Lisbon in June”, and adds three places to stay.")
        _ = try await TripNode.create(title: "Lisbon in June", name: "Jie", in: jie.home)
        tell(jie, "new \"Lisbon in June\" --as Jie")
        try await act(
            jie, "add \"Casa do Rio\" --price \"€120 a night\" --host Ana",
            .add([item("Casa do Rio", "€120 a night", "38.7099,-9.1326", "Ana", "river view, two bedrooms")]))
        try await act(
            jie, "add \"Alfama loft\" --price \"€95 a night\" --host Rui",
            .add([item("Alfama loft", "€95 a night", "38.7118,-9.1300", "Rui", "many stairs")]))
        try await act(
            jie, "add \"Sintra cottage\" --price \"€140 a night\" --host Inês",
            .add([item("Sintra cottage", "€140 a night", "38.7980,-9.3900", "Inês", "garden, far out")]))
        try await jie.up()
        say("Jie starts a node. It announces itself under a name that reveals nothing to strangers.")
    }

    private func item(_ title: String, _ price: String, _ place: String, _ host: String, _ note: String) -> NewItem {
        NewItem(title: title, fields: [.price: price, .place: place, .host: host, .note: note])
    }

    private func meet() async throws {
        guard case .invite(let invite) = try await jie.ask(.invite(uses: 2, lifetime: nil)) else {
            throw ServiceError.senseless
        }
        let link = invite.link
        say("Jie sends Michelle and Noah an invite link: \(link.prefix(24))…")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for person in [michelle, noah] {
                group.addTask {
                    _ = try await TripNode.join(
                        link: withoutHints(link), name: person.name, in: person.home, patience: 30)
                    try await person.up()
                }
            }
            try await group.waitForAll()
        }
        say("Both found Jie's node, were admitted, and started their own nodes.")
        try await require("the three nodes did not find each other within 20 s; run `caravan doctor`", within: 20) {
            for person in everyone {
                guard try await person.status().devices.count(where: \.isHere) == 2 else { return false }
            }
            return try await haveSameView()
        }
        say("All three are connected, and see the same list:")
        print(indented(try await noah.list()))
    }

    private typealias Act = (person: DemoNode, words: String, request: TripRequest)

    /// Everybody acts at once, twice. Returns how long it took after the last command until all saw the same.
    private func race() async throws -> Double {
        say("What if everyone acts at the same moment? Jie removes a stay while Michelle votes for it:")
        let votes: [Act] = [
            (michelle, "vote 1 3", .act(.vote(.for), on: ["1", "3"])),
            (noah, "vote 1 2", .act(.vote(.for), on: ["1", "2"])),
            (jie, "remove 3", .act(.remove, on: ["3"])),
        ]
        try await repeatedly {
            let areDone = try await actAtOnce(votes)
            try await settle(after: votes.map { $0.person })
            if areDone, try await jie.list().items.contains(where: { $0.number == 3 }) { return true }
            // Michelle had seen the removal before she voted, or Jie the vote before the removal: that is no race.
            _ = try await jie.ask(.act(.restore, on: ["3"]))
            _ = try? await michelle.ask(.act(.vote(nil), on: ["3"]))
            try await settle(after: [jie, michelle])
            return false
        }
        say("And now two people rename the same stay at once:")
        let edits: [Act] = [
            (noah, "edit 1 --title \"Casa by the river\"", .act(.edit([.title: "Casa by the river"]), on: ["1"])),
            (jie, "edit 1 --title \"Casa do Tejo\"", .act(.edit([.title: "Casa do Tejo"]), on: ["1"])),
            (michelle, "add \"Surf lesson\"", .add([NewItem(title: "Surf lesson")])),
        ]
        var seconds = 0.0
        try await repeatedly {
            guard try await actAtOnce(edits) else { return false }
            let begun = ContinuousClock.now
            try await settle(after: edits.map { $0.person })
            seconds = (ContinuousClock.now - begun) / .seconds(1)
            // Where one had seen the other's title before, theirs stands alone: that is no race either.
            guard try await jie.list().items.first?.fields[.title]?.alternatives.isEmpty ?? true else { return true }
            _ = try await jie.ask(.act(.edit([.title: "Casa do Rio"]), on: ["1"]))
            _ = try await jie.ask(.act(.remove, on: ["Surf lesson"]))
            try await settle(after: [jie])
            return false
        }
        return seconds
    }

    private func repeatedly(_ attempt: () async throws -> Bool) async throws {
        for _ in 0..<5 {
            if try await attempt() { return }
            say("(one node was faster than the other; trying again)", isQuiet: true)
        }
        throw ServiceError("the three could not act at the same moment; try again when the machine is less busy")
    }

    private func actAtOnce(_ acts: [Act]) async throws -> Bool {
        let outcomes = try await Simultaneously.ask(acts.map { ($0.person, $0.request) })
        var isDone = true
        for (number, act) in acts.enumerated() {
            let error = outcomes[number]
            tell(act.person, act.words + (error.map { "   → \($0.message)" } ?? ""))
            if error != nil { isDone = false }
        }
        return isDone
    }

    private func judge(_ seconds: Double) async throws {
        let problems = try await jie.list().problems(demanded: [
            1: ["Michelle", "Noah"], 2: ["Noah"], 3: ["Michelle"],
        ])
        guard try await haveSameView() else { throw ServiceError("the three lists differ") }
        guard problems.isEmpty else {
            throw ServiceError("the demo lost something: \(problems.joined(separator: "; "))")
        }
        say(
            "All three lists are identical, byte for byte, \(Int(seconds * 1_000)) ms after the last command. Everyone sees:"
        )
        print(indented(try await jie.list()))
        say("Nothing was lost: every vote counts, both new titles are shown so that people can choose,", isQuiet: true)
        say("and the stay that Jie removed is still there, because Michelle voted for it.", isQuiet: true)
    }

    /// What is left to say: why, what was decided, and who brings what.
    private func decide() async throws {
        say("They decide, each on their own node:")
        let acts: [Act] = [
            (
                michelle, "comment 1 \"The terrace looks on the river\"",
                .act(.comment("The terrace looks on the river"), on: ["1"])
            ),
            (noah, "choose 1", .act(.mark(.chosen, true), on: ["1"])),
            (
                jie, "lists new \"Mussels party\" \"2 kg mussels\" Fries --kind bring",
                .addList(
                    title: "Mussels party", kind: .bring,
                    items: ["2 kg mussels", "Fries"].compactMap { NewItem(line: $0) })
            ),
            (michelle, "bring Fries", .act(.claim(1), on: ["Fries"])),
        ]
        for (person, words, request) in acts {
            try await act(person, words, request)
            try await settle(after: [person])
        }
        say("The trip is planned. Noah sees:")
        let view = try await noah.list()
        print(indented(view))
        let problems = view.problemsOfDecision
        guard problems.isEmpty else {
            throw ServiceError("the demo lost something: \(problems.joined(separator: "; "))")
        }
        say("Everyone sees the same: what was chosen, why, and who brings what.")
    }

    /// How people go on from here.
    private func conclude() {
        Output.line("")
        Output.line("Now plan your own: caravan new \"My trip\" --as NAME")
    }

    // MARK: - Means

    /// Waits until everybody has what these people did, and sees the same.
    private func settle(after people: [DemoNode]) async throws {
        try await require("the three lists still differ after 10 s; run `caravan doctor`", within: 10) {
            for person in people {
                guard try await person.status().everyoneHasEverything else { return false }
            }
            return try await haveSameView()
        }
    }

    private func haveSameView() async throws -> Bool {
        var views: Set<String> = []
        for person in everyone {
            views.insert(TripJSON.list(try await person.list(), includingRemoved: true).text)
        }
        return views.count == 1
    }

    private func require(
        _ problem: String, within seconds: Double, _ holds: () async throws -> Bool
    ) async throws {
        let isTrue = await eventually(within: seconds) { (try? await holds()) ?? false }
        try Task.checkCancellation()
        guard isTrue else { throw ServiceError(problem) }
    }

    private func act(_ person: DemoNode, _ words: String, _ request: TripRequest) async throws {
        try await person.ask(request)
        tell(person, words)
    }

    private func say(_ text: String, isQuiet: Bool = false) {
        let tenths = Int((ContinuousClock.now - start) / .milliseconds(100))
        row(isQuiet ? "" : "\(tenths / 10).\(tenths % 10) s", to: 7, text)
    }

    /// What somebody typed.
    private func tell(_ person: DemoNode, _ words: String) {
        row(String(repeating: " ", count: 9) + person.name, to: 17, "caravan \(words)")
    }

    private func row(_ head: String, to column: Int, _ text: String) {
        for line in TerminalText.tableRow(head, to: column, text, Reader.style) { Output.line(line) }
    }

    private func print(_ text: String) { Output.text(text) }

    private func indented(_ view: TripView) -> String {
        TerminalText.list(view, style: TextStyle(width: Reader.style.width.map { $0 - 13 } ?? 80))
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "\n" : "           │ \($0)\n" }
            .joined()
    }
}

/// The invite without addresses, so that only multicast DNS can lead to its maker.
private func withoutHints(_ link: String) -> String {
    (try? TripNode.linkWithoutHints(link)) ?? link
}
