import ChangeLog
import Convergence
import DeltaCRDT
import SyncEngine

/// A trip of some people: the first has founded it and let all the others in.
func foundTrip(
    of count: Int, using generator: inout SeededGenerator, _ cryptography: some SessionCryptography
) throws -> (log: TripLog, people: [DeviceSecrets]) {
    var people: [DeviceSecrets] = []
    for _ in 0..<count {
        people.append(
            DeviceSecrets(
                signingSeed: .random(using: &generator), agreementSecret: .random(using: &generator),
                using: cryptography))
    }
    var log = try TripLog.found(
        by: people[0], name: "Jie", epochSecret: .random(using: &generator), wallTime: 0,
        cryptography: cryptography, contents: AnyContent())
    for person in people.dropFirst() {
        let admission = Admission(device: person.device, name: "Noah", invite: nil, sealedSecrets: [])
        _ = try log.author(.membership(.admit(admission)), wallTime: 0, as: people[0])
    }
    return (log, people)
}
