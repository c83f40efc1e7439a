package import TripModel
import TripService

// Forms about questions.
extension PageAction {
    static func fields(_ answer: Answer?) -> [(name: String, value: String)] {
        guard let answer else { return [("withdraw", "yes")] }
        return answer.choices.flatMap { [("option", $0.option), ("number", String($0.number))] }
    }

    /// An answer of a form: each option stands before its number, which is empty or 0 where the option isn't chosen. A form
    /// without any number is no answer: `blank` names what it lacks, or says that it withdraws an earlier answer.
    static func answer(_ pairs: [(name: String, value: String)]) throws(PageFormError) -> Answer? {
        if pairs.contains(where: { $0.name == "withdraw" && $0.value == "yes" }) { return nil }
        let options = pairs.filter { $0.name == "option" }.map(\.value)
        let numbers = pairs.filter { $0.name == "number" }.map { TextClasses.trimmed($0.value) }
        guard options.count == numbers.count else { throw PageFormError("this form is out of date: reload the page") }
        var choices: [Answer.Choice] = []
        for (option, number) in zip(options, numbers) where !number.isEmpty && number != "0" {
            guard let number = Int(number), (1...Limits.pointsMax).contains(number) else {
                throw PageFormError("“\(number.displayed(limit: 20))” isn’t a number from 1 to \(Limits.pointsMax)")
            }
            choices.append(Answer.Choice(option, number))
        }
        if choices.isEmpty, !options.isEmpty {
            switch pairs.first(where: { $0.name == "blank" })?.value {
            case "withdraws": return nil
            case "points": throw PageFormError("give points to at least one option")
            default: throw PageFormError("rank at least one option")
            }
        }
        guard let answer = Answer(choices) else {
            throw PageFormError("this form is out of date: reload the page")
        }
        return answer
    }

    /// A question as it is typed into its form: the options a line each.
    static func question(_ field: (String) -> String?) throws(PageFormError) -> NewItem {
        func typed(_ name: String) -> String { TextClasses.trimmed(field(name) ?? "") }
        let title = typed("title")
        guard !title.isEmpty else { throw PageFormError("the question is empty: write one first") }
        let options = (field("options") ?? "").withLineFeeds.split(separator: "\n").map {
            TextClasses.trimmed(String($0))
        }
        .filter { !$0.isEmpty }
        guard let asked = try method(typed("method"), points: typed("points"), threshold: typed("threshold")),
            let question = Question(asked.method, threshold: asked.threshold, isHidden: typed("hidden") == "yes")
        else { throw PageFormError("this form is out of date: reload the page") }
        guard question.threshold == nil || question.method.takesThreshold else {
            throw PageFormError(
                "only choosing options or dates takes a percentage that has to agree: leave it empty, or ask in another way"
            )
        }
        var fields: [Field: String] = [.question: question.text]
        if !typed("due").isEmpty { fields[.due] = typed("due") }
        return NewItem(title: title, fields: fields, options: options)
    }

    /// What is wrong with the deadline of a question that is asked now; nil where nothing is.
    package func lateDeadline(today: Day) -> String? {
        guard case .add(let items) = self else { return nil }
        return items.lazy.filter { $0.fields[.question] != nil }.compactMap { $0.fields[.due] }
            .compactMap { Deadline.fault($0, today: today) }.first
    }

    private static func method(
        _ word: String, points: String, threshold: String
    ) throws(PageFormError) -> Question? {
        let percent = threshold.isEmpty ? nil : Int(threshold)
        guard threshold.isEmpty || percent.map({ (1...100).contains($0) }) ?? false else {
            throw PageFormError("the percentage that has to agree must be a number from 1 to 100")
        }
        guard word == "points" else { return Question(word).flatMap { Question($0.method, threshold: percent) } }
        guard let question = Int(points).flatMap({ Question(.points($0), threshold: percent) }) else {
            throw PageFormError("the points must be a number from 1 to \(Limits.pointsMax)")
        }
        return question
    }
}
