import TripModel
package import TripService

// Finds a trip by the name that a person gave.
extension Home {
    /// The trip that is meant: by its title, the beginning of one, or the beginning of its id; nil means the one in use.
    ///
    /// - Parameters:
    ///   - isWhole: whether the beginning of a title is refused, because nobody is asked which trip that is.
    ///   - passphrases: for trips whose title must be read; locked trips are found only by their ids.
    ///   - silentNode: how to read titles although the node does not answer; nil to throw then.
    package func tripID(
        named reference: String?, wholly isWhole: Bool = false, passphrases: PassphraseSource = .none,
        silentNode: SilentNode? = nil
    ) async throws(ServiceError) -> String {
        let reference = try reference.map { reference throws(ServiceError) in
            try ServiceError.name(reference, of: "trip", listing: "caravan trips")
        }
        let ids = try tripIDs()
        guard !ids.isEmpty else {
            throw ServiceError(
                "there are no trips; create one with `caravan new TITLE --as NAME`, or join one with `caravan join LINK`"
            )
        }
        guard let reference else {
            if let id = try tripInUse() { return id }
            let choices = try await entries(passphrases, silentNode).map(Self.label).joined(separator: ", ")
            throw ServiceError("there is no current trip; choose one with `caravan use TRIP` or --trip (\(choices))")
        }
        if reference.count >= 4 {
            let byID = ids.filter { $0.hasPrefix(reference.lowercased()) }
            if byID.count == 1 { return byID[0] }
        }
        let entries = try await entries(passphrases, silentNode)
        let wanted = reference.lowercased()
        var matching = entries.filter { $0.title == reference }
        if matching.isEmpty { matching = entries.filter { $0.title?.lowercased() == wanted } }
        if matching.isEmpty {
            matching = entries.filter { $0.title?.lowercased().hasPrefix(wanted) ?? false }
            if matching.isEmpty { matching = entries.filter { $0.id.hasPrefix(wanted) } }
            if isWhole, !matching.isEmpty {
                throw ServiceError(
                    "\(reference.quoted) is only the start of a name; give the whole title or the id of "
                        + matching.map(Self.label).joined(separator: " or "))
            }
        }
        switch matching.count {
        case 1: return matching[0].id
        case 0:
            let near = NearNames.nearest(reference, among: entries.compactMap(\.title))
            throw ServiceError(
                "there is no trip “\(reference)”; "
                    + (near.map { "did you mean “\($0)”?" } ?? "see `caravan trips`"))
        default:
            throw ServiceError(
                "“\(reference)” could be \(matching.map(Self.label).joined(separator: " or ")); give an id")
        }
    }

    private static func label(_ entry: TripEntry) -> String {
        entry.title.map { "\($0.quoted) \(entry.id.prefix(6))" } ?? String(entry.id.prefix(6))
    }

    /// Every trip of this home, with its title where it can be read.
    package func entries(
        _ passphrases: PassphraseSource = .none, _ silentNode: SilentNode? = nil
    ) async throws(ServiceError) -> [TripEntry] {
        let inUse = try tripInUse()
        let running = try await runningTrips(silentNode)
        var entries: [TripEntry] = []
        for id in try tripIDs() {
            var title: String?
            var problem: String?
            var (isOut, isArchived) = (false, false)
            do {
                let access = TripAccess(home: self, id: id, passphrases: passphrases, silentNode: silentNode)
                let answer = try await access.read(.status)
                if case .status(let status) = answer {
                    (title, isOut, isArchived) = (status.title, status.isOut, status.isArchived)
                }
            } catch {
                problem = error.message
            }
            entries.append(
                TripEntry(
                    id: id, title: title, problem: problem, isInUse: id == inUse, isOut: isOut,
                    isRunning: running.contains(id), isArchived: isArchived))
        }
        return entries
    }

    /// The trips that a node runs; none are known of one that does not answer.
    private func runningTrips(_ silentNode: SilentNode?) async throws(ServiceError) -> [String] {
        if let silentNode, silentNode.wasFound { return [] }
        do { return try await ControlClient(home: self).runningTrips() } catch {
            guard error.code == .notAnswering, let silentNode else { throw error }
            silentNode.found()
            return []
        }
    }
}
