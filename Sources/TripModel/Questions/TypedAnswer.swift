/// An answer as people type it: options by their beginnings, points as "OPTION=POINTS".
package struct TypedAnswer: Hashable, Sendable {
    private let options: [String]
    private let ifNeedBe: [String]

    package init(options: [String], ifNeedBe: [String] = []) {
        self.options = options
        self.ifNeedBe = ifNeedBe
    }

    /// - Throws: a line that says what is wrong, where an option is none of the question's or a number is missing.
    package func answer(to question: Question, of item: ItemView) throws(TripError) -> Answer {
        guard ifNeedBe.isEmpty || question.method == .dates else {
            throw TripError(.malformedValue, "only dates take --if-need-be; \(question.instruction)")
        }
        let known = Self.options(of: item)
        var choices: [Answer.Choice] = []
        for (place, typed) in options.enumerated() {
            switch question.method {
            case .one, .several, .dates: choices.append(.init(try Self.option(typed, of: question, known)))
            case .ranked: choices.append(.init(try Self.option(typed, of: question, known), place + 1))
            case .points:
                let (name, points) = try Self.points(typed)
                choices.append(.init(try Self.option(name, of: question, known), points))
            }
        }
        for typed in ifNeedBe {
            choices.append(.init(try Self.option(typed, of: question, known), Answer.ifNeedBe))
        }
        guard let answer = Answer(choices) else {
            throw TripError(.malformedValue, "an option is given twice; give each once")
        }
        return answer
    }

    private static func options(of item: ItemView) -> [String] {
        let named = item.sayings.answers.flatMap { ($0.word.counted?.choices ?? []).map(\.option) }
        return Set((item.sayings.options + named).map { Text($0) }).sorted().map(\.string)
    }

    private static func points(_ typed: String) throws(TripError) -> (option: String, points: Int) {
        let parts = typed.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count > 1, let points = Int(parts[parts.count - 1]), (1...Limits.pointsMax).contains(points) else {
            throw TripError(.malformedValue, "\(typed.quoted) gives no points; write OPTION=POINTS, like Lisbon=3")
        }
        return (parts.dropLast().joined(separator: "="), points)
    }

    private static func option(
        _ typed: String, of question: Question, _ known: [String]
    ) throws(TripError) -> String {
        let name = (try? question.checkedOption(typed)) ?? TextClasses.trimmed(typed)
        let wanted = name.foldedASCII
        let tests: [(String) -> Bool] = [
            { Text($0) == Text(name) }, { $0.foldedASCII == wanted }, { $0.foldedASCII.hasPrefix(wanted) },
            // Dates are shown in words.
            { question.words(of: $0).foldedASCII.hasPrefix(TextClasses.trimmed(typed).foldedASCII) },
        ]
        let found = tests.lazy.map { test in known.filter(test) }.first { !$0.isEmpty } ?? []
        if found.count == 1 { return found[0] }
        guard found.isEmpty else {
            let names = found.prefix(4).map { question.words(of: $0).quoted }.joined(separator: " or ")
            throw TripError(.ambiguousItem, "\(typed.quoted) could be \(names); write more of it")
        }
        let options = known.prefix(8).map { question.words(of: $0).quoted }.joined(separator: ", ")
        throw TripError(
            .unknownItem,
            "there is no option \(typed.quoted); "
                + (known.isEmpty ? "add it with `caravan options`" : "the options are \(options)"))
    }
}
