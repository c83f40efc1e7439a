import TripModel

extension ItemView {
    /// What is shown of its fields besides the title and whether it is done, in the fields' order.
    var exportedFields: [(field: Field, value: String)] {
        Field.allCases.compactMap { field in
            guard field != .title, field != .done, let value = fields[field]?.value else { return nil }
            return (field, value)
        }
    }

    /// What is known of it in lines, for forms that have one text for it: those of its fields that have no place of their
    /// own there, and the votes.
    func exportedLines(without others: Set<Field>) -> [String] {
        var lines = exportedFields.filter { !others.contains($0.field) }.map { field, value in
            field == .note || field == .details ? value : "\(field.name): \(value)"
        }
        if let quantity { lines.append("quantity: \(quantity)") }
        if !votes.isEmpty { lines.append("votes: \(exportedVotes)") }
        return lines
    }

    /// "+2 (for: Jie, Noah; OK if need be: Ana; against: Michelle)".
    var exportedVotes: String {
        let groups: [(String, Vote)] = [("for", .for), ("OK if need be", .ifNeedBe), ("against", .against)]
        let parts = groups.compactMap { said, vote -> String? in
            let names = votes.filter { $0.vote == vote }.map(\.name)
            return names.isEmpty ? nil : "\(said): \(names.joined(separator: ", "))"
        }
        return "\(tally > 0 ? "+" : "")\(tally) (\(parts.joined(separator: "; ")))"
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
