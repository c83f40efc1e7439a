/// Whether a participant is going to an item: no vote. The raw value is its byte in payloads and never changes.
package enum Attendance: UInt8, CaseIterable, Codable, Hashable, Sendable {
    case going = 1
    case maybe = 2
    case notGoing = 3

    /// The answer's name, as in JSON.
    package var name: String {
        switch self {
        case .going: "going"
        case .maybe: "maybe"
        case .notGoing: "not-going"
        }
    }

    /// The answer before the names of those who gave it: "not going: Mia".
    package var label: String { self == .notGoing ? "not going" : name }

    /// What somebody says of an item: "Mia might go to “Boat”".
    package var words: String {
        switch self {
        case .going: "is going to"
        case .maybe: "might go to"
        case .notGoing: "is not going to"
        }
    }
}
