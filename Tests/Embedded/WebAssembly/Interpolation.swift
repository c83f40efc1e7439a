extension DefaultStringInterpolation {
    /// Embedded Swift can't show a value whose type has no description of its own. The laws' messages show states; here a broken law is
    /// told by its name and seed, and a native run shows the rest.
    mutating func appendInterpolation<Value>(_ value: Value) { appendLiteral("…") }
}
