/// What somebody read of replicated data.
public enum Reading: Hashable, Sendable {
    /// Of a counter.
    case counter(Int64)
    /// Of a set, its elements ascending.
    case set([String])
    /// Of a register, its values ascending: one, or all concurrent ones; none before the first write.
    case register([String])
    /// Of a map, each key's values ascending.
    case map([String: [String]])
    /// Of a list or a text, its elements or letters in their order.
    case sequence([String])

    /// Reads a number, an array of strings, an object of strings or of arrays of them, or a string, as the data wants it.
    /// Nil for anything else.
    public init?(_ json: JSON, of type: DataType) {
        switch (type.kind, json) {
        case (.counter, .integer(let number)): self = .counter(number)
        case (.set, .array):
            guard let texts = json.texts, Set(texts).count == texts.count else { return nil }
            self = .set(texts.sorted())
        case (.register, .null): self = .register([])
        case (.register, .string(let text)): self = .register([text])
        case (.register, .array):
            guard let texts = json.texts else { return nil }
            self = .register(texts.sorted())
        case (.map, .object(let members)):
            var values: [String: [String]] = [:]
            for (key, value) in members {
                guard let texts = value.text.map({ [$0] }) ?? value.texts, !texts.isEmpty else { return nil }
                values[key] = texts.sorted()
            }
            self = .map(values)
        case (.list, .array):
            guard let texts = json.texts else { return nil }
            self = .sequence(texts)
        case (.text, .string(let text)): self = .sequence(text.map(String.init))
        default: return nil
        }
    }
}

extension Reading: CustomStringConvertible {
    /// The same for equal readings.
    public var description: String {
        switch self {
        case .counter(let number): "\(number)"
        case .set(let elements), .register(let elements): "\(elements)"
        case .map(let values):
            "["
                + values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.joined(separator: " | "))" }
                .joined(separator: ", ") + "]"
        case .sequence(let elements):
            elements.allSatisfy { $0.count == 1 } ? "“\(elements.joined())”" : "\(elements)"
        }
    }

    var elements: [String]? { if case .sequence(let elements) = self { elements } else { nil } }
}

extension DataType.Kind {
    /// What a reading is in JSON.
    var form: String {
        switch self {
        case .counter: "a whole number"
        case .set: "an array of strings, none of them twice"
        case .register: "a string, an array of strings, or null"
        case .map: "an object of strings, or of arrays of strings"
        case .list: "an array of strings"
        case .text: "a string"
        }
    }
}

extension DataType {
    /// Compares what is read with all that the reader's replica knows, and causality.
    func check<Action: CustomStringConvertible>(
        _ reading: Reading, before: Reading?, of history: History<Action>, operation: (Action) -> Operation?
    ) -> Violation? {
        switch reading {
        case .counter(let shown):
            return CounterSpecification.check(Int(clamping: shown), of: history) { action in
                if case .increment(let amount)? = operation(action) { Int(clamping: amount) } else { 0 }
            }
        case .set(let shown):
            var previous: [String]?
            if case .set(let elements)? = before { previous = elements }
            return SetSpecification.check(shown, before: previous, of: history, policy: policy) { action in
                switch operation(action) {
                case .add(let element)?: .add([element])
                case .remove(let element)?: .remove(element)
                default: .add([])
                }
            }
        case .register(let shown):
            return RegisterSpecification.check(shown, of: history, keepsAll: keepsAll) { action in
                if case .write(let value)? = operation(action) { value } else { nil }
            }
        case .map(let shown):
            return MapSpecification.check(shown, of: history, keepsAll: keepsAll, policy: policy) { action in
                switch operation(action) {
                case .set(let key, let value)?: .set(key, value)
                case .delete(let key)?: .remove(key)
                default: nil
                }
            }
        case .sequence(let shown):
            return SequenceSpecification.check(
                shown, before: before?.elements, of: history, interleaving: interleaving
            ) { action in
                switch operation(action) {
                case .insert(let value, _, let after, let before)?:
                    .insert(elements(of: value), after: after, before: before)
                case .erase(let element, _)?: .remove(element)
                default: nil
                }
            }
        }
    }

    /// One element of a list, the letters of a text.
    func elements(of value: String) -> [String] { kind == .text ? value.map(String.init) : [value] }
}
