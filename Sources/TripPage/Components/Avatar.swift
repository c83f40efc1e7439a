package import TripModel

extension TripPage {
    /// Somebody's face: their initials on a colour that is theirs on every device of the trip.
    ///
    /// Nothing is said by colour alone: who is away has a dashed edge, who has not voted an empty face, a vote a sign.
    ///
    /// - Parameters:
    ///   - name: as the trip shows it (`TripView.displayName(of:)`).
    ///   - badge: how they voted.
    ///   - isDecoration: whether the name stands beside it, so that screen readers need not hear it twice.
    package static func avatar(
        _ participant: ParticipantID, name: String, badge: Vote? = nil, isHere: Bool = true, isYou: Bool = false,
        hasVoted: Bool = true, isDecoration: Bool = false
    ) -> HTML {
        var classes = ["avatar", "hue-\(hue(of: participant))"]
        if !isHere { classes.append("away") }
        if isYou { classes.append("you") }
        if !hasVoted { classes.append("waiting") }
        let label = avatarLabel(name: name, badge: badge, isHere: isHere, isYou: isYou, hasVoted: hasVoted)
        return tag(
            .span, .plain(.class, classes.joined(separator: " ")),
            isDecoration ? .aria(.hidden, "true") : .plain(.role, "img"),
            isDecoration ? nil : .aria(.label, label), isDecoration ? nil : .plain(.title, label)
        ) {
            // An image's content is not read, nor that of what is hidden.
            tag(.span, .class("initials")) { initials(of: name) }
            if let badge {
                tag(.span, .class("badge", badge.name)) { badge.sign }
            }
        }
    }

    private static func avatarLabel(
        name: String, badge: Vote?, isHere: Bool, isYou: Bool, hasVoted: Bool
    ) -> String {
        var facts = [isYou ? "\(name) (you)" : name]
        if let badge { facts.append(badge == .ifNeedBe ? "OK if need be" : "voted \(badge.name)") }
        if !hasVoted { facts.append("hasn’t voted") }
        if !isHere { facts.append("away") }
        return facts.joined(separator: ", ")
    }

    /// The number of colours that faces have; `tokens.css` defines as many `hue-` classes.
    package static let hueCount: UInt64 = 12

    /// The same on every device. Of an id's 128 bits each is as random as the next, for it is made of a key's hash.
    static func hue(of participant: ParticipantID) -> Int { Int((participant.high ^ participant.low) % hueCount) }

    /// One or two letters: "AL" of "Anna Maria Lopes", "Mi" of "Mia", "J2" of a second "Jie (2)", "小" of "小明".
    static func initials(of name: String) -> String {
        let words = name.displayed().split(separator: " ")
        guard let first = words.first, let letter = first.first else { return "?" }
        if let last = words.dropFirst().last {
            if last.hasPrefix("("), let digit = last.dropFirst().first {
                // "(2)" tells two of one name apart; "(out)" is no part of a name.
                return digit.isNumber
                    ? letter.uppercased() + String(digit) : initials(of: words.dropLast().joined(separator: " "))
            }
            if let second = last.first, second.isLetter { return letter.uppercased() + second.uppercased() }
        }
        // Two letters tell Mia from Max; scripts with no capitals say as much in one.
        guard letter.isCased, let second = first.dropFirst().first, second.isLetter else { return letter.uppercased() }
        return letter.uppercased() + second.lowercased()
    }
}
