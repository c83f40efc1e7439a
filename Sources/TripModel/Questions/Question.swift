/// How a question is answered: the field `question` of an item. It is written once, by the operation that makes the item, so that
/// nobody changes the rules after others have answered.
///
/// As text: the method, perhaps a threshold, and whether it is hidden: "one", "several", "ranked", "points 10", "dates",
/// "one threshold 80", "ranked hidden".
package struct Question: Hashable, Sendable {
    package enum Method: Hashable, Sendable {
        /// One option each.
        case one
        /// As many options as people like.
        case several
        /// Options in the order in which people like them. Schulze's method counts them.
        case ranked
        /// Points, at most so many a person, shared out among options.
        case points(Int)
        /// Days or times, each with "yes" or "OK if need be".
        case dates

        /// Whether people are asked for a threshold. Who ranks an option, or gives it a point, need not agree on it.
        package var takesThreshold: Bool {
            switch self {
            case .one, .several, .dates: true
            case .ranked, .points: false
            }
        }
    }

    package let method: Method
    /// What percentage of those who are in has to be for an option; nil where nobody said.
    package let threshold: Int?
    /// Whether nobody can read an answer before the person who asked closes the question (`SealedAnswer`).
    package let isHidden: Bool

    /// Nil where the points or the threshold are out of bounds.
    package init?(_ method: Method, threshold: Int? = nil, isHidden: Bool = false) {
        if case .points(let points) = method, !(1...Limits.pointsMax).contains(points) { return nil }
        if let threshold, !(1...100).contains(threshold) { return nil }
        self.method = method
        self.threshold = threshold
        self.isHidden = isHidden
    }

    /// Reads what `text` writes, and nothing else.
    package init?(_ text: String) {
        var words = text.split(separator: " ", omittingEmptySubsequences: false)[...]
        func number(after word: String) -> Int?? {
            guard words.first.map({ $0 == word }) ?? false else { return .some(nil) }
            guard let number = words.dropFirst().first.flatMap({ Int($0) }) else { return nil }
            words = words.dropFirst(2)
            return number
        }
        guard let points = number(after: "points") else { return nil }
        var method = points.map { Method.points($0) }
        if method == nil, let word = words.popFirst() { method = Self.plain[String(word)] }
        guard let method, let threshold = number(after: "threshold") else { return nil }
        let isHidden = words.first.map { $0 == "hidden" } ?? false
        guard words.dropFirst(isHidden ? 1 : 0).isEmpty else { return nil }
        self.init(method, threshold: threshold, isHidden: isHidden)
        guard self.text.utf8.elementsEqual(text.utf8) else { return nil }
    }

    private static let plain: [String: Method] = [
        "one": .one, "several": .several, "ranked": .ranked, "dates": .dates,
    ]

    package var text: String {
        let method =
            switch method {
            case .one: "one"
            case .several: "several"
            case .ranked: "ranked"
            case .points(let points): "points \(points)"
            case .dates: "dates"
            }
        return method + (threshold.map { " threshold \($0)" } ?? "") + (isHidden ? " hidden" : "")
    }

    /// What people are asked to do: "choose one", "share out 10 points".
    package var instruction: String {
        switch method {
        case .one: "choose one"
        case .several: "choose any number"
        case .ranked: "rank the options"
        case .points(let points): "share out \(points == 1 ? "1 point" : "\(points) points")"
        case .dates: "say which days suit you"
        }
    }

    /// Whether an answer is one to such a question. What is not counts for nothing.
    package func accepts(_ answer: Answer) -> Bool {
        let numbers = answer.choices.map(\.number)
        switch method {
        case .one: return numbers.count <= 1 && numbers.allSatisfy { $0 == 1 }
        case .several: return numbers.allSatisfy { $0 == 1 }
        case .ranked: return numbers.allSatisfy { $0 <= Limits.optionsMax }
        case .points(let points): return numbers.reduce(0, +) <= points
        case .dates:
            return numbers.allSatisfy { $0 <= Answer.ifNeedBe } && answer.choices.allSatisfy { Self.isDate($0.option) }
        }
    }

    /// An option in its one form.
    /// - Throws: where it can be none of such a question.
    package func checkedOption(_ given: String) throws(TripError) -> String {
        let option = TextRule.option.normalized(given)
        guard method == .dates else {
            try TextRule.option.check(option)
            return option
        }
        guard let span = DateSpan(typed: option) else {
            throw TripError(
                .malformedValue,
                "\(given.quoted) is not a date; write 2026-06-12, 2026-06-12..15 or 2026-06-12 14:30")
        }
        return span.text
    }

    /// Whether a text can be shown among the options of such a question.
    package func allows(_ option: String) -> Bool { method != .dates || Self.isDate(option) }

    private static func isDate(_ option: String) -> Bool {
        DateSpan(option).map { $0.text.utf8.elementsEqual(option.utf8) } ?? false
    }

    /// An answer as people read it: "Lisbon, Porto", "Lisbon, then Porto", "3 for Lisbon, 2 for Porto".
    package func words(of answer: Answer, in year: Int? = nil) -> String {
        guard !answer.choices.isEmpty else { return "none of these" }
        let words = { (choices: [Answer.Choice]) in
            choices.map { self.words(of: $0.option, in: year) }.joined(separator: ", ")
        }
        switch method {
        case .one, .several: return words(answer.choices)
        case .ranked:
            let ranks = Dictionary(grouping: answer.choices, by: \.number).sorted { $0.key < $1.key }
            return ranks.map { words($0.value) }.joined(separator: ", then ")
        case .points:
            return answer.choices.sorted { $1.number < $0.number }.map { "\($0.number) for \($0.option)" }
                .joined(separator: ", ")
        case .dates:
            let (firm, others) = (
                answer.choices.filter { $0.number != Answer.ifNeedBe },
                answer.choices.filter { $0.number == Answer.ifNeedBe }
            )
            return [firm.isEmpty ? nil : words(firm), others.isEmpty ? nil : "OK if need be: \(words(others))"]
                .compactMap(\.self).joined(separator: "; ")
        }
    }

    /// An option as people read it.
    package func words(of option: String, in year: Int? = nil) -> String {
        method == .dates ? DateSpan(option)?.words(in: year) ?? option : option
    }
}
