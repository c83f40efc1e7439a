// Nobody shows, when they are let in, that they hold the key that they are to show in sessions. So others may claim it too.
extension Membership {
    /// Whether no other device that was let in shows the same key in sessions.
    func isUnclaimed(_ device: Device) -> Bool {
        replicaOfAgreementKey[device.agreementKey].map { $0 == device.replica } ?? true
    }

    /// Says whose each key is: of the devices that claim it one that is in, and of those the one that was let in first. So
    /// nobody is parted from the others by whoever claims their key and is taken out. O(admissions log admissions).
    mutating func assignAgreementKeys(_ settled: [AdmissionFact]) {
        replicaOfAgreementKey = [:]
        for fact in settled.sorted(by: { $0.stamp < $1.stamp }) {
            let device = fact.device
            guard people[device.participant]?.devices.contains(device.replica) ?? false else { continue }
            let claimant = replicaOfAgreementKey[device.agreementKey]
            guard claimant.map({ !isIn($0) && isIn(device.replica) }) ?? true else { continue }
            replicaOfAgreementKey[device.agreementKey] = device.replica
        }
    }
}
