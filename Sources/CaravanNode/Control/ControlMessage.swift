import Foundation
import TripModel
import TripService

/// What a command says to a node, once the node has said `ready`.
enum ControlMessage: Codable {
    case request(TripRequest, trip: String)
    /// Answered by an event each time that something happens, until either end is gone.
    case watch(trip: String)
    /// Answered by all changes that are durable, in several answers.
    case changes(trip: String)
    /// Which trips the node runs.
    case runningTrips
    /// A trip has come to the home: run it too.
    case run(trip: String)
    /// Stop running a trip, and release its folder.
    case release(trip: String)
    /// A link that opens the page once.
    case pageLink
    /// Admit guests to one trip.
    case openToGuests(trip: String, minutes: Int?)
    case closeToGuests
    /// What the node counts and measures.
    case metrics
    /// End the node.
    case stop
}

/// What a node answers.
enum ControlAnswer: Codable {
    /// The first word on every connection. A process that is stopped does not say it, and is asked nothing.
    case ready
    /// The answer takes time. Sent every half second, so that the command knows that the node works.
    case working
    case answer(TripAnswer)
    /// A whole trip, in few bytes (`TripView.bytes`): by its names alone it would take longer to cross than to make.
    case trip(Data)
    case event(TripEvent)
    /// The changes' records.
    case changes([Data], isLast: Bool)
    case runningTrips([String])
    case pageLink(String)
    case guestPass(GuestPass)
    case metrics(NodeMetrics)
    case done
    case refused(ServiceError)
    /// The trip is not one that this node runs.
    case notRunHere
    /// The node is stopping, and did nothing of what was asked.
    case stopping
}

extension ControlAnswer {
    init(_ answer: TripAnswer) {
        if case .trip(let view) = answer { self = .trip(Data(view.bytes)) } else { self = .answer(answer) }
    }

    /// The answer to a request; nil for what is none.
    var tripAnswer: TripAnswer? {
        switch self {
        case .answer(let answer): answer
        case .trip(let bytes): TripView(bytes: Array(bytes)).map { .trip($0) }
        default: nil
        }
    }
}
