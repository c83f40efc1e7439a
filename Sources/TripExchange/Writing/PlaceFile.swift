import TripModel
import TripService

/// The places of a trip for maps and navigation: items with none are left out.
enum PlaceFile {
    /// GPX 1.1 (topografix.com/GPX/1/1): a waypoint an item.
    static func gpx(_ trip: TripView) throws(ServiceError) -> String {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="Caravan" xmlns="http://www.topografix.com/GPX/1/1">

            """
        if let title = trip.title { text += "  <metadata><name>\(escaped(title.value))</name></metadata>\n" }
        for (item, place) in try places(trip) {
            text += "  <wpt lat=\"\(place.latitude)\" lon=\"\(place.longitude)\">\n"
            text += "    <name>\(escaped(item.title))</name>\n"
            text += element("desc", OwnDescription.write(item, without: [.place, .link]))
            if let link = item.fields[.link] { text += "    <link href=\"\(escaped(link.value))\"/>\n" }
            text += "  </wpt>\n"
        }
        return text + "</gpx>\n"
    }

    /// KML 2.2 (OGC 07-147r2): a placemark an item, whose coordinates begin with the longitude.
    static func kml(_ trip: TripView) throws(ServiceError) -> String {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <kml xmlns="http://www.opengis.net/kml/2.2">
            <Document id="caravan">

            """
        if let title = trip.title { text += "  <name>\(escaped(title.value))</name>\n" }
        for (item, place) in try places(trip) {
            text += "  <Placemark>\n    <name>\(escaped(item.title))</name>\n"
            text += element("description", OwnDescription.write(item, without: [.place]))
            text += "    <Point><coordinates>\(place.longitude),\(place.latitude)</coordinates></Point>\n"
            text += "  </Placemark>\n"
        }
        return text + "</Document>\n</kml>\n"
    }

    private static func places(_ trip: TripView) throws(ServiceError) -> [(ItemView, ExportedPlace)] {
        let places = trip.exportedItems.compactMap { item in ExportedPlace(item).map { (item, $0) } }
        guard !places.isEmpty else {
            throw ServiceError("no item has a place; add one with `caravan edit ITEM --place LAT,LON`")
        }
        return places
    }

    private static func element(_ name: String, _ text: String) -> String {
        text.isEmpty ? "" : "    <\(name)>\(escaped(text))</\(name)>\n"
    }

    /// Character data and attribute values of XML 1.0; what no such text may hold is a blank.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\n", "\t": escaped.unicodeScalars.append(scalar)
            case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": escaped += " "
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
