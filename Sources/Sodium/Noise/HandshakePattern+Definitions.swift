extension HandshakePattern {
    /// The definition of a pattern by its name, without modifiers; nil for an unknown one.
    static func definition(of name: String) -> String? {
        oneWay(name) ?? interactive(name) ?? deferred(name)
    }

    /// Section 7.4: the initiator sends one message, and all that follow it.
    private static func oneWay(_ name: String) -> String? {
        switch name {
        case "N": "<- s ... -> e, es"
        case "K": "-> s <- s ... -> e, es, ss"
        case "X": "<- s ... -> e, es, s, ss"
        default: nil
        }
    }

    /// Section 7.5: the fundamental patterns. The first letter is the initiator's static key, the second the
    /// responder's: None, Known beforehand, Xmitted, or sent Immediately.
    private static func interactive(_ name: String) -> String? {
        switch name {
        case "NN": "-> e <- e, ee"
        case "NK": "<- s ... -> e, es <- e, ee"
        case "NX": "-> e <- e, ee, s, es"
        case "KN": "-> s ... -> e <- e, ee, se"
        case "KK": "-> s <- s ... -> e, es, ss <- e, ee, se"
        case "KX": "-> s ... -> e <- e, ee, se, s, es"
        case "XN": "-> e <- e, ee -> s, se"
        case "XK": "<- s ... -> e, es <- e, ee -> s, se"
        case "XX": "-> e <- e, ee, s, es -> s, se"
        case "IN": "-> e, s <- e, ee, se"
        case "IK": "<- s ... -> e, es, s, ss <- e, ee, se"
        case "IX": "-> e, s <- e, ee, se, s, es"
        default: nil
        }
    }

    /// Section 18.1: a 1 after a letter puts off that party's authentication to the next message.
    private static func deferred(_ name: String) -> String? {
        switch name {
        case "NK1": "<- s ... -> e <- e, ee, es"
        case "NX1": "-> e <- e, ee, s -> es"
        case "X1N": "-> e <- e, ee -> s <- se"
        case "X1K": "<- s ... -> e, es <- e, ee -> s <- se"
        case "XK1": "<- s ... -> e <- e, ee, es -> s, se"
        case "X1K1": "<- s ... -> e <- e, ee, es -> s <- se"
        case "X1X": "-> e <- e, ee, s, es -> s <- se"
        case "XX1": "-> e <- e, ee, s -> es, s, se"
        case "X1X1": "-> e <- e, ee, s -> es, s <- se"
        case "K1N": "-> s ... -> e <- e, ee -> se"
        case "K1K": "-> s <- s ... -> e, es <- e, ee -> se"
        case "KK1": "-> s <- s ... -> e <- e, ee, se, es"
        case "K1K1": "-> s <- s ... -> e <- e, ee, es -> se"
        case "K1X": "-> s ... -> e <- e, ee, s, es -> se"
        case "KX1": "-> s ... -> e <- e, ee, se, s -> es"
        case "K1X1": "-> s ... -> e <- e, ee, s -> se, es"
        case "I1N": "-> e, s <- e, ee -> se"
        case "I1K": "<- s ... -> e, es, s <- e, ee -> se"
        case "IK1": "<- s ... -> e, s <- e, ee, se, es"
        case "I1K1": "<- s ... -> e, s <- e, ee, es -> se"
        case "I1X": "-> e, s <- e, ee, s, es -> se"
        case "IX1": "-> e, s <- e, ee, se, s -> es"
        case "I1X1": "-> e, s <- e, ee, s -> se, es"
        default: nil
        }
    }
}
