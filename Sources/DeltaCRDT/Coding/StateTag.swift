/// The first byte of an encoded state: the version of the format in the upper half, the type in the lower.
///
/// A number once given is never given again.
@usableFromInline
enum StateTag: UInt8, CaseIterable {
    case causal = 0
    case gCounter = 1
    case pnCounter = 2
    case gSet = 3
    case addWinsSet = 4
    case removeWinsSet = 5
    case enableWinsFlag = 6
    case disableWinsFlag = 7
    case lwwRegister = 8
    case mvRegister = 9
    case lwwMap = 10
    case orMap = 11
    case voteCounter = 12
    case record = 13
    case causalCounter = 14
    /// Which of them, the next byte tells.
    case sequence = 15

    static var version: UInt8 { 1 }

    var byte: UInt8 { Self.version << 4 | rawValue }
}
