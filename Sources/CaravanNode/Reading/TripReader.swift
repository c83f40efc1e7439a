import ChangeLog
import SyncEngine
import TripModel
import TripRules
import TripService

/// The people and devices of a trip as they are shown: what the protocol knows of them, under the names that tell everybody apart.
///
/// A snapshot, made for each question. It changes nothing, and it meets nobody.
struct TripReader {
    let node: SyncNode
    let names: DisplayNames

    /// This device.
    var own: Device { node.secrets.device }

    // MARK: - Names

    /// The name that nobody else is shown under.
    func name(of participant: Bytes32) -> String { names[ParticipantID(participant)] }

    /// The name that a person chose, although others may have it too.
    func ownName(of participant: Bytes32) -> String {
        names.ownName(of: ParticipantID(participant)) ?? TripLog.shown(nil)
    }

    /// Whose device it is.
    func name(of device: Device) -> String {
        device.participant == own.participant && device != own
            ? labelOfOwn(device) : name(of: device.participant)
    }

    /// Another device of the person here. The name of the first one is that with which the person joined, so it says nothing.
    func labelOfOwn(_ device: Device) -> String {
        node.log.isFirst(device) ? "your first device" : "your device “\(node.log.name(of: device))”"
    }

    /// Who is met. A device that was not let in knows nobody; a copy of this device bears its name.
    func metName(of device: Device?) -> String {
        guard let device else { return "somebody" }
        return device == own ? "a copy of this device" : name(of: device)
    }

    // MARK: - Removals

    /// How this device, or its person, was removed or left; nil while it is in.
    var ownRemoval: RemovalView? { node.ownDeparture.map { view(of: $0, for: own.participant) } }

    /// How a person was removed or left; nil while they are in.
    func removal(of participant: Bytes32) -> RemovalView? {
        node.log.departure(of: participant).map { view(of: $0, for: participant) }
    }

    private func view(of departure: TripLog.Departure, for participant: Bytes32) -> RemovalView {
        let reason: RemovalView.Reason =
            switch departure.reason {
            case .removed: .removed
            case .left: .left
            case .deviceEnded: .deviceEnded
            }
        return RemovalView(
            reason, by: departure.by == participant ? nil : name(of: departure.by), at: departure.wallTime,
            waiting: departure.waitsFor.map { host in
                .init(host: ownName(of: host), keeper: departure.keeper.map { name(of: $0) } ?? "somebody")
            })
    }
}

// Names as the log has them.
extension TripLog {
    /// A name as its owner typed it, before any rule of the trip applied, in the form that people are shown.
    static func shown(_ name: String?) -> String {
        name.flatMap { try? TripReplica.checkedName($0) } ?? "somebody"
    }

    /// The name with which a device joined.
    func name(of device: Device) -> String { Self.shown(admittedName(of: device)) }

    /// The name in a device's admission; nil if no admission of it counts.
    func admittedName(of device: Device) -> String? {
        guard let index = admission(of: device.replica) else { return nil }
        switch graph[index].change.statement {
        case .admit(let admission): return admission.name
        case .found(_, let name, _): return name
        case .invite, .closeInvite, .remove, .beginEpoch, .grant, .end, nil: return nil
        }
    }

    /// The invites by which one may come at a time, the earliest first.
    func openInvites(at wallTime: Int64) -> [OpenedInvite] { invites.filter { $0.isOpen(at: wallTime) } }
}
