import ChangeLog

/// Who does something here, and so in whose log it is written.
enum Author: Hashable, Sendable {
    /// This device's person.
    case own
    /// A guest whose log this device keeps.
    case guest(Device)

    var guest: Device? { if case .guest(let device) = self { device } else { nil } }
}
