package import ChangeLog
package import DeltaCRDT

// People with a browser alone: the node of whoever let them in keeps their secrets, and writes what they do in logs of
// their own, on top of all that is held here.
extension SyncNode {
    /// The devices of the guests whose secrets are here, in the order of their logs' names, those who are out included.
    package var guestDevices: [Device] { guests.values.map(\.device).sorted { $0.replica < $1.replica } }

    /// Whether what a log says is written here: it is this device's own, or a guest's.
    package func writes(_ replica: ReplicaID) -> Bool { replica == secrets.device.replica || guests[replica] != nil }

    /// Writes the admission of a guest, who may write once it is in the log.
    mutating func admit(_ guest: DeviceSecrets, name: String, ticket: UInt64) {
        // Nothing is sealed to somebody for whom this node reads.
        let admission = Admission(device: guest.device, name: name, invite: nil, isGuest: true, sealedSecrets: [])
        author(.membership(.admit(admission)), ticket: ticket)
        guard log.membership.device(guest.device.replica) != nil else { return }
        guests[guest.device.replica] = guest
    }

    /// The secrets that sign in a log: the device's own for nil.
    func credentials(of replica: ReplicaID?) throws(Refusal) -> DeviceSecrets {
        guard let replica, replica != secrets.device.replica else { return secrets }
        guard let guest = guests[replica] else { throw .notAdmitted }
        return guest
    }
}
