import ChangeLog
import DeltaCRDT
import Sodium
import SyncEngine
import TripModel
import TripRules

/// Somebody with a log, and no node.
struct LogWriter {
    let secrets: DeviceSecrets
    var log: TripLog
    let cryptography: SodiumCryptography
    private var clock: Int64 = 0

    init(_ secrets: DeviceSecrets, _ log: TripLog, _ cryptography: SodiumCryptography) {
        (self.secrets, self.log, self.cryptography) = (secrets, log, cryptography)
    }

    /// Founds a trip.
    init(founding name: String) throws {
        cryptography = try SodiumCryptography()
        var entropy = SystemRandomNumberGenerator()
        secrets = DeviceSecrets(
            signingSeed: .random(using: &entropy), agreementSecret: .random(using: &entropy), firstOf: .founder,
            using: cryptography)
        let epoch = Epoch(secret: .random(using: &entropy), using: cryptography)
        log = try TripLog.found(by: secrets, name: name, epoch: epoch.id, wallTime: 0, cryptography: cryptography)
    }

    var person: Bytes32 { secrets.device.participant }
    var id: ParticipantID { ParticipantID(person) }
    /// What their node would know, if they had one.
    var node: SyncNode { SyncNode(log: log, secrets: secrets, epochSecrets: [], cryptography: cryptography) }

    /// - Returns: the record.
    @discardableResult
    mutating func write(_ statement: Statement? = nil, _ action: TripAction? = nil) throws -> [UInt8] {
        var replica = TripReplica()
        for index in log.graph.changes.indices where log.isShown(index) { replica.apply(log.applied(index)) }
        return try write(statement, content: try action.map { try replica.perform($0, by: id) } ?? [])
    }

    @discardableResult
    mutating func write(_ statement: Statement? = nil, content: [UInt8]) throws -> [UInt8] {
        clock += 1
        let subjects = TripContent(content).subjectHashes
        return try log.write(statement, content: content, about: subjects, wallTime: clock, as: secrets).change.record
    }

    /// - Returns: the record.
    @discardableResult
    mutating func write(adding title: String) throws -> [UInt8] {
        try write(content: try TripReplica().perform(.add([ItemDraft(title: title)], to: nil), by: id))
    }

    @discardableResult
    mutating func remove(_ other: LogWriter) throws -> [UInt8] {
        try write(.remove(participant: other.person, grant: nil), content: [])
    }

    /// Opens an invite, and admits somebody by it.
    mutating func admit(_ name: String = "Puppet") throws -> (newcomer: LogWriter, records: [[UInt8]]) {
        let (statements, newcomer) = Self.admission(of: name, by: secrets.device, log, cryptography)
        let records = try statements.map { try write($0, content: []) }
        return (LogWriter(newcomer, log, cryptography), records)
    }

    /// What somebody says who admits a new person.
    static func admission(
        of name: String = "Puppet", by host: Device, _ log: TripLog, _ cryptography: SodiumCryptography
    ) -> (statements: [Statement], newcomer: DeviceSecrets) {
        var entropy = SystemRandomNumberGenerator()
        let invite = Invite(seed: .random(using: &entropy), uses: 1, expires: nil)
        let id = invite.id(openedBy: host, using: cryptography)
        let newcomer = DeviceSecrets(
            signingSeed: .random(using: &entropy), agreementSecret: .random(using: &entropy), firstOf: .invited(id),
            using: cryptography)
        return ([.invite(invite), .admit(admission(of: newcomer, name, by: id, log, cryptography))], newcomer)
    }

    /// Admits a guest.
    mutating func admitGuest(_ name: String) throws -> DeviceSecrets {
        var entropy = SystemRandomNumberGenerator()
        let guest = DeviceSecrets(guestOf: person, seed: .random(using: &entropy), using: cryptography)
        try write(.admit(Self.admission(of: guest, name, by: nil, log, cryptography)), content: [])
        return guest
    }

    private static func admission(
        of secrets: DeviceSecrets, _ name: String, by invite: Bytes32?, _ log: TripLog,
        _ cryptography: SodiumCryptography
    ) -> Admission {
        let message = Admission.consentMessage(trip: log.trip, device: secrets.device, name: name)
        return Admission(
            device: secrets.device, name: name, invite: invite,
            consent: cryptography.sign(message, seed: secrets.signingSeed), grant: nil)
    }
}
