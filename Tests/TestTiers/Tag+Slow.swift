package import Testing

extension Tag {
    /// Takes seconds, or repeats for long what a quicker test checks once: `Scripts/test --all` runs it, `Scripts/test` does
    /// not. `Scripts/tiers` reads this tag from the built tests; `swift test` runs every test, whatever its tags.
    @Tag package static var slow: Self
}
