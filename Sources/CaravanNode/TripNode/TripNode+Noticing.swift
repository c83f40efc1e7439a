import ChangeLog
import SyncEngine
import TripService

// What the protocol notices, told to people.
extension TripNode {
    func noticed(_ notice: Notice) {
        switch notice {
        case .met(let device, let address):
            if let address { remember(address, of: device) }
            awaitLost(from: device)
            tellWatchers(.here(name: reader.metName(of: device)))
        case .parted(let device):
            rememberPeers()
            tellWatchers(.gone(name: reader.metName(of: device)))
        case .moved(let device, let address): remember(address, of: device, isTold: true)
        case .acknowledged: tellWatchers(.spread)
        case .writing: tellWatchers(.writing)
        case .admitted: wasAdmitted()
        case .askedThroughMailbox: admission.askedThroughMailbox()
        case .joinRefused(let refusal):
            admission.isRefused = true
            admission.end(.failure(ServiceError(describing: refusal)))
        case .forked(let device):
            let isHere = device.replica == reader.own.replica
            tellWatchers(.inTwoPlaces(name: reader.name(of: device), isHere: isHere))
        case .misbehaved(.refusedChange(.chainFull), let device): tellWatchers(.full(name: reader.metName(of: device)))
        case .misbehaved(.refusedChange, let device): tellWatchers(.refused(name: reader.metName(of: device)))
        case .misbehaved(_, let device): tellWatchers(.misbehaved(name: reader.metName(of: device)))
        case .removed: followMembership()
        case .reached(let bound): tellWatchers(.limit(TripEvent.Limit(bound)))
        }
    }
}

extension TripEvent.Limit {
    init(_ bound: Bound) {
        switch bound {
        case .handshakes: self = .handshakes
        case .sessions: self = .sessions
        case .unprovenSessions: self = .unprovenSessions
        case .inviteSessions: self = .inviteSessions
        case .unprovenChanges: self = .unprovenChanges
        case .pairLookups: self = .pairLookups
        case .instances: self = .instances
        case .mailboxBlocks: self = .mailboxBlocks
        case .mailboxRoom: self = .mailboxRoom
        }
    }
}
