/// By when something is to be done.
package enum Deadline {
    /// What is wrong with a deadline that somebody sets today; nil where it hasn't passed, or can't be read.
    package static func fault(_ text: String, today: Day) -> String? {
        guard let due = DateSpan(Field.due.normalized(text)), due.departure ?? due.arrival < today else { return nil }
        return "\(due.words) has passed; choose today or a later day"
    }
}
