import ChangeLog
import TripModel
import TripRules

/// The trip's state beside a log.
struct Replayed {
    private(set) var state = TripReplica()
    private var count = 0
    /// The items that there were in the beginning.
    static let items = group.state.view.items.map(\.id)

    /// The state of the group's log.
    static let group = Replayed(Group.shared.log)

    init(_ log: TripLog) {
        catchUp(log)
    }

    mutating func take(_ received: Received, of log: TripLog) {
        if !received.effectivenessChanged.isEmpty { self = Replayed(log) }
        catchUp(log)
    }

    private mutating func catchUp(_ log: TripLog) {
        for index in count..<log.graph.count where log.isEffective(index) { state.apply(log.applied(index)) }
        count = log.graph.count
    }

    func show(_ log: TripLog) {
        showTrip(
            state, log.graph.changes.indices.filter { log.isEffective($0) }.compactMap { log.applied($0).tripChange() })
    }
}
