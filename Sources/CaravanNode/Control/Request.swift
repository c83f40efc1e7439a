import TripModel

/// What a person asks of a trip, from the command line or a page: the same whether a node runs or not.
package struct Request: Codable, Hashable, Sendable {
    package var command: Command
    /// Whether the answer is for programs.
    package var json: Bool

    package init(_ command: Command, json: Bool = false) {
        self.command = command
        self.json = json
    }
}

/// Items are named as people name them: by number, by the beginning of an id, or by title.
package enum Command: Codable, Hashable, Sendable {
    case add([NewItem])
    /// Fields by name; nil clears one.
    case edit(item: String, fields: [String: String?])
    case remove(items: [String])
    case restore(items: [String])
    case vote(items: [String], against: Bool)
    case unvote(items: [String])
    case quantity(item: String, by: Int64)

    /// The trip's title alone.
    case title
    case list(sort: String?, includingRemoved: Bool)
    case show(item: String)
    case history
    case members
    case status

    /// Takes somebody out of the trip, by name or the beginning of their id.
    case removeMember(name: String)
    case leave

    /// - Parameter lifetime: milliseconds until it ends by itself; nil for never.
    case invite(uses: Int, lifetime: Int64?)
    /// An invite for a further device of one's own.
    case addDevice(lifetime: Int64?)
    /// The invites that are open.
    case invites
    /// Closes an invite, by its number, the beginning of its id or its link.
    case closeInvite(reference: String)
}

/// An item to be added.
package struct NewItem: Codable, Hashable, Sendable {
    package var title: String
    /// Further fields by name.
    package var fields: [String: String]
    package var quantity: Int64?

    package init(title: String, fields: [String: String] = [:], quantity: Int64? = nil) {
        self.title = title
        self.fields = fields
        self.quantity = quantity
    }
}

/// What comes back.
package enum Reply: Codable, Hashable, Sendable {
    /// What to print, with its line ends.
    case output(String)
    /// One line that says what is wrong and what to do.
    case failure(String)
}

/// Something that cannot be done, in one line that says what is wrong and what to do.
package struct NodeError: Error, Hashable, Sendable, CustomStringConvertible {
    package let message: String
    /// Whether another process owns the trip, which may pass.
    let isOwned: Bool

    package init(_ message: String) { self.init(message, isOwned: false) }

    init(_ message: String, isOwned: Bool) {
        // Many a message repeats what somebody typed.
        self.message = message.displayed()
        self.isOwned = isOwned
    }

    package var description: String { message }
}
