import TripPage
import TripService

/// A door that is always open on one network, until its host ends that. A node that starts again opens it again.
struct StandingDoor: Hashable, Sendable, Codable {
    let trip: String
    /// The network's mark (`PageOptions.network`).
    let network: String
    var code: GuestCode
    /// How many phones the code admitted.
    var arrived = 0
}

extension PageServer {
    /// How often guests' allowances begin again, in milliseconds.
    static let allowanceLifetime: Int64 = 24 * 3_600_000

    /// Opens the standing door on its network, and closes it on any other. Guests who are here are told why.
    func tendStandingDoor() async {
        guard let standing = memory.standing else { return }
        if isOnNetwork(of: standing) {
            guard entrance == nil, (try? await requireOpen(standing.trip)) != nil, memory.standing == standing,
                !Task.isCancelled,
                (try? await listen(toTrip: standing.trip, until: nil, code: standing.code, arrived: standing.arrived))
                    != nil
            else { return }
            // It was ended meanwhile.
            guard memory.standing == standing else { return await shutDoor(saying: TripPage.doorClosed) }
            await tellOfDoor()
        } else if entrance?.closes == nil {
            await shutDoor(saying: TripPage.doorLeftNetwork)
        }
    }

    /// The trip whose door is always open on one network; nil where none is.
    package var standingTrip: String? { memory.standing?.trip }

    func isOnNetwork(of standing: StandingDoor) -> Bool {
        !options.addresses().isEmpty && options.network() == standing.network
    }

    /// Remembers the open door if it is one that is always open, and forgets one that was.
    func keepDoor() throws(ServiceError) {
        var standing: StandingDoor?
        if let entrance, entrance.closes == nil {
            guard let network = options.network() else { throw Self.unknownNetwork }
            standing = StandingDoor(
                trip: entrance.trip, network: network, code: entrance.code, arrived: entrance.arrived)
        }
        guard standing != memory.standing else { return }
        memory.standing = standing
        try save()
    }

    static let unknownNetwork = ServiceError(
        "this computer knows no router, so it can’t tell this network from others: let guests in for some hours instead"
    )
}
