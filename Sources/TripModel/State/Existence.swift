/// What holds an item up: an enable-wins flag (Shapiro and others, 2011). Each deed on the item leaves a token that replaces
/// those in its past; a removal takes those in its past away, and so nothing that its author had not seen.
struct Existence: Hashable, Sendable {
    struct Token: Sendable {
        let cause: Cause
        /// Where its change stands in the log.
        let place: UInt32
        let index: OperationIndex
    }

    /// Most items have one token, and most of the others none.
    private enum Tokens: Hashable, Sendable {
        case none
        case one(Token)
        /// Two or more, highest first.
        case many([Token])
    }

    private var held = Tokens.none

    var isEmpty: Bool { if case .none = held { true } else { false } }

    /// Highest first.
    var tokens: [Token] {
        switch held {
        case .none: []
        case .one(let token): [token]
        case .many(let tokens): tokens
        }
    }

    /// The highest token.
    var highest: Token? {
        switch held {
        case .none: nil
        case .one(let token): token
        case .many(let tokens): tokens.first
        }
    }

    /// Takes away what a change's author had seen. O(tokens).
    mutating func remove(by change: FoldedChange) {
        switch held {
        case .none: break
        case .one(let token): if change.hasSeen(token.place) { held = .none }
        case .many(let tokens): set(tokens.filter { !change.hasSeen($0.place) })
        }
    }

    /// Leaves a token in place of what a change's author had seen. O(tokens).
    mutating func uphold(by change: FoldedChange, at index: OperationIndex) {
        remove(by: change)
        let new = Token(cause: change.cause, place: change.place, index: index)
        // Mostly what stood there is in its past.
        guard !isEmpty else { return held = .one(new) }
        var tokens = tokens
        let place = tokens.firstIndex { !stands($0.cause, $0.index, above: new.cause, new.index) }
        tokens.insert(new, at: place ?? tokens.count)
        set(tokens)
    }

    private mutating func set(_ tokens: [Token]) {
        held = tokens.isEmpty ? .none : tokens.count == 1 ? .one(tokens[0]) : .many(tokens)
    }
}

/// Equal on all nodes: its place is this log's own.
extension Existence.Token: Hashable {
    static func == (left: Existence.Token, right: Existence.Token) -> Bool {
        left.index == right.index && left.cause == right.cause
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(index)
        hasher.combine(cause)
    }
}
