import Attachments
import TripModel
package import TripService

extension TripJSON {
    /// An answer for programs, as the command that asked for it prints it. Times are RFC 3339 in UTC.
    package static func answer(_ answer: TripAnswer) -> JSONValue {
        switch answer {
        case .done(let receipt): self.receipt(receipt)
        case .trip(let view): list(view)
        case .note(let note):
            .object(["note": note.map { .string($0.value) }, "by": note.map { .string($0.shown.authorName) }])
        case .item(let item, let group): self.item(item, of: group)
        case .items(let items): .array(items.map { self.item($0, of: Group(members: [], nights: nil)) })
        case .list(let receipt):
            did(receipt.act.rawValue, ["list": self.list(receipt.list)])
        case .own(let own):
            .object(["feeds": self.answer(.feeds(own.feeds)), "wishes": self.answer(.wishes(own.wishes))])
        case .feeds(let feeds):
            .array(feeds.map { .object(["name": .string($0.name), "origin": .string($0.origin)]) })
        case .wishes(let wishes):
            .array(wishes.enumerated().map { wish($1, number: $0 + 1) })
        case .wished(let receipt): self.receipt(receipt)
        case .numbers(let numbers): .array(numbers.map { .integer(Int64($0)) })
        // Asked for by commands and pages alone, which print none.
        case .meanings, .writers: .array([])
        case .bundle(let receipt):
            did(
                receipt.newChanges == nil ? "sealed" : "imported",
                [
                    "changes": .integer(Int64(receipt.changes)), "new": receipt.newChanges.map { .integer(Int64($0)) },
                    "by": .string(receipt.author),
                ])
        case .renamed(let name): did("renamed", ["name": .string(name)])
        case .undone(let view, let wishes): undone(history(view.entries, view.names), wishes)
        case .picture(let file): .object(["type": file.map { .string($0.type.name) }])
        case .history(let view): history(view.entries, view.names)
        case .members(let view): .array(view.people.map(member))
        case .member(let view): member(view)
        case .status(let view): status(view)
        case .mailboxes(let mailboxes): .array(mailboxes.map(mailbox))
        case .invite(let invite): self.invite(invite)
        case .inviteKept(let invite): did("kept", ["invite": self.invite(invite)])
        case .invites(let invites): .array(invites.map(invite))
        case .removed(let receipt):
            did(
                receipt.isLeaving ? "left" : "removed",
                ["name": .string(receipt.name)].merging(invites(receipt.closedInvites, receipt.openers ?? [])) { $1 })
        case .kept(let name): did("kept", ["name": .string(name)])
        case .deviceRemoved(let receipt):
            did(
                "removed",
                ["name": .string(receipt.name), "id": .string(receipt.id)].merging(
                    invites(receipt.closedInvites, receipt.openers)
                ) { $1 })
        }
    }

    /// What became of the open invites that a removed person or device may know.
    private static func invites(_ areRevoked: Bool, _ openers: [String]) -> [String: JSONValue?] {
        [
            "revoked_invites": areRevoked ? .bool(true) : nil,
            "open_invites_of": openers.isEmpty ? nil : .array(openers.map { .string($0) }),
        ]
    }

    /// What was taken back, as entries of the history, and after them what became of one's own wishes, which is in no history.
    private static func undone(_ history: JSONValue, _ wishes: WishReceipt) -> JSONValue {
        guard case .array(let entries) = history, wishes != WishReceipt() else { return history }
        return .array(entries + [.object(["did": .array(wished(wishes))])])
    }

    private static func wished(_ receipt: WishReceipt) -> [JSONValue] {
        receipt.removed.map { .object(["what": .string("unwished"), "title": .string($0.title)]) }
            + receipt.added.map { .object(["what": .string("wished"), "title": .string($0.title)]) }
    }

    private static func wish(_ wish: Wish, number: Int) -> JSONValue {
        var values: [String: JSONValue?] = ["number": .integer(Int64(number)), "title": .string(wish.title)]
        for (field, text) in wish.fields { values[field.name] = .string(text) }
        return .object(values)
    }

