package import TripModel
package import TripService
import TripText

/// The forms in which a trip goes out. What is written is a function of the view alone: the same on converged nodes.
package enum ExportFormat: String, CaseIterable, Hashable, Sendable {
    case markdown
    /// RFC 4180.
    case csv
    /// iCalendar, RFC 5545.
    case ics
    /// GPX 1.1.
    case gpx
    /// KML 2.2.
    case kml
    /// What `caravan list --json` prints, the trip's note among it, with the questions.
    case json
    /// The link of `ListLink`.
    case url

    /// For people.
    package var label: String {
        switch self {
        case .markdown: "Markdown"
        case .csv: "table (CSV)"
        case .ics: "calendar"
        case .gpx: "GPX"
        case .kml: "KML"
        case .json: "JSON"
        case .url: "link"
        }
    }

    package var fileExtension: String {
        switch self {
        case .markdown: "md"
        case .csv, .ics, .gpx, .kml, .json, .url: rawValue
        }
    }

    /// By what a file's name ends in; nil where that says nothing. A text is Markdown, which people can read.
    package init?(fileName: String) {
        let name = fileName.lowercased()
        let known = name.hasSuffix(".txt") ? .markdown : Self.allCases.first { name.hasSuffix("." + $0.fileExtension) }
        guard let known else { return nil }
        self = known
    }

    /// The endings by which a form is known, for messages.
    package static let endings = ".md, .txt, .csv, .ics, .gpx, .kml, .json or .url"

    package var mediaType: String {
        switch self {
        case .markdown: "text/markdown; charset=utf-8"
        case .csv: "text/csv; charset=utf-8; header=present"
        case .ics: "text/calendar; charset=utf-8"
        case .gpx: "application/gpx+xml"
        case .kml: "application/vnd.google-earth.kml+xml"
        case .json: "application/json"
        case .url: "text/plain; charset=utf-8"
        }
    }

    /// The items that are there, in the order in which they were made. Every text ends with a line end. O(n).
    /// - Throws: where the form can hold none of them, or not so many.
    package func write(_ whole: TripView) throws(ServiceError) -> String {
        // Expenses have a table of their own.
        let plan = whole.plan
        if self == .json { return Self.json(whole, plan).line }
        let trip = plan.namingAssignees
        switch self {
        case .markdown: return MarkdownDocument.write(trip)
        case .csv: return ItemCSV.write(trip.exportedItems)
        case .ics: return try CalendarFile.write(trip)
        case .gpx: return try PlaceFile.gpx(trip)
        case .kml: return try PlaceFile.kml(trip)
        case .json: return TripJSON.list(trip).line
        case .url: return try ListLink.write(trip) + "\n"
        }
    }

    private static func json(_ whole: TripView, _ plan: TripView) -> JSONValue {
        let list = TripJSON.list(plan)
        guard !whole.questions.isEmpty, case .object(var members) = list else { return list }
        members["questions"] = TripJSON.questions(whole)
        return .object(members)
    }

    /// How many questions the form has no place for.
    package func leftOutQuestions(_ trip: TripView) -> Int { self == .json ? 0 : trip.questions.count }

    /// What else of a trip the form has no place for, how much of each.
    package func leftOut(_ trip: TripView) -> [(count: Int, noun: String)] {
        let (items, costs) = (trip.plan.items, trip.costs)
        let all: [(count: Int, noun: String)] = [
            (leftOutQuestions(trip), "question"), (costs.expenses.count + costs.payments.count, "cost"),
            (self == .json ? 0 : items.reduce(0) { $0 + $1.sayings.comments.count }, "comment"),
            (items.reduce(0) { $0 + $1.photos.count }, "photo"),
            (self == .json || self == .markdown || trip.note == nil ? 0 : 1, "note of the trip"),
        ]
        return all.filter { $0.count > 0 }
    }

    /// How many of a trip's items the form has no place for: those that are nowhere on a map.
    package func leftOutCount(_ trip: TripView) -> Int {
        switch self {
        case .gpx, .kml: trip.plan.items.count { ExportedPlace($0) == nil }
        case .markdown, .csv, .ics, .json, .url: 0
        }
    }
}
