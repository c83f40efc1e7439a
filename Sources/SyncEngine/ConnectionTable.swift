import ChangeLog
import DeltaCRDT

/// The connections of a node, in ascending order of their numbers. There are at most some hundred.
struct ConnectionTable: Sendable {
    private(set) var keys: [ConnectionID] = []
    private(set) var values: [Connection] = []

    var count: Int { keys.count }

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
        unsafeAddress { values[index].sessionAddress }
        unsafeMutableAddress { values[index].mutableSessionAddress() }
    }

    /// Whether there may be something to push to the peer at an index of the table.
    func lacksSomething(at index: Int, before end: Int) -> Bool {
        let session = values[index].sessionAddress
        let cursor = session.pointee.cursor
        return cursor < end && (session.pointee.isEager || cursor < session.pointee.pushEnd)
    }

    /// Where a connection stands that has a session. O(log n).
    func sessionIndex(of id: ConnectionID) -> Int? {
        guard let index = index(of: id), values[index].hasSession else { return nil }
        return index
    }

    /// Whom there are sessions with.
    struct Met {
        var replicas: [ReplicaID] = []
        var incarnations: [Bytes16] = []
    }

    /// O(connections).
    var met: Met {
        var met = Met()
        for connection in values where connection.hasSession {
            if let device = connection.device { met.replicas.append(device.replica) }
            if let incarnation = connection.ongoing.incarnation { met.incarnations.append(incarnation) }
        }
        return met
    }

    subscript(id: ConnectionID) -> Connection? {
        get { index(of: id).map { values[$0] } }
        set {
            if let index = index(of: id) {
                if let newValue {
                    values[index] = newValue
                } else {
                    keys.remove(at: index)
                    values.remove(at: index)
                }
            } else if let newValue {
                let index = keys.partitioningIndex { $0 > id }
                keys.insert(id, at: index)
                values.insert(newValue, at: index)
            }
        }
    }

    @discardableResult
    mutating func removeValue(forKey id: ConnectionID) -> Connection? {
        guard let index = index(of: id) else { return nil }
        keys.remove(at: index)
        return values.remove(at: index)
    }
}

extension ConnectionTable: Sequence {
    func makeIterator() -> some IteratorProtocol<(key: ConnectionID, value: Connection)> {
        zip(keys, values).lazy.map { (key: $0.0, value: $0.1) }.makeIterator()
    }
}
