import ChangeLog
package import DeltaCRDT

/// The name of a version of the program, such as "1.2.0-beta": letters, digits, points, hyphens and plus signs, as in Semantic Versioning.
/// So a peer can put nothing else before people.
package struct VersionName: Hashable, Sendable {
    package let text: String

    package static let bytesMax = 32

    /// Nil for a text that is no such name.
    package init?(_ text: String) {
        guard (1...Self.bytesMax).contains(text.utf8.count), text.utf8.allSatisfy(Self.isPart) else { return nil }
        self.text = text
    }

    private static func isPart(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E: true
        default: false
        }
    }

    init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        let text = try decoder.decodeString(limit: Self.bytesMax)
        guard let name = VersionName(text) else { throw DecodingFailure.unknown }
        self = name
    }
}

/// Which version of the program this node runs, and each peer as it says. People read it, and nothing is decided by it.
struct Versions: Sendable {
    /// Nil for a node that says none.
    let own: VersionName?
    private var heard: [ConnectionID: VersionName] = [:]

    init(own: VersionName?) { self.own = own }

    /// What the peer of a session said last.
    subscript(id: ConnectionID) -> VersionName? { heard[id] }

    /// The peers that said one.
    var peers: [ConnectionID] { Array(heard.keys) }

    mutating func heard(_ name: VersionName, on id: ConnectionID) { heard[id] = name }

    /// A session is over.
    mutating func left(_ id: ConnectionID) { heard[id] = nil }
}

extension SyncNode {
    /// The version that a device says it runs: nil where there is no session with it, or it says none.
    package func version(of replica: ReplicaID) -> VersionName? {
        table.keys.lazy.filter { table[$0]?.device?.replica == replica }.compactMap { versions[$0] }.first
    }

    /// Tells a member which version this node runs.
    mutating func tellOfVersion(on id: ConnectionID) {
        if let own = versions.own { send(.introduction(.version(own)), on: id) }
    }
}
