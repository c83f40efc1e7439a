/// The version of the protocol between nodes (Documentation/Protocol.md). Nodes of different versions never open a session.
package enum ProtocolVersion {
    package static let current = 1
}
