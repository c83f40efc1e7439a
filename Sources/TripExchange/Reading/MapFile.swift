import TripModel
import TripService

/// The places of a file of a map or a navigation program: GPX 1.1 and KML 2.2.
///
/// Waypoints and placemarks become items, and so do points of routes and tracks that have a name of their own. Lines, areas
/// and unnamed points are left out, and counted.
struct MapFile {
    enum Form { case gpx, kml }

    /// What stands in one waypoint or placemark, as far as it was read.
    private struct Point {
        var record = ListingRecord()
        var description = ""
        var coordinates = ""
        var isRoutePoint = false
        var hasShape = false
    }

    private let form: Form
    private var list: ImportedList
    private var isOurs = false
    private var path: [String] = []
    private var text = ""
    private var point: Point?
    private var number = 0
    /// The folders that are open, each as the part of the list that it is, where it has a name.
    private var folders: [Int?] = []

    static func read(_ bytes: [UInt8], as form: Form) throws(ServiceError) -> ImportedList {
        var file = MapFile(form: form, list: ImportedList(entryName: form == .gpx ? "waypoint" : "placemark"))
        var reader = XMLReader(bytes.withoutByteOrderMark)
        while let token = try reader.next() {
            switch token {
            case .start(let name, let attributes): try file.begin(name, attributes)
            case .end(let name):
                try file.end(name)
            case .text(let text):
                guard file.text.utf8.count + text.utf8.count <= ExchangeLimits.fieldBytes else {
                    throw reader.problem("a text has more than \(ExchangeLimits.fieldBytes >> 10) KiB")
                }
                file.text += text
            }
        }
        guard !file.list.entries.isEmpty || file.list.shapeCount == 0 else {
            throw ServiceError("it holds only lines, areas or unnamed points: import reads waypoints and named points")
        }
        return file.list
    }

    private init(form: Form, list: ImportedList) {
        self.form = form
        self.list = list
    }

    private mutating func begin(_ name: String, _ attributes: [String: String]) throws(ServiceError) {
        if path.isEmpty {
            guard name == (form == .gpx ? "gpx" : "kml") else {
                throw ServiceError("its root element is \(name.quoted), not “\(form == .gpx ? "gpx" : "kml")”")
            }
            isOurs = attributes["creator"] == "Caravan"
        }
        path.append(name)
        text = ""
        switch (form, name) {
        case (.gpx, "wpt"), (.gpx, "rtept"), (.gpx, "trkpt"):
            number += 1
            point = Point(isRoutePoint: name != "wpt")
            point?.coordinates = "\(attributes["lat"] ?? ""),\(attributes["lon"] ?? "")"
        case (.gpx, "link") where path.dropLast().last == path.last(where: { $0.hasSuffix("pt") }):
            if let link = attributes["href"], WebAddress(link) != nil { point?.record.note(link, as: .field(.link)) }
        case (.kml, "Document"): isOurs = isOurs || attributes["id"] == "caravan"
        case (.kml, "Folder"): folders.append(nil)
        case (.kml, "Placemark"):
            number += 1
            point = Point()
        case (.kml, "LineString"), (.kml, "Polygon"), (.kml, "LinearRing"), (.kml, "Track"), (.kml, "Model"):
            point?.hasShape = true
        default: break
        }
    }

    private mutating func end(_ name: String) throws(ServiceError) {
        path.removeLast()
        let parent = path.last ?? ""
        let text = self.text
        self.text = ""
        switch (form, name, parent) {
        case (.gpx, "name", "metadata"), (.kml, "name", "Document"): list.name = list.name ?? Self.name(text)
        case (.kml, "name", "Folder"):
            guard let title = Self.name(text), !folders.isEmpty else { return }
            folders[folders.count - 1] = try list.part(ImportedList.Part(title: title))
        case (.kml, "Folder", _): if !folders.isEmpty { folders.removeLast() }
        case (.gpx, "name", "wpt"), (.gpx, "name", "rtept"), (.gpx, "name", "trkpt"), (.kml, "name", "Placemark"):
            point?.record.note(text, as: .field(.title))
        case (.gpx, "desc", "wpt"), (.gpx, "desc", "rtept"), (.gpx, "desc", "trkpt"),
            (.kml, "description", "Placemark"):
            point?.description = text
        // GPX 1.0 has its link as an element.
        case (.gpx, "url", "wpt") where WebAddress(text.trimmed) != nil: point?.record.note(text, as: .field(.link))
        case (.kml, "address", "Placemark"): point?.record.note(text, as: .field(.address))
        case (.kml, "coordinates", "Point"): if point?.coordinates == "" { point?.coordinates = text }
        case (.gpx, "wpt", _), (.gpx, "rtept", _), (.gpx, "trkpt", _), (.kml, "Placemark", _): try finish()
        case (.gpx, "trkseg", _), (.gpx, "rte", _): break
        default: break
        }
    }

    private static func name(_ text: String) -> String? { text.isBlank ? nil : text.displayed().trimmed }

    /// The point is whole.
    private mutating func finish() throws(ServiceError) {
        guard var point else { return }
        self.point = nil
        do throws(ServiceError) {
            let hasName = point.record.has(.field(.title))
            let place = point.isRoutePoint && !hasName ? nil : try place(point)
            if point.isRoutePoint ? !hasName : point.hasShape && place == nil {
                list.shapeCount += 1
                return
            }
            if let place { point.record.note(place, as: .field(.place)) }
            var part = folders.last(where: { $0 != nil }).flatMap(\.self)
            if isOurs {
                part = try list.note(ofOurs: point.description, in: &point.record) ?? part
            } else {
                point.record.note(PlainText.ofHTML(point.description), as: .field(.note))
            }
            if !hasName, let place { point.record.note(place, as: .field(.title)) }
            try list.add(point.record, number: number, part: part)
        } catch { throw ServiceError("\(list.entryName) \(number): \(error.message)") }
    }

    /// "38.7,-9.1"; nil where a placemark has no point. KML writes the longitude first, and a height behind.
    private func place(_ point: Point) throws(ServiceError) -> String? {
        let written = point.coordinates.trimmed
        if written.isEmpty { return nil }
        let parts = written.split(separator: ",", omittingEmptySubsequences: false).map { String($0).trimmed }
        let ordered = form == .gpx ? parts : [parts.count > 1 ? parts[1] : "", parts[0]]
        guard let place = PlaceReading(ordered.joined(separator: ",")).coordinates else {
            throw ServiceError("\(written.quoted) is not a place in degrees")
        }
        return place
    }
}
