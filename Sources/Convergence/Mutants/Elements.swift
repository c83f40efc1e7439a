/// The elements that a mutant shows. An array has no description in Embedded Swift.
struct Elements<Element: Equatable & Sendable & CustomStringConvertible>: Equatable, Sendable, CustomStringConvertible {
    let all: [Element]

    init(_ all: [Element]) { self.all = all }

    var description: String { "\(all)" }
}
