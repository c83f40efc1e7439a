import ChangeLog
import DeltaCRDT

/// The connections of a node, in ascending order of their numbers. There are at most some hundred.
struct ConnectionTable: Sendable {
    private(set) var keys: [ConnectionID] = []
    private(set) var values: [Connection] = []
    private var nextDialled: UInt64 = 2

    var count: Int { keys.count }

    /// The number of one more connection that this node asks for.
    mutating func nextID() -> ConnectionID {
        defer { nextDialled += 2 }
        return ConnectionID(rawValue: nextDialled)
    }

    /// Numbers connections after those of another table, of which something may still come.
    mutating func number(after other: ConnectionTable) { nextDialled = other.nextDialled }

    /// Where a connection stands now. O(log n).
    func index(of id: ConnectionID) -> Int? {
        let index = keys.partitioningIndex { $0 >= id }
        return index < keys.count && keys[index] == id ? index : nil
    }

    /// A connection by where it stands, changed in place.
    subscript(at index: Int) -> Connection {
        _read { yield values[index] }
        _modify { yield &values[index] }
    }

    /// Whether the connection at an index has a session.
    func hasSession(at index: Int) -> Bool { values[index].hasSession }

    /// The session of a connection that has one, by where the connection stands, changed in place.
    subscript(session index: Int) -> Session {
        _read { yield values[index].session! }
        _modify { yield &values[index].session! }
    }

    /// Whether there may be something to push to the peer at an index of the table.
    func lacksSomething(at index: Int, before end: Int) -> Bool {
        guard hasSession(at: index) else { return false }
        let cursor = self[session: index].window.cursor
        return cursor < end && (self[session: index].push.isEager || cursor < self[session: index].push.pushEnd)
    }

    /// Where a connection stands that has a session. O(log n).
    func sessionIndex(of id: ConnectionID) -> Int? {
        guard let index = index(of: id), values[index].hasSession else { return nil }
        return index
    }

    /// The devices that there are sessions with. O(connections).
    var metReplicas: Set<ReplicaID> { Set(values.lazy.compactMap { $0.device?.replica }) }

    /// Whether there is a session with a device. O(connections).
    func hasMet(_ replica: ReplicaID) -> Bool { values.contains { $0.device?.replica == replica } }

    subscript(id: ConnectionID) -> Connection? { index(of: id).map { values[$0] } }

    /// Adds a connection.
    mutating func insert(_ connection: Connection, as id: ConnectionID) {
        let index = keys.partitioningIndex { $0 >= id }
        keys.insert(id, at: index)
        values.insert(connection, at: index)
    }

    /// Changes a connection; does nothing where there is none.
    mutating func proceed(_ id: ConnectionID, to phase: Connection.Phase) {
        if let index = index(of: id) { values[index].proceed(to: phase) }
    }

    mutating func connected(_ id: ConnectionID, at time: UInt64) {
        if let index = index(of: id) { values[index].connected(at: time) }
    }

    mutating func remove(_ id: ConnectionID) -> Connection? {
        guard let index = index(of: id) else { return nil }
        keys.remove(at: index)
        return values.remove(at: index)
    }

    func checkInvariants() {
        precondition(keys.count == values.count, "a connection has a number")
        precondition(zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 }, "in ascending order, each once")
    }
}

extension ConnectionTable: Sequence {
    func makeIterator() -> some IteratorProtocol<(key: ConnectionID, value: Connection)> {
        zip(keys, values).lazy.map { (key: $0.0, value: $0.1) }.makeIterator()
    }
}
