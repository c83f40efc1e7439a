/// A place where a group meets, with the network that one finds there and what goes wrong.
package enum Profile: String, CaseIterable, Sendable {
    /// A hostel's network: quick, seldom cut.
    case lan
    /// A camper van: one hotspot, phones that sleep, come and go, and restart.
    case van
    /// A field with too many people: narrow, slow and clogged, names that are missed or come late.
    case festival
    /// Everything that can break does, and some members mean ill.
    case hostile
    /// A van whose people did not update on the same day.
    case mixed
    /// Homes that meet nowhere but in a mailbox, and are seldom up together.
    case apart

    /// What goes wrong unless told otherwise.
    package var faults: Set<TripFault> {
        switch self {
        case .lan: [.reset, .join, .leave, .crash, .clockDrift]
        case .van:
            [
                .stall, .reset, .partition, .move, .leave, .join, .crash, .tornWrite, .lateCrash, .clockJump,
                .clockDrift, .fullDisk, .backup, .lateName, .carriedFile,
            ]
        case .festival:
            [
                .stall, .reset, .clog, .throttle, .partition, .oneWay, .move, .leave, .join, .crash, .clockDrift,
                .lateName, .missedName, .falseAddress, .nameFlood, .repeatedName, .carriedFile,
            ]
        case .hostile: Set(TripFault.allCases.filter { !$0.isOfMailbox }).subtracting([.update])
        case .apart:
            Set(TripFault.allCases.filter(\.isOfMailbox)).union([
                .leave, .crash, .tornWrite, .lateCrash, .fullDisk, .clockDrift, .removal,
            ])
        case .mixed: Profile.van.faults.union([.update, .copiedHome])
        }
    }
}
