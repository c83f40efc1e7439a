/// What one person answers to a question: options, each with a number. Without options: none of them.
///
/// An option is its text. So nobody changes what others have chosen: another text is another option.
package struct Answer: Codable, Hashable, Sendable {
    package struct Choice: Codable, Hashable, Sendable {
        let text: Text
        /// From 1 to `Limits.pointsMax`: a rank, where 1 is the first; points; 1 for an option that is chosen; `ifNeedBe` for
        /// a day that would do.
        package let number: Int

        package init(_ option: String, _ number: Int = 1) {
            text = Text(option)
            self.number = number
        }

        package var option: String { text.string }
    }

    /// The number of a day that is OK if need be.
    package static let ifNeedBe = 2

    /// Each option once, in the order of their bytes.
    package let choices: [Choice]

    /// Nil where an option is named twice, there are more than `Limits.optionsMax`, or a number is out of bounds.
    package init?(_ choices: [Choice]) {
        guard choices.count <= Limits.optionsMax, Set(choices.map(\.text)).count == choices.count,
            choices.allSatisfy({ (1...Limits.pointsMax).contains($0.number) })
        else { return nil }
        self.choices = choices.sorted { $0.text < $1.text }
    }

    /// The number of an option; nil where it is not among them.
    package subscript(option: String) -> Int? { choices.first { $0.text == Text(option) }?.number }

    /// The options in the order of their numbers, and of their bytes.
    package var byNumber: [Choice] { choices.sorted { ($0.number, $0.text) < ($1.number, $1.text) } }
}

/// An answer as it is shown: what counts, and what came too late.
package struct GivenAnswer: Codable, Hashable, Sendable {
    /// The last that did not know of the closing; nil where there is none, or it was taken back.
    package let counted: Answer?
    /// What its author said when they knew that the question is closed; nil where they said nothing more.
    package let late: Answer?
    /// Of an answer to a hidden question that is not shown; nil for all others.
    package let seal: Seal?
    /// What a sealed answer says, where it is by one of the people here.
    package let known: Answer?

    package enum Seal: UInt8, Codable, Hashable, Sendable {
        /// It counts, and is not revealed yet.
        case whole = 1
        /// The closing did not know of it, so it does not count, and nobody reveals it.
        case late = 2
    }

    /// What they said too late, if that differs from what counts.
    package var lateChange: Answer? { late == counted ? nil : late }

    package init(counted: Answer?, late: Answer? = nil, seal: Seal? = nil, known: Answer? = nil) {
        self.counted = counted
        self.late = late
        self.seal = seal
        self.known = known
    }
}
