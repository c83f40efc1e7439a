/// One connection of the transport.
struct Connection: Sendable {
    let origin: Origin
    /// When it was accepted or dialed. For a dialed one that is connected, when it connected.
    let begun: UInt64

    /// Which side asked for it.
    enum Origin: Sendable {
        case dialled(PeerAddress, Purpose)
        /// A peer dialed an address of this node, from a host.
        case accepted(at: PeerAddress, from: String)
    }

    /// The purpose of a dial.
    enum Purpose: Sendable {
        case meeting
        /// To ask once more for admission, under an invite's key and beside the other session with that peer.
        case admission
    }

    /// The dialed address; nil if the peer dialed.
    var address: PeerAddress? {
        guard case .dialled(let address, _) = origin else { return nil }
        return address
    }

    /// The other side's host.
    var peerHost: String {
        switch origin {
        case .dialled(let address, _): address.host
        case .accepted(_, let host): host
        }
    }

    var isForAdmission: Bool {
        guard case .dialled(_, .admission) = origin else { return false }
        return true
    }
}
