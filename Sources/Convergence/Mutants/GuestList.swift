import DeltaCRDT

/// Guests by name, in a set whose elements are structures of texts.
struct GuestList<V: Variant>: StateBased {
    struct Guest: Hashable, Sendable, CanonicalCodable {
        let name: String

        init(name: String) { self.name = name }
        init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) { name = try String(from: &decoder) }
        func encode(into encoder: inout CanonicalEncoder) { name.encode(into: &encoder) }

        /// The fault: names are one where they are canonically equivalent, and are written in different bytes.
        static func == (left: Guest, right: Guest) -> Bool {
            V.mutation == .twoForms ? left.name == right.name : left.name.utf8.elementsEqual(right.name.utf8)
        }

        func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    struct Arrival: Sendable, CustomStringConvertible {
        let name: String

        var description: String { "\(name) comes, as \(name.unicodeScalars.count) scalars" }
    }

    var state = GSet<Guest>()
    var writer: ReplicaID

    init(birth: Birth) { writer = birth.start }

    static func randomAction(using generator: inout SeededGenerator) -> Arrival {
        Arrival(name: ["Ana", "Ren\u{E9}", "Rene\u{301}"][generator.number(in: 0...2)])
    }

    mutating func perform(_ action: Arrival, at now: Int64) -> [Dot] {
        state.insert(Guest(name: action.name))
        return []
    }

    var view: Elements<String> { Elements(Set(state.map { $0.name }).sorted()) }
}
