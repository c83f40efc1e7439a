/// A value that most of its owners do not have: it lies apart, and takes one word until somebody writes it.
struct Sparse<Value: Hashable & Sendable>: Hashable, Sendable {
    /// At most one: an array is the standard library's box that is copied when it is written.
    private var box: [Value] = []

    /// Nil where it was never written.
    var value: Value? { box.first }

    /// Changes the value where it lies.
    /// - Parameter empty: what is there before anybody wrote.
    mutating func update(_ empty: @autoclosure () -> Value, _ body: (inout Value) -> Void) {
        if box.isEmpty { box.append(empty()) }
        body(&box[0])
    }
}
