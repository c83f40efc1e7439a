import TripModel

extension Field {
    /// Nil for a name that no field has.
    init?(named name: String) {
        guard let field = Field.allCases.first(where: { $0.name == name }) else { return nil }
        self = field
    }
}
