import ChangeLog
import DeltaCRDT

/// Two nodes that have shown each other their keys.
struct Session: Sendable {
    /// What the peer may do here.
    enum Standing: Hashable, Sendable {
        case member(Device)
        /// It has the epoch's secret, and its admission is not here. It may hand over the changes that admit it.
        case unproven
        /// This node dialed it under an epoch's secret, and it is out, or its admission is not here and the epoch is an older one. It may hand
        /// over its admission. If its person is out then, or waits, it is told so, and nothing else, not even whose device this is.
        case stranger
        /// It is out, and dialed under a pair's secret, or was. It is told so, and nothing else.
        case outside
        /// It has an invite, and may ask for admission.
        case joiner(invite: Bytes32)
        /// This node has an invite, and has asked for admission.
        case sponsor

        var device: Device? {
            guard case .member(let device) = self else { return nil }
            return device
        }

        /// Whether the peer is told why it is out, and nothing else.
        var isOutsider: Bool { self == .outside || self == .stranger }

        /// Whether it is for one question and its answer.
        var isBrief: Bool {
            switch self {
            case .joiner, .sponsor, .stranger, .outside: true
            case .member, .unproven: false
            }
        }
    }

    var replication = PeerReplication()
    let connection: Connection
    let peer: PeerIdentity
    var standing: Standing
    var channel: SecureChannel
    var times: Times
    var run = Run()
    var toldPort = LastSaid<UInt16>()

    /// Of the changes of one message those that weren't handled yet.
    var unhandled: [[UInt8]] = []
    /// Whether the node reads from the peer; false while enough of its bytes wait.
    var isRead = true
    var probation = Probation()
    /// What a stranger handed over so far.
    var shownAdmission = ShownAdmission()

    /// Who is on the other side.
    struct PeerIdentity: Hashable, Sendable {
        /// This side's part in the handshake.
        let role: HandshakeRole
        let replica: ReplicaID
        /// The X25519 key that it showed.
        let key: Bytes32
    }

    struct Times: Sendable {
        let begun: UInt64
        var lastHeard: UInt64
        var lastSent: UInt64
        var lastRekey: UInt64

        init(begun: UInt64) {
            self.begun = begun
            (lastHeard, lastSent, lastRekey) = (begun, begun, begun)
        }
    }

    /// Which run of the peer's node it is with.
    struct Run: Sendable {
        /// As its hello says; nil before that.
        var incarnation: Bytes16?
        /// Whether people were told of it.
        var wasShown = false
    }

    init(
        with peer: PeerIdentity, on connection: Connection, begun: UInt64, standing: Standing, channel: SecureChannel
    ) {
        self.connection = connection
        self.peer = peer
        self.standing = standing
        self.channel = channel
        times = Times(begun: begun)
    }

    var device: Device? { standing.device }

    /// Whether something came that wasn't handled.
    var hasUnhandled: Bool { channel.hasFrame || !unhandled.isEmpty }

    var isWithMember: Bool { device != nil }

    /// Where this node dialed the peer; nil if the peer dialed.
    var address: PeerAddress? { connection.address }

    /// When something is to be done about it, if nothing else comes.
    /// - Parameter isWaiting: whether messages of the peer wait for their turn here, so that it is not silent.
    func deadline(under limits: SessionLimits, isWaiting: Bool) -> UInt64 {
        if standing.isBrief { return times.begun + limits.briefSessionDuration }
        let silence = isWaiting ? .max : times.lastHeard + limits.silenceMax
        let talk = min(times.lastSent + limits.pingInterval, silence)
        return min(talk, toldPort.deadline ?? .max, replication.deadline ?? .max)
    }
}
