package import TripModel
package import TripService

// What a command that writes prints with `--json`: an object with `did`, what was done, and what it was done to.
extension TripJSON {
    static func did(_ act: String, isDry: Bool = false, _ members: [String: JSONValue?]) -> JSONValue {
        var members = members
        members["did"] = .string(act)
        members["dry_run"] = isDry ? .bool(true) : JSONValue?.none
        return .object(members)
    }

    /// - Parameter isDry: whether this is what would have been done.
    package static func receipt(_ receipt: Receipt, isDry: Bool = false) -> JSONValue {
        did(
            words(receipt.act.rawValue), isDry: isDry,
            [
                "items": .array(receipt.items.map(item)),
                "unchanged": receipt.unchanged.isEmpty ? nil : .array(receipt.unchanged.map(item)),
                "comments": receipt.comments.isEmpty ? nil : .array(receipt.comments.map { .string($0) }),
                "waits_for": receipt.waitsFor.map { .string($0) },
            ])
    }

    private static func item(_ item: Receipt.Item) -> JSONValue {
        .object([
            "number": .integer(Int64(item.number)), "id": .string(item.shortID), "title": .string(item.title),
            "quantity": item.quantity.map { .integer($0) },
        ])
    }

    /// "maybe_going" of maybeGoing.
    private static func words(_ name: String) -> String {
        name.map { $0.isUppercase ? "_" + $0.lowercased() : String($0) }.joined()
    }

    static func receipt(_ receipt: WishReceipt) -> JSONValue {
        let titles = { (wishes: [Wish]) -> JSONValue? in
            wishes.isEmpty ? nil : .array(wishes.map { .object(["title": .string($0.title)]) })
        }
        return did(
            receipt.removed.isEmpty ? "wished" : "unwished", ["wishes": titles(receipt.added + receipt.removed)])
    }

    package static func trip(_ id: String, _ title: String?, did act: String, isDry: Bool = false) -> JSONValue {
        did(act, isDry: isDry, ["trip": .object(["id": .string(id), "title": title.map { .string($0) }])])
    }

    package static func archived(_ id: String, _ title: String, file: String, photos: Int, reduced: Int) -> JSONValue {
        let trip: [String: JSONValue?] = ["id": .string(id), "title": .string(title)]
        return did(
            "archived",
            [
                "trip": .object(trip), "file": .string(file), "photos": .integer(Int64(photos)),
                "photos_reduced": .integer(Int64(reduced)),
            ])
    }

    /// Whether details of links are fetched from now on.
    package static func fetching(_ isAlways: Bool) -> JSONValue {
        did("fetching", ["fetches_links": .bool(isAlways)])
    }

    package static func unchanged(_ reason: String) -> JSONValue { did("nothing", ["reason": .string(reason)]) }

    /// The trip's note was written or cleared.
    package static func edited(note: FieldView?) -> JSONValue {
        did("edited", ["note": note.map { .string($0.value) }])
    }

    package static func revoked(_ invite: InviteView) -> JSONValue { did("revoked", ["invite": self.invite(invite)]) }

    package static func added(_ feed: Feed) -> JSONValue {
        did("added", ["feed": .object(["name": .string(feed.name), "origin": .string(feed.origin)])])
    }

    package static func mailbox(_ mailbox: MailboxView, did act: String) -> JSONValue {
        did(act, ["mailbox": self.mailbox(mailbox)])
    }

    package static func emptied(_ trips: Int) -> JSONValue { did("emptied", ["trips": .integer(Int64(trips))]) }

    /// Something of a list was removed: what is left of it.
    package static func removed(leaving answer: TripAnswer, _ key: String) -> JSONValue {
        did("removed", [key: self.answer(answer)])
    }

    /// Files that were written, by their paths.
    package static func saved(_ paths: [String]) -> JSONValue {
        did("saved", ["files": .array(paths.map { .string($0) })])
    }
}
