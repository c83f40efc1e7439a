/// Names that tell everybody apart, given in the order in which people first acted.
enum DisplayNames {
    /// What someone is called who has not said their name.
    static let unnamed = "someone"

    /// A participant whose name is the first of its kind keeps it; the next is "Jie (2)". Upper and lower case of A to Z
    /// make no difference, for people would not hear one. Complexity: O(n) names, O(n²) where all are equal.
    static func assign(_ firsts: [ParticipantID: Stamp], names: [ParticipantID: String]) -> [ParticipantView] {
        var taken: Set<Text> = []
        var next: [Text: Int] = [:]
        let ordered = firsts.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
        return ordered.map { id, _ in
            let name = names[id]
            let wanted = name ?? unnamed
            let folded = Text(wanted.foldedASCII)
            var shown = wanted
            var number = next[folded] ?? 1
            while !taken.insert(Text(shown.foldedASCII)).inserted {
                number += 1
                shown = "\(wanted) (\(number))"
            }
            next[folded] = number
            return ParticipantView(id: id, name: name, displayName: shown)
        }
    }
}
