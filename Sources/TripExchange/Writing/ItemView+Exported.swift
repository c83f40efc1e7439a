import TripModel

extension ItemView {
    /// What is shown of its fields besides the title and whether it is done, in the fields' order.
    var exportedFields: [(field: Field, value: String)] {
        Field.ofPlans.compactMap { field in
            guard field != .title, field != .done, let value = fields[field]?.value else { return nil }
            return (field, value)
        }
    }

    /// What is no field of it, as lines that say what they are: what was also proposed and who voted or is going can be read by people
    /// alone.
    var exportedFacts: [(label: String, text: String)] {
        var facts: [(String, String)] = []
        if let quantity { facts.append((OwnDescription.quantity, String(quantity))) }
        if let list = sayings.list { facts.append((OwnDescription.list, list.title)) }
        if !sayings.amenities.isEmpty {
            facts.append((OwnDescription.amenities, sayings.amenities.joined(separator: ", ")))
        }
        if !votes.isEmpty { facts.append((OwnDescription.votes, exportedVotes)) }
        if !sayings.attendance.isEmpty { facts.append((OwnDescription.attendance, exportedAttendance)) }
        return facts + exportedProposals.map { ("\(OwnDescription.alsoProposed) (\($0.field.name))", $0.value) }
    }

    /// What was also proposed for its fields, each on one line.
    var exportedProposals: [(field: Field, value: String)] {
        Field.ofPlans.flatMap { field in
            (fields[field]?.alternatives ?? []).map { (field, $0.value.displayed()) }
        }
    }

    /// "+2 (for: Jie, Noah; OK if need be: Ana; against: Michelle)".
    var exportedVotes: String {
        let names = Self.names(votes, [("for", .for), ("OK if need be", .ifNeedBe), ("against", .against)])
        return "\(tally > 0 ? "+" : "")\(tally) (\(names))"
    }

    /// "going: Jie, Noah; maybe: Ana; not going: Michelle".
    private var exportedAttendance: String {
        Self.names(sayings.attendance, Attendance.allCases.map { ($0.label, $0) })
    }

    private static func names<Word>(_ words: [LastWord<Word>], _ groups: [(label: String, word: Word)]) -> String {
        groups.compactMap { label, word in
            let names = words.filter { $0.word == word }.map(\.name)
            return names.isEmpty ? nil : "\(label): \(names.joined(separator: ", "))"
        }
        .joined(separator: "; ")
    }
}

/// Where an item is, in degrees as they were written.
struct ExportedPlace {
    let latitude: String
    let longitude: String

    /// Nil for an item that is nowhere on a map.
    init?(_ item: ItemView) {
        guard let place = item.fields[.place]?.value else { return nil }
        let parts = place.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, parts.allSatisfy({ Double($0)?.isFinite ?? false }) else { return nil }
        (latitude, longitude) = (parts[0], parts[1])
    }
}