    /// An object of `caravan invite --json`: `device` for a further device of one's own, `expires` where it ends by itself.
    static func invite(_ invite: InviteView) -> JSONValue {
        .object([
            "id": .string(invite.id), "number": .integer(Int64(invite.number)), "link": .string(invite.link),
            "by": .string(invite.by), "uses": .integer(Int64(invite.uses)), "left": .integer(Int64(invite.left)),
            "expires": invite.expires.map { time($0) }, "device": .bool(invite.isForDevice),
            "exposed_to": invite.exposure.map { .string($0.removed) },
            "removed_by": invite.exposure.map { .string($0.by) },
        ])
    }

    /// An object of the array of `caravan members --json`, in which each person comes after their inviter.
    private static func member(_ person: MemberView) -> JSONValue {
        .object([
            "id": .string(person.id), "name": .string(person.name),
            "let_in_by": person.sponsor.map { .string($0) }, "guest": .bool(person.isGuest),
            "in": .bool(person.removal == nil), "here": .bool(person.isHere), "you": .bool(person.isYou),
            "left_at": person.removal.map { time($0.at) },
            "taken_out_by": person.removal?.waiting == nil ? person.removal?.by.map { .string($0) } : nil,
            "waits_for": person.removal?.waiting.map { .string($0.host) },
            "may_be_kept": person.mayBeKept ? .bool(true) : nil,
            "last_heard": person.lastHeard.map { time($0) },
            "devices": .array(
                person.devices.map { device in
                    .object([
                        "id": .string(device.id), "name": device.name.map { .string($0) },
                        "here": .bool(device.isHere), "last_heard": device.lastHeard.map { time($0) },
                    ])
                }),
        ])
    }

    /// The array of `caravan trips --json`.
    package static func trips(_ trips: [TripEntry]) -> JSONValue {
        .array(
            trips.map { trip in
                .object([
                    "id": .string(trip.id), "title": trip.title.map { .string($0) },
                    "problem": trip.problem.map { .string($0) }, "in_use": .bool(trip.isInUse),
                    "running": .bool(trip.isRunning), "out": trip.isOut ? .bool(true) : JSONValue?.none,
                    "archived": trip.isArchived ? .bool(true) : JSONValue?.none,
                ])
            })
    }

    /// An event in one line: an entry of the history, or an object with `event` and what it is about.
    package static func lines(_ event: TripEvent) -> [String] {
        switch event {
        case .changed(let view):
            return view.entries.map { entry($0, view.names).compact }
        case .spread, .writing, .rebuilt, .membership, .pictures, .own: return []
        case .missed(let count): return [object("missed", ["events": .integer(Int64(count))])]
        case .here(let name): return [object("here", ["name": .string(name)])]
        case .gone(let name): return [object("gone", ["name": .string(name)])]
        case .youAreOut(let removal):
            return [object("out", ["by": removal.by.map { .string($0) }, "at": time(removal.at)])]
        case .inTwoPlaces(let name, _): return [object("forked", ["name": .string(name)])]
        case .full(let name): return [object("full", ["name": .string(name)])]
        case .refused(let name): return [object("refused", ["name": .string(name)])]
        case .misbehaved(let name): return [object("misbehaved", ["name": .string(name)])]
        case .needsNewer(let name): return [object("needs_newer", ["name": .string(name)])]
        case .limit(let limit): return [object("limit", ["limit": .string(limit.rawValue)])]
        case .discovery(let problem):
            return [object("discovery", ["problem": problem.map { .string($0) }])]
        case .problem(let message): return [object("problem", ["message": .string(message)])]
        }
    }

    private static func object(_ what: String, _ members: [String: JSONValue?]) -> String {
        var members = members
        members["event"] = .string(what)
        return JSONValue.object(members).compact
    }

    static func time(_ milliseconds: Int64) -> JSONValue { .string(CivilTime.rfc3339(milliseconds)) }
}
