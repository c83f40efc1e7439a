import TripModel
package import TripService

/// A line of a node's log, for programs: one JSON object, with the time and what happened. Nothing that a trip says stands in
/// it, no name, no address and no key: logs are read by others than those of a trip, and lie on disks in the clear.
package enum LogLine {
    /// The process itself: `start`, `ready`, `stop`.
    package static func process(_ event: String, at now: Int64) -> String { line(event, at: now) }

    /// What happened in a trip; nil for what is not logged.
    ///
    /// - Parameter trip: the trip's id.
    package static func event(_ event: TripEvent, times: Int, trip: String?, at now: Int64) -> String? {
        func line(_ name: String, _ members: [String: JSONValue?] = [:]) -> String {
            let all: [String: JSONValue?] = ["trip": trip.map { .string($0) }, "times": .integer(Int64(times))]
            return Self.line(name, at: now, members.merging(all) { $1 })
        }
        return switch event {
        case .changed(let view): line("changed", ["changes": .integer(Int64(view.entries.count))])
        case .missed(let count): line("missed", ["events": .integer(Int64(count))])
        case .rebuilt: line("rebuilt")
        case .membership, .spread, .writing, .pictures, .own: nil
        case .here: line("here")
        case .gone: line("gone")
        case .youAreOut: line("out")
        case .inTwoPlaces: line("forked")
        case .full: line("full")
        case .refused: line("refused")
        case .misbehaved: line("misbehaved")
        case .needsNewer: line("needs_newer")
        case .limit(let limit): line("limit", ["limit": .string(limit.rawValue)])
        case .discovery(let problem): line("discovery", ["up": .bool(problem == nil)])
        case .problem: line("problem")
        }
    }

    private static func line(_ event: String, at now: Int64, _ members: [String: JSONValue?] = [:]) -> String {
        let own: [String: JSONValue?] = ["at": .string(CivilTime.rfc3339(now)), "event": .string(event)]
        return JSONValue.object(members.merging(own) { $1 }).compact
    }
}
