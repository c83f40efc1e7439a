import ChangeLog
import DeltaCRDT

/// One connection of the transport, from its beginning to its end.
struct Connection: Sendable {
    /// The address that was dialled; nil where the peer dialled.
    let address: PeerAddress?
    let begun: UInt64
    var phase: Phase

    enum Phase: Sendable {
        case dialling
        /// Accepted; nothing was read yet.
        case awaitingFirstMessage(FrameReader)
        case handshaking(Handshaking)
        case session(Session)
    }

    struct Handshaking: Sendable {
        let credential: Credential
        var handshake: any Handshake
        var reader: FrameReader
    }

    var session: Session? {
        guard case .session(let session) = phase else { return nil }
        return session
    }
}

/// Two nodes that have shown each other their keys.
struct Session: Sendable {
    /// What the peer may do here.
    enum Standing: Hashable, Sendable {
        case member(Device)
        /// It holds the epoch's secret, and its admission is not here: it may hand over the changes that admit it.
        case unproven
        /// It holds an invite, and may ask to be let in.
        case joiner(invite: Bytes32)
        /// This node holds an invite, and has asked.
        case host
    }

    let role: HandshakeRole
    /// The peer's X25519 key.
    let peerKey: Bytes32
    let begun: UInt64
    var standing: Standing
    var channel: SecureChannel

    var lastHeard: UInt64
    var lastSent: UInt64
    var lastRekey: UInt64

    /// What the peer is known to hold, and of that what it said is durable there.
    var knowledge = PeerKnowledge()
    var durable = PeerKnowledge()
    /// What its locators said of replicas that have forked.
    var located: [ReplicaID: [Int]] = [:]
    /// Every place below was sent, or is known to be there.
    var cursor = 0
    /// Whether the peer has shown what it holds, so that what it lacks can be sent.
    var hasCompared = false
    /// The first place that the peer was not told of by a frontier; nil before one was sent.
    var frontierEnd: Int?
    /// How often what it sent had no past here.
    var gaps = 0
    /// The last place and the bytes of every message of changes that it has not acknowledged.
    var unacknowledged: [(place: Int, bytes: Int)] = []
    /// Places that it is to hear of once they are durable here, and by when.
    var owedHave: [Int] = []
    var haveDeadline: UInt64?
    /// Changes taken while it was unproven.
    var unprovenChanges = 0

    init(
        role: HandshakeRole, peerKey: Bytes32, begun: UInt64, standing: Standing, channel: SecureChannel
    ) {
        self.role = role
        self.peerKey = peerKey
        self.begun = begun
        self.standing = standing
        self.channel = channel
        lastHeard = begun
        lastSent = begun
        lastRekey = begun
    }

    var unacknowledgedBytes: Int { unacknowledged.reduce(0) { $0 + $1.bytes } }

    var device: Device? {
        guard case .member(let device) = standing else { return nil }
        return device
    }
}
