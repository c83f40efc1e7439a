/// A line of a trace: when, in steps, and what happened.
struct TraceLine: CustomStringConvertible {
    let time: Int
    let text: String

    init(_ time: Int, _ text: String) {
        self.time = time
        self.text = text
    }

    /// A line that was written, or what stands for one after the last.
    init(_ trace: [String], _ place: Int) {
        let line = place < trace.count ? trace[place] : ""
        let parts = line.split(separator: " ", maxSplits: 1)
        time = parts.first.flatMap { Int($0) } ?? 0
        text = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "nothing"
    }

    /// The time in five columns, and the text.
    var description: String {
        let number = String(time)
        return String(repeating: " ", count: max(0, 5 - number.count)) + number + "  " + text
    }
}

extension Run {
    /// Adds a line to the trace, where one is wanted.
    mutating func note(_ text: String) {
        if isTracing { outcome.trace.append(TraceLine(time, text).description) }
    }

    /// The same for a message and what became of it.
    mutating func note(_ arrival: Arrival, _ reception: Reception<Subject.Message>) {
        guard isTracing else { return }
        let said = Subject.describe(arrival.message).map { " (\($0))" } ?? ""
        let result =
            switch reception.extent {
            case .all: shown(arrival.to)
            case .part: "a part: \(shown(arrival.to))"
            case .nothing: (reception.reply == nil ? "not taken" : "answers") + inner(arrival.to)
            }
        note("replica \(arrival.from) → \(arrival.to)\(said): \(result)")
    }

    /// What a replica shows, and what it says of its state; nothing where nobody reads it, for texts of views take long.
    func shown(_ replica: Int) -> String {
        isTracing ? "\(machines[replica].subject.view)" + inner(replica) : ""
    }

    private func inner(_ replica: Int) -> String { machines[replica].subject.stateDescription.map { " (\($0))" } ?? "" }
}
