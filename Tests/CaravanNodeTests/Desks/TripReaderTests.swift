import ChangeLog
import SyncEngine
import Testing
import TripModel
import TripRules
import TripService

@testable import CaravanNode

/// What requests read of people and devices, from a log alone.
struct TripReaderTests {
    private func reader(_ writer: LogWriter) -> TripReader {
        var shown = ShownTrip(cryptography: writer.cryptography)
        _ = shown.showAll(in: writer.node, seen: nil)
        return shown.reader(writer.node)
    }

    /// A writer with all that another one has.
    private func updated(_ writer: LogWriter, to other: LogWriter) -> LogWriter {
        LogWriter(writer.secrets, other.log, writer.cryptography)
    }

    @Test("two members of one name are shown under two, and the name that both chose asks for an id")
    func sameName() throws {
        var jie = try LogWriter(founding: "Jie")
        let first = try jie.admit("Ana").newcomer
        let second = try jie.admit("ana").newcomer
        let reader = reader(jie)
        let names = [first, second].map { reader.name(of: $0.person) }
        #expect(Set(names.map { $0.lowercased() }).count == 2, "\(names)")
        #expect([first, second].map { reader.ownName(of: $0.person) } == ["Ana", "ana"])
        let error = #expect(throws: ServiceError.self) { try reader.removable("ANA", isErasing: false) }
        #expect(error?.message.hasPrefix("2 members are called “ANA”; give an id") == true, "\(error?.message ?? "")")
        let id = String(second.id.description.prefix(8))
        #expect(try reader.removable(id, isErasing: false).id == second.person)
    }

    @Test("a member is removed by their name in any case of every script, unless another name differs in case only")
    func otherCase() throws {
        var jie = try LogWriter(founding: "Jie")
        let dima = try jie.admit("Дима").newcomer
        #expect(try reader(jie).removable("дима", isErasing: false).id == dima.person)
        for name in ["Élodie", "élodie"] { _ = try jie.admit(name) }
        for name in ["Élodie", "élodie", "ÉLODIE"] {
            let error = #expect(throws: ServiceError.self) { try reader(jie).removable(name, isErasing: false) }
            #expect(error?.message.hasPrefix("2 members are called “\(name)”") == true, "\(error?.message ?? "")")
        }
    }

    @Test("a member whose name is another's id is not removed in their place")
    func namedLikeAnID() throws {
        var jie = try LogWriter(founding: "Jie")
        let first = try jie.admit("Ana").newcomer
        let id = ParticipantID(first.person).description
        _ = try jie.admit(id)
        #expect(try reader(jie).removable(id, isErasing: false).id == first.person)
    }

    @Test("people who were removed are told apart as everywhere, if they have the name of somebody else")
    func removedNamesakes() throws {
        var jie = try LogWriter(founding: "Jie")
        for name in ["Ana", "ana", "Noah"] { try jie.remove(try jie.admit(name).newcomer) }
        _ = try jie.admit("Ana")
        let names = reader(jie).members.people.map(\.name)
        #expect(Set(names).count == 5 && names.contains("Noah") && names.contains("Ana"), "\(names)")
        #expect(names.count { $0.lowercased().hasPrefix("ana") && $0.hasSuffix("(out)") } == 2, "\(names)")
    }

    @Test("somebody is removed by people above them, and everybody else is told who these are")
    func removable() throws {
        var jie = try LogWriter(founding: "Jie")
        var ana = try jie.admit("Ana").newcomer
        let noah = try ana.admit("Noah").newcomer
        #expect(try reader(ana).removable("Noah", isErasing: false).id == noah.person)
        let refused = [(noah, "Jie", "Jie founded the trip"), (noah, "Ana", "ask Jie"), (ana, "Ana", "Ana is you")]
        for (writer, name, text) in refused {
            let error = #expect(throws: ServiceError.self) {
                try reader(updated(writer, to: ana)).removable(name, isErasing: false)
            }
            #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
        }
        #expect(throws: ServiceError.self) { try reader(ana).keepable("Noah") }
    }

    @Test("a removed member reads who removed them, and can only be erased")
    func removed() throws {
        var jie = try LogWriter(founding: "Jie")
        let ana = try jie.admit("Ana").newcomer
        try jie.remove(ana)
        let (own, theirs) = (reader(jie), reader(updated(ana, to: jie)))
        #expect(own.ownRemoval == nil && own.removal(of: ana.person)?.by == "Jie")
        #expect(theirs.ownRemoval?.reason == .removed && theirs.ownRemoval?.waiting == nil)
        #expect(own.name(of: ana.person) == "Ana (out)" && own.ownName(of: ana.person) == "Ana")
        #expect(throws: ServiceError.self) { try own.removable("Ana", isErasing: false) }
        #expect(try own.removable("Ana", isErasing: true).id == ana.person)
        #expect(own.members.people.map(\.name) == ["Jie", "Ana"] && own.otherDevices.isEmpty)
    }

    @Test("the history holds what happened to members, and not a removal by somebody who isn't above")
    func history() throws {
        var jie = try LogWriter(founding: "Jie")
        var ana = try jie.admit("Ana").newcomer
        try ana.write(nil, .setTitle("Lisbon"))
        try ana.remove(jie)
        let events = reader(ana).history.flatMap(\.events)
        #expect(events.first == .founded && events.contains(.invited(uses: 1, forOwnDevice: false)))
        #expect(events.contains(.letIn(participant: ana.id, name: "Ana", as: .participant)))
        #expect(events.contains { if case .titled = $0 { true } else { false } })
        #expect(!events.contains { if case .tookOut = $0 { true } else { false } })
        let newest = reader(ana).newestOwnChange
        #expect(newest == ana.log.graph.changes.dropLast().last.map { ChangeHash($0.hash) })
    }

    @Test("undo finds the last removal of somebody else, or an invite, unless it said already that this stays")
    func lastingAct() throws {
        var jie = try LogWriter(founding: "Jie")
        #expect(reader(jie).lastingAct(after: nil, at: 0) == nil)
        let ana = try jie.admit("Ana").newcomer
        #expect(reader(jie).lastingAct(after: nil, at: 0)?.what == "creating an invite")
        try jie.remove(ana)
        let removal = try #require(reader(jie).lastingAct(after: nil, at: 0))
        #expect(removal.what == "removing Ana (out)" && removal.remedy == nil)
        #expect(reader(jie).lastingAct(after: removal.stamp, at: 0) == nil)
        #expect(reader(updated(ana, to: jie)).lastingAct(after: nil, at: 0) == nil)
        try jie.write(content: try Undoing(nothingOf: removal.stamp).content())
        #expect(reader(jie).lastingAct(after: nil, at: 0)?.what == "creating an invite")
    }

    @Test("undo names an invite that is still open, and the revoking of one")
    func lastingInvites() throws {
        var jie = try LogWriter(founding: "Jie")
        var entropy = SystemRandomNumberGenerator()
        try jie.write(.invite(Invite(seed: .random(using: &entropy), uses: 2, expires: nil)), content: [])
        let id = try #require(jie.log.openInvites(at: 0).first?.id)
        let remedy = reader(jie).lastingAct(after: nil, at: 0)?.remedy
        #expect(remedy == "revoke it with `caravan invite close \(id.description.prefix(8))`")
        try jie.write(.closeInvite(id: id), content: [])
        #expect(reader(jie).lastingAct(after: nil, at: 0)?.what == "revoking an invite")
    }
}
