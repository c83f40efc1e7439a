package import ChangeLog
package import DeltaCRDT

// People with a browser alone: the node of whoever let them in keeps their secrets, and writes what they do in logs of
// their own, on top of all that is held here.
extension SyncNode {
    /// The devices of the guests whose secrets are here, in the order of their logs' names, those who are out included.
    package var guestDevices: [Device] { local.guests.values.map(\.device).sorted { $0.replica < $1.replica } }

    /// Whether what a log says is written here: it is this device's own, or a guest's.
    package func writes(_ replica: ReplicaID) -> Bool { local.credentials(of: replica) != nil }

    /// Writes the admission of a guest, who may write once it is in the log.
    mutating func admit(_ guest: DeviceSecrets, name: String, ticket: UInt64) {
        let message = Admission.consentMessage(trip: log.trip, device: guest.device, name: name)
        // Nothing is sealed to somebody for whom this node reads.
        let admission = Admission(
            device: guest.device, name: name, invite: nil,
            consent: cryptography.sign(message, seed: guest.signingSeed), grant: nil)
        if write(.admit(admission), ticket: ticket) { local.add(guest: guest) }
    }
}
