/// A handshake pattern (Noise revision 34, section 7): who sends which keys and mixes which secrets, message by message.
struct HandshakePattern: Hashable, Sendable {
    enum Token: String, Sendable {
        case e, s, ee, es, se, ss, psk
    }

    /// The initiator's static key is known to the responder beforehand.
    private(set) var knowsInitiator = false
    /// The responder's static key is known to the initiator beforehand.
    private(set) var knowsResponder = false
    /// The tokens of each message. The initiator sends the first; they take turns.
    private(set) var messages: [[Token]] = []

    /// True if preshared keys are mixed in, which makes every `e` be mixed into the key too (section 9.2).
    var usesPresharedKeys: Bool { messages.contains { $0.contains(.psk) } }

    /// Reads a pattern's name: one of sections 7.4, 7.5 or 18.1, with modifiers `psk0+psk2…` (section 9.4) after it.
    init?(name: some StringProtocol) {
        let base = name.prefix { "NKXI1".contains($0) }
        guard let definition = Self.definition(of: String(base)) else { return nil }
        self.init(definition: definition)
        let modifiers = name.dropFirst(base.count)
        if !modifiers.isEmpty {
            guard apply(modifiers: modifiers) else { return nil }
        }
    }

    /// Reads a definition in the notation of section 7, such as `<- s ... -> e, es <- e, ee`, where `...` ends what is
    /// known beforehand. Nil for anything else.
    init?(definition: some StringProtocol) {
        var isBefore = definition.contains("...")
        var lines: [(isInitiators: Bool, tokens: [Token])] = []
        for word in definition.split(separator: " ") {
            switch word {
            case "->", "<-":
                lines.append((word == "->", []))
            case "...":
                guard isBefore, acceptBeforehand(lines) else { return nil }
                isBefore = false
                lines = []
            default:
                guard !lines.isEmpty, let token = Token(rawValue: String(word.last == "," ? word.dropLast() : word))
                else { return nil }
                lines[lines.count - 1].tokens.append(token)
            }
        }
        for (index, line) in lines.enumerated() {
            guard line.isInitiators == index.isMultiple(of: 2), !line.tokens.isEmpty else { return nil }
        }
        guard !lines.isEmpty else { return nil }
        messages = lines.map(\.tokens)
    }

    /// Of the keys that may be known beforehand only the static ones are: no pattern here needs others.
    private mutating func acceptBeforehand(_ lines: [(isInitiators: Bool, tokens: [Token])]) -> Bool {
        for line in lines {
            guard line.tokens == [.s] else { return false }
            if line.isInitiators { knowsInitiator = true } else { knowsResponder = true }
        }
        return true
    }

    /// `psk0` stands before the first message's tokens, `pskN` after the Nth's; none may come twice.
    private mutating func apply(modifiers: some StringProtocol) -> Bool {
        var places: Set<Int> = []
        for modifier in modifiers.split(separator: "+", omittingEmptySubsequences: false) {
            guard modifier.utf8.count == 4, modifier.hasPrefix("psk"), let place = modifier.last?.wholeNumberValue,
                place <= messages.count, places.insert(place).inserted
            else { return false }
            if place == 0 { messages[0].insert(.psk, at: 0) } else { messages[place - 1].append(.psk) }
        }
        return true
    }
}
