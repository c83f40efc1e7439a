/// Something that happened in a run: a line of a trace, and a point of the diagram (``SpaceTime``).
package struct Moment: Hashable, Sendable {
    /// Where it happened. A departure is the number of the moment in which a message left.
    package enum Kind: Hashable, Sendable {
        /// A person did something at a replica.
        case act(Int)
        /// A message left a replica.
        case departure(from: Int, to: Int)
        /// It arrived.
        case arrival(from: Int, at: Int, departure: Int)
        /// It was lost.
        case loss(from: Int, to: Int, departure: Int)
        /// It came to a replica that was down or cut off.
        case refusal(to: Int, departure: Int)
        /// A replica stopped, or started.
        case stop(Int)
        case start(Int)
        /// Something else befell a replica.
        case incident(Int)
        /// Something befell the network.
        case network
        /// A law broke.
        case violation
        /// The same run again, where it went otherwise.
        case repetition

        /// Of a message's end, the moment in which it left.
        var departure: Int? {
            switch self {
            case .arrival(_, _, let departure), .loss(_, _, let departure), .refusal(_, let departure): departure
            default: nil
            }
        }
    }

    let time: Int
    let kind: Kind
    /// What was done, said or found.
    var text = ""
    /// What the replica showed then, and what it says of its state.
    var held = ""
    /// What a message brought, if not all.
    var extent = ""

    package init(time: Int, kind: Kind, text: String = "", held: String = "") {
        (self.time, self.kind, self.text, self.held) = (time, kind, text, held)
    }

    /// The line of a trace, the time in five columns before it; nil for what traces leave out.
    var line: String? { line(columns: 5) }

    package func line(columns: Int) -> String? {
        guard let words else { return nil }
        let number = String(time)
        return String(repeating: " ", count: max(0, columns - number.count)) + number + "  " + words
    }

    /// The line without its time.
    var words: String? {
        switch kind {
        case .act(let replica): "replica \(replica): \(text) → \(held)"
        case .departure, .refusal: nil
        case .arrival(let from, let to, _):
            "replica \(from) → \(to)" + (text.isEmpty ? "" : " (\(text))") + ": \(extent)\(held)"
        case .loss(let from, let to, _): "replica \(from) → \(to): lost"
        case .start(let replica): "replica \(replica) starts: \(held)"
        case .stop(let replica), .incident(let replica):
            "replica \(replica)" + (text.hasPrefix("'") ? "" : " ") + text
        case .network: text
        case .violation: "violated: \(text)"
        case .repetition: "run again: \(text)"
        }
    }

    /// The replicas that it names.
    var replicas: [Int] {
        switch kind {
        case .act(let replica), .departure(let replica, _), .stop(let replica), .start(let replica),
            .incident(let replica),
            .refusal(let replica, _):
            [replica]
        case .arrival(let from, let to, _), .loss(let from, let to, _): [from, to]
        case .network, .violation, .repetition: []
        }
    }
}

extension Outcome {
    /// What happened, a line each, where it was asked for.
    public var trace: [String] { moments.compactMap { $0.line } }
}

extension Run {
    /// Writes down a moment, where somebody wants to see them; its number.
    @discardableResult
    mutating func note(_ kind: Moment.Kind, _ text: String = "", held: Int? = nil) -> Int {
        guard isTracing else { return 0 }
        outcome.moments.append(Moment(time: time, kind: kind, text: text, held: held.map(shown) ?? ""))
        return outcome.moments.count - 1
    }

    /// The same for a message and what became of it.
    mutating func note(_ arrival: Arrival, _ reception: Reception<Subject.Message>) {
        guard isTracing else { return }
        var moment = Moment(
            time: time, kind: .arrival(from: arrival.from, at: arrival.to, departure: arrival.departure),
            text: Subject.describe(arrival.message) ?? "")
        switch reception.extent {
        case .all: moment.held = shown(arrival.to)
        case .part: (moment.extent, moment.held) = ("a part: ", shown(arrival.to))
        case .nothing: moment.extent = (reception.reply == nil ? "not taken" : "answers") + inner(arrival.to)
        }
        outcome.moments.append(moment)
    }

    /// What a replica shows, and what it says of its state.
    private func shown(_ replica: Int) -> String { "\(machines[replica].subject.view)" + inner(replica) }

    private func inner(_ replica: Int) -> String { machines[replica].subject.stateDescription.map { " (\($0))" } ?? "" }
}
