/// What the door's code says beside its address: 50 random bits as ten letters and digits that people can type.
///
/// It serves every phone while the door is open, so it is shorter than a token. 1,000 guesses a second would need 17,000 years
/// to try half of them.
struct GuestCode: SecretText {
    let text: String

    /// Lower case, without those that look like others. 32, so each stands for five bits.
    private static let letters = Array("abcdefghijkmnpqrstuvwxyz23456789".utf8)
    private static let length = 10

    init() {
        var generator = SystemRandomNumberGenerator()
        text = String(
            decoding: (0..<Self.length).map { _ in Self.letters[Int(generator.next() & 31 as UInt64)] }, as: UTF8.self)
    }

    /// Reads what somebody sent, case-insensitive; nil for what cannot be one.
    init?(_ text: String) {
        guard text.utf8.count == Self.length else { return nil }
        let lower = text.lowercased()
        guard lower.utf8.allSatisfy(Self.letters.contains) else { return nil }
        self.text = lower
    }
}
