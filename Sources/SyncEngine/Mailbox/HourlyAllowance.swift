import DeltaCRDT

/// What is done for each device in an hour, so that one that asks for much is no burden to the others.
struct HourlyAllowance: Sendable {
    private var used: [ReplicaID: Int] = [:]
    private var begun: UInt64 = 0

    /// Milliseconds.
    private static let hour: UInt64 = 3_600_000

    /// How much of a limit is left for a device.
    mutating func rest(of limit: Int, for replica: ReplicaID, at now: UInt64) -> Int {
        if now >= begun + Self.hour { (begun, used) = (now, [:]) }
        return max(0, limit - used[replica, default: 0])
    }

    mutating func charge(_ count: Int, to replica: ReplicaID) { used[replica, default: 0] += count }
}
