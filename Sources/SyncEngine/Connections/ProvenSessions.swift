import Attachments
import ChangeLog
import DeltaCRDT

// Sessions by what the peer has proven. Only `Session.Standing.heard` makes such values, so a handler that takes one of them can't be
// called with a message of a peer that has proven less.

/// The peer is a member's device.
struct MemberSession: Hashable, Sendable {
    let id: ConnectionID
    let device: Device

    fileprivate init(id: ConnectionID, device: Device) { (self.id, self.device) = (id, device) }
}

/// The peer has the epoch's secret, and its admission is not here.
struct UnprovenSession: Hashable, Sendable {
    let id: ConnectionID

    fileprivate init(id: ConnectionID) { self.id = id }
}

/// The peer is the device of a person who is out, or waits.
struct OutsiderSession: Hashable, Sendable {
    let id: ConnectionID

    fileprivate init(id: ConnectionID) { self.id = id }
}

/// The peer has an invite.
struct JoinerSession: Hashable, Sendable {
    let id: ConnectionID
    let invite: Bytes32

    fileprivate init(id: ConnectionID, invite: Bytes32) { (self.id, self.invite) = (id, invite) }
}

/// The peer answers under the invite that this node has.
struct SponsorSession: Hashable, Sendable {
    let id: ConnectionID

    fileprivate init(id: ConnectionID) { self.id = id }
}

/// This node dialed the peer under an epoch's secret, and hides from it (`Session.Standing.stranger`).
struct StrangerSession: Hashable, Sendable {
    let id: ConnectionID

    fileprivate init(id: ConnectionID) { self.id = id }
}

/// A session in which both sides compare what they hold.
enum ComparingSession: Hashable, Sendable {
    case member(MemberSession)
    case unproven(UnprovenSession)
    case outsider(OutsiderSession)

    var id: ConnectionID {
        switch self {
        case .member(let session): session.id
        case .unproven(let session): session.id
        case .outsider(let session): session.id
        }
    }
}

/// A session whose peer may hand over changes.
enum ContributingSession: Hashable, Sendable {
    case member(MemberSession)
    case unproven(UnprovenSession)

    var id: ConnectionID {
        switch self {
        case .member(let session): session.id
        case .unproven(let session): session.id
        }
    }

    var device: Device? {
        guard case .member(let session) = self else { return nil }
        return session.device
    }
}

/// A message with what its sender has proven.
enum HeardMessage: Sendable {
    /// Any peer may send these at any time.
    case ping
    case rekey
    case end
    /// The first message of a session in which logs are compared.
    case hello(digest: Bytes32, incarnation: Bytes16, ComparingSession)
    case comparison(Comparison, ComparingSession)
    case contribution(Contribution, ContributingSession)
    case ownAdmission([[UInt8]], StrangerSession)
    case request(Request, MemberSession)
    case joinRequest(JoinRequest, JoinerSession)
    case joinAnswer(JoinAnswer, SponsorSession)
    /// It has no effect: a newer version's, or one for which the peer has not proven enough, or no longer.
    case ignored
    /// The sender may not send it, or not now. It ends the session.
    case misbehaviour

    /// What each side says of what it holds.
    enum Comparison: Hashable, Sendable {
        case frontier(Frontier)
        case have([Bytes32])
        case locator(ReplicaID, [Bytes32])
        case lazy
        case want
    }

    /// What a peer gives.
    enum Contribution: Hashable, Sendable {
        case changes([[UInt8]])
        case blob(BlobMessage)
        case introduction(Introduction)
    }

    /// What only a member may ask for or say.
    enum Request: Hashable, Sendable {
        case epoch(Bytes16)
        case bodies([Bytes32])
        case bodiesAbsent(AbsentBodies)
        case writers([PresenceEntry])
    }
}

extension Session.Standing {
    /// What a message means from a peer of this standing.
    /// - Parameter isGreeted: whether the peer's hello came before.
    func heard(_ message: Message, isGreeted: Bool, on id: ConnectionID) -> HeardMessage {
        switch message {
        case .unknown: return .ignored
        case .ping: return .ping
        case .rekey: return .rekey
        case .end: return .end
        case .joinRequest(let request):
            guard case .joiner(let invite) = self else { return .misbehaviour }
            return .joinRequest(request, JoinerSession(id: id, invite: invite))
        case .joinAnswer(let answer):
            guard case .sponsor = self else { return .misbehaviour }
            return .joinAnswer(answer, SponsorSession(id: id))
        case .hello(let digest, let incarnation):
            guard !isGreeted, let session = comparing(on: id) else { return .misbehaviour }
            return .hello(digest: digest, incarnation: incarnation, session)
        case .frontier(let frontier): return comparison(.frontier(frontier), isGreeted: isGreeted, on: id)
        case .have(let hashes): return comparison(.have(hashes), isGreeted: isGreeted, on: id)
        case .locator(let replica, let hashes):
            return comparison(.locator(replica, hashes), isGreeted: isGreeted, on: id)
        case .lazy: return comparison(.lazy, isGreeted: isGreeted, on: id)
        case .want: return comparison(.want, isGreeted: isGreeted, on: id)
        case .changes(let records): return contribution(.changes(records), isGreeted: isGreeted, on: id)
        case .blob(let message): return contribution(.blob(message), isGreeted: isGreeted, on: id)
        case .introduction(let introduction):
            return contribution(.introduction(introduction), isGreeted: isGreeted, on: id)
        case .epochWanted(let epoch): return request(.epoch(epoch), isGreeted: isGreeted, on: id)
        case .bodiesWanted(let hashes): return request(.bodies(hashes), isGreeted: isGreeted, on: id)
        case .bodiesAbsent(let absent): return request(.bodiesAbsent(absent), isGreeted: isGreeted, on: id)
        case .writers(let writers): return request(.writers(writers), isGreeted: isGreeted, on: id)
        }
    }

    /// Nil for a session under an invite's key, which is for one question and its answer.
    private func comparing(on id: ConnectionID) -> ComparingSession? {
        switch self {
        case .member(let device): .member(MemberSession(id: id, device: device))
        case .unproven: .unproven(UnprovenSession(id: id))
        case .outside, .stranger: .outsider(OutsiderSession(id: id))
        case .joiner, .sponsor: nil
        }
    }

    private func comparison(
        _ message: HeardMessage.Comparison, isGreeted: Bool, on id: ConnectionID
    ) -> HeardMessage {
        guard isGreeted, let session = comparing(on: id) else { return .misbehaviour }
        return .comparison(message, session)
    }

    private func contribution(
        _ message: HeardMessage.Contribution, isGreeted: Bool, on id: ConnectionID
    ) -> HeardMessage {
        guard isGreeted, let session = comparing(on: id) else { return .misbehaviour }
        switch session {
        case .member(let session): return .contribution(message, .member(session))
        case .unproven(let session): return .contribution(message, .unproven(session))
        case .outsider:
            // What a person goes on to do who is out is not taken.
            guard case .stranger = self, case .changes(let records) = message else { return .ignored }
            return .ownAdmission(records, StrangerSession(id: id))
        }
    }

    private func request(_ message: HeardMessage.Request, isGreeted: Bool, on id: ConnectionID) -> HeardMessage {
        guard isGreeted, let session = comparing(on: id) else { return .misbehaviour }
        switch session {
        case .member(let session): return .request(message, session)
        case .unproven, .outsider: return .ignored
        }
    }
}
