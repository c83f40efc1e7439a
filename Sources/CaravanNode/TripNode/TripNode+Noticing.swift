import ChangeLog
import SyncEngine
import TripService

// What the protocol notices, told to people.
extension TripNode {
    func noticed(_ notice: Notice) {
        switch notice {
        case .met(let device, let address):
            if let address { remember(address, of: device) }
            tellWatchers(.here(name: shownName(of: device)))
        case .parted(let device):
            rememberPeers()
            tellWatchers(.gone(name: shownName(of: device)))
        case .acknowledged: tellWatchers(.spread)
        case .admitted: wasAdmitted()
        case .joinRefused(let refusal): admission.end(.failure(ServiceError(describing: refusal)))
        case .forked(let device): tellWatchers(.inTwoPlaces(name: name(of: device)))
        case .refused(.logFull, let device): tellWatchers(.full(name: device.map { name(of: $0) } ?? "somebody"))
        case .refused(_, let device): tellWatchers(.refused(name: device.map { name(of: $0) } ?? "somebody"))
        case .removed: followMembership()
        case .reached(let bound): tellWatchers(.limit(TripEvent.Limit(bound)))
        }
    }

    /// A copy of this device bears its name.
    private func shownName(of device: Device) -> String {
        device == node.secrets.device ? "a copy of this device" : name(of: device)
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
        }
    }
}
