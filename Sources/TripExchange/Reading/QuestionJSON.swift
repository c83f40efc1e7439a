import TripModel
import TripService

/// A question in JSON, as `caravan questions --json` prints it. Its answers stay with the people who gave them.
enum QuestionJSON {
    /// Nil for an object that is no question.
    /// - Throws: what is wrong with the question, in a few words.
    static func read(_ element: JSONText) throws(ServiceError) -> NewItem? {
        guard let question = element["question"], let method = question["answer_with"]?.text else { return nil }
        guard Question(method) != nil else {
            throw ServiceError(
                "\(method.quoted) is no way to answer a question; use one, several, ranked, points N or dates")
        }
        guard let title = element["title"]?.text, !title.isBlank else {
            throw ServiceError("it is a question without a title; give one")
        }
        var fields: [Field: String] = [.question: method]
        for field in [Field.note, .due] { fields[field] = element[field.name]?.text }
        let options = question["options"]?.array ?? []
        guard options.count <= Limits.optionsMax else {
            throw ServiceError("it has \(options.count) options; a question has at most \(Limits.optionsMax)")
        }
        return NewItem(title: title, fields: fields, options: options.compactMap { $0["option"]?.text ?? $0.text })
    }
}
