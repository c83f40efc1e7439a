/// Ends the program with a message where a caller broke a rule: in release builds too, in which `precondition` prints none.
@inlinable
@inline(__always)
func require(_ isKept: Bool, _ rule: StaticString) {
    if !isKept { fail(rule) }
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
