import ChangeLog
import DeltaCRDT

/// One connection of the transport, from its beginning to its end.
struct Connection: Sendable {
    let origin: Origin
    /// When it was accepted or dialed. For a dialed one that is connected, when it connected.
    private(set) var begun: UInt64
    private(set) var phase: Phase
    /// The session; nil in any phase other than `inSession`.
    var session: Session?

    /// Which side asked for it.
    enum Origin: Sendable {
        case dialled(PeerAddress, Purpose)
        /// It came in at an own address, from a host.
        case accepted(at: PeerAddress, from: String)
    }

    /// The purpose of a dial.
    enum Purpose: Sendable {
        case meeting
        /// To ask once more for admission, under an invite's key and beside the other session with that peer.
        case admission
    }

    enum Phase: Sendable {
        case dialling
        /// Connected. The accepting side speaks first.
        case awaitingGreeting(FrameReader)
        /// Accepted and greeted; nothing was read yet.
        case awaitingFirstMessage(greeting: [UInt8], FrameReader)
        indirect case handshaking(Handshaking)
        /// The handshake is over, and `session` is there.
        case inSession
    }

    struct Handshaking: Sendable {
        let credential: Credential
        var handshake: any Handshake
        var reader: FrameReader
    }

    init(_ origin: Origin, begun: UInt64, phase: Phase) {
        self.origin = origin
        self.begun = begun
        self.phase = phase
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

    mutating func proceed(to phase: Phase) {
        precondition(session == nil, "a connection in session proceeds to a handshake")
        self.phase = phase
    }

    /// A dial has led somewhere: its handshake begins, however long the dial took.
    mutating func connected(at time: UInt64) {
        begun = time
        phase = .awaitingGreeting(FrameReader())
    }

    mutating func begin(_ session: Session) {
        phase = .inSession
        self.session = session
    }

    var hasSession: Bool { session != nil }

    var standing: Session.Standing? { session?.standing }

    /// The member that this is a session with.
    var device: Device? { standing?.device }

    var isWithMember: Bool { device != nil }

    /// What the dialer needs to know of it.
    func contact(as id: ConnectionID) -> Contact {
        let peer = session.map { Contact.Peer(member: $0.device?.replica, incarnation: $0.run.incarnation) }
        return Contact(id: id, isDialled: address != nil, begun: begun, peer: peer)
    }

    /// When this connection needs attention, if nothing arrives before.
    func deadline(under limits: SessionLimits) -> UInt64 {
        switch phase {
        case .dialling: begun + limits.dialDuration
        case .awaitingGreeting, .awaitingFirstMessage, .handshaking: begun + limits.handshakeDuration
        case .inSession: session?.deadline(under: limits) ?? .max
        }
    }

    /// Among handshakes that others began: those go first that have shown no key, and of them the oldest.
    var rank: (Int, UInt64) {
        guard case .awaitingFirstMessage = phase else { return (1, begun) }
        return (0, begun)
    }
}
