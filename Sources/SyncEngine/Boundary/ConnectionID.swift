/// The number that a transport gave to one connection. Never used twice in the life of a node.
package struct ConnectionID: Hashable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

extension ConnectionID: Comparable {
    package static func < (left: ConnectionID, right: ConnectionID) -> Bool { left.rawValue < right.rawValue }
}
