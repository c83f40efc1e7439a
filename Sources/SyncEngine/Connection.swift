import ChangeLog
import DeltaCRDT

/// One connection of the transport, from its beginning to its end.
struct Connection: Sendable {
    /// The address that was dialled; nil where the peer dialled.
    let address: PeerAddress?
    let begun: UInt64
    var phase: Phase
    /// Whether it was dialled under an invite's key to ask once more, beside what else there is with that peer.
    let isAsking: Bool
    /// Set exactly where the phase says so.
    private var box: Boxed<Session>?

    init(address: PeerAddress?, begun: UInt64, phase: Phase, isAsking: Bool = false) {
        self.address = address
        self.begun = begun
        self.phase = phase
        self.isAsking = isAsking
    }

    mutating func begin(_ session: Session) {
        phase = .inSession
        box = Boxed(session)
    }

    var hasSession: Bool { box != nil }

    /// The session, changed where it stands. There must be one.
    var ongoing: Session {
        unsafeAddress { sessionAddress }
        unsafeMutableAddress { mutableSessionAddress() }
    }

    /// Where the session lies, which there must be: nowhere else as long as the connection stands.
    var sessionAddress: UnsafePointer<Session> { box!.address }
    mutating func mutableSessionAddress() -> UnsafeMutablePointer<Session> { box!.mutableAddress() }

    /// A copy of the session.
    var session: Session? { box?.value }

    var standing: Session.Standing? { box?.address.pointee.standing }

    var isWithMember: Bool { device != nil }

    /// The member that this is a session with.
    var device: Device? {
        guard case .member(let device) = standing else { return nil }
        return device
    }

    enum Phase: Sendable {
        case dialling
        /// Accepted; nothing was read yet.
        case awaitingFirstMessage(FrameReader)
        indirect case handshaking(Handshaking)
        case inSession
    }

    /// When something is to be done about it, if nothing else comes.
    func deadline(under limits: SessionLimits) -> UInt64 {
        switch phase {
        case .dialling: return begun + limits.dialDuration
        case .awaitingFirstMessage, .handshaking: return begun + limits.handshakeDuration
        case .inSession:
            switch ongoing.standing {
            case .joiner, .host: return ongoing.begun + limits.inviteSessionDuration
            case .member, .unproven:
                let silence = ongoing.lastHeard + limits.silenceMax
                let talk = min(ongoing.lastSent + limits.pingInterval, silence)
                return min(talk, ongoing.wantDeadline ?? .max)
            }
        }
    }

    struct Handshaking: Sendable {
        let credential: Credential
        var handshake: any Handshake
        var reader: FrameReader
    }

    /// Among handshakes that others began: those go first that have shown no key, and of them the oldest.
    var rank: (Int, UInt64) {
        guard case .awaitingFirstMessage = phase else { return (1, begun) }
        return (0, begun)
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

    // What is looked at in every session when something becomes durable stands together.

    /// Every place below was sent, or is known to be there.
    var cursor = 0
    /// What was here when pushing to it ended is pushed all the same: every place below.
    var pushEnd = 0
    /// Every place below it was told of, or was here when it was first told.
    var announced = 0
    /// What came from it, or what it said it holds, until it is told that this is durable here: the last places of its
    /// messages of changes, and of what in them was here before the places that those do not stand on. And the bytes of these
    /// messages.
    var owed: [Int] = []
    var owedBytes = 0
    /// The bytes of changes that it was sent and has not acknowledged.
    var unacknowledgedBytes = 0
    /// Whether changes are pushed to it as they come; else it hears that they are here, and asks for what it lacks.
    var isEager = true
    /// Whether the peer has shown what it holds, so that what it lacks can be sent.
    var hasCompared = false

    let role: HandshakeRole
    /// The peer's X25519 key.
    let peerKey: Bytes32
    let begun: UInt64
    var standing: Standing
    var channel: SecureChannel

    /// Which run of the peer's node this is with, as its hello says; nil before that.
    var incarnation: Bytes16?
    /// Whether people were told of it.
    var wasShown = false

    var lastHeard: UInt64
    var lastSent: UInt64
    var lastRekey: UInt64

    /// What the peer is known to hold, and of that what it said is durable there.
    var knowledge = PeerKnowledge()
    var durable = PeerKnowledge()
    /// What its locators said of replicas that have forked.
    var located: [ReplicaID: [Int]] = [:]
    /// The first place that the peer was not told of by a frontier; nil before one was sent.
    var frontierEnd: Int?
    /// How often what it sent had no past here.
    var gaps = 0
    /// The last place and the bytes of every message of changes that it has not acknowledged.
    var unacknowledged: [(place: Int, bytes: Int)] = []
    /// How many messages of changes in a row held nothing new here.
    var repetitions = 0
    /// Changes that it said it holds and that are not here yet, and when to ask for them.
    var missing: [Bytes32] = []
    var wantDeadline: UInt64?
    /// Changes taken while it was unproven.
    var unprovenChanges = 0
    var unprovenBytes = 0

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

    /// Brings what is known of the peer in line with what was derived anew, and goes back to what it was passed over with.
    mutating func relearn(in log: TripLog, keptAgain: Set<Int>) {
        knowledge.relearn(in: log, keptAgain: keptAgain)
        durable.relearn(in: log, keptAgain: keptAgain)
        guard let first = keptAgain.min() else { return }
        cursor = min(cursor, first)
        announced = min(announced, first)
    }

    var isWithMember: Bool { device != nil }

    /// Whether it is for one question and its answer.
    var isUnderInvite: Bool {
        switch standing {
        case .joiner, .host: true
        case .member, .unproven: false
        }
    }

    var device: Device? {
        guard case .member(let device) = standing else { return nil }
        return device
    }
}
