/// Ends the program with a message where a caller broke a rule: in release builds too, in which `precondition` prints none.
@inlinable
@inline(__always)
func require(_ isKept: Bool, _ rule: StaticString) {
    if !isKept { fail(rule) }
}

/// Ends the program where a position, or an end of a range, lies outside of a sequence; `last` is the greatest that is allowed.
@inline(__always)
func require(_ position: Int, upTo last: Int, in sequence: StaticString) {
    if position < 0 || position > last { fail(position, last, sequence) }
}

@inline(__always)
func require(_ range: Range<Int>, upTo last: Int, in sequence: StaticString) {
    require(range.lowerBound, upTo: last, in: sequence)
    require(range.upperBound, upTo: last, in: sequence)
}

@inline(never)
private func fail(_ position: Int, _ last: Int, _ sequence: StaticString) -> Never {
    fail("position \(position) is not in the \(sequence); \(last < 0 ? "it is empty" : "positions are 0 to \(last)")")
}

@usableFromInline
@inline(never)
func fail(_ rule: StaticString) -> Never {
    fail("\(rule)")
}

/// The one place in the sources that ends the program: a caller broke a rule of the library, never bytes from outside.
func fail(_ rule: String) -> Never {
    fatalError("DeltaCRDT: \(rule)")
}
