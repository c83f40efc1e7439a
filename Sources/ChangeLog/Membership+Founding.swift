extension Membership {
    /// Where the trip was founded: that is so whatever its founder did later. Of several, the one with the lowest stamp.
    var founding: Int? { admissions.filter(\.isFounding).min { $0.stamp < $1.stamp }?.place }

    /// Whether a change founds the trip again, with other keys beside the root key, while the founder was in: so it lets in
    /// a further device of theirs.
    func isFurtherFounding(_ fact: AdmissionFact, isPast: (Int, Int) -> Bool) -> Bool {
        guard fact.isFounding, let founder = people[fact.device.participant] else { return false }
        return founder.wasIn(at: fact.place, isPast: isPast)
    }
}
