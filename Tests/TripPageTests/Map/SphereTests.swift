import Foundation
import Testing

@testable import TripPage

@Suite struct SphereTests {
    @Test("sine, cosine and arctangent agree with the C library's to 1e-14, in every quadrant")
    func functions() {
        for step in -2000...2000 {
            let angle = Double(step) / 250
            #expect(abs(Sphere.sine(angle) - sin(angle)) < 1e-14)
            #expect(abs(Sphere.cosine(angle) - cos(angle)) < 1e-14)
            let (y, x) = (abs(sin(angle)) * 3, cos(angle) * 3)
            #expect(abs(Sphere.arctangent(y, x) - atan2(y, x)) < 1e-14)
        }
        #expect(Sphere.arctangent(0, 0) == 0 && Sphere.arctangent(0, -1) == .pi && Sphere.arctangent(1, 0) == .pi / 2)
    }

    @Test(
        "distances are those that geographers publish for a sphere",
        arguments: [
            ("38.7223,-9.1393", "40.7128,-74.0060", 5422.2), ("48.8566,2.3522", "51.5074,-0.1278", 343.6),
            ("0,179.5", "0,-179.5", 111.195), ("90,0", "90,123", 0), ("90,0", "-90,50", 20015.1),
            ("0,0", "0,180", 20015.1), ("89.9,0", "89.9,180", 22.239),
        ])
    func distances(from: String, to: String, kilometres: Double) throws {
        let a = Sphere.direction(of: try #require(Land.Point(place: from)))
        let b = Sphere.direction(of: try #require(Land.Point(place: to)))
        #expect(abs(Sphere.distance(a, b) - kilometres) < max(kilometres * 0.001, 0.001))
        #expect(abs(Sphere.distance(a, b) - haversine(from, to)) < 0.001)
    }

    /// Another formula for the same, with the C library's functions.
    private func haversine(_ from: String, _ to: String) -> Double {
        let a = from.split(separator: ",").compactMap { Double($0) }.map { $0 * .pi / 180 }
        let b = to.split(separator: ",").compactMap { Double($0) }.map { $0 * .pi / 180 }
        let h = pow(sin((b[0] - a[0]) / 2), 2) + cos(a[0]) * cos(b[0]) * pow(sin((b[1] - a[1]) / 2), 2)
        return 2 * 6371.0088 * asin(min(1, h.squareRoot()))
    }

    @Test("a place is projected at its true distance and bearing from the centre, at poles and the antimeridian too")
    func projection() throws {
        for (centre, place, bearing) in [
            ("0,0", "0,10", (1.0, 0.0)), ("0,0", "10,0", (0, 1)), ("0,179.9", "0,-179.9", (1, 0)),
            ("0,-179.9", "0,179.9", (-1, 0)), ("90,0", "80,0", (0, -1)), ("38.7,-9.1", "38.7,-9.1", (0, 0)),
        ] {
            let from = Sphere.direction(of: try #require(Land.Point(place: centre)))
            let to = Sphere.direction(of: try #require(Land.Point(place: place)))
            let position = Projection(centre: from).project(to)
            let distance = Sphere.distance(from, to)
            if centre == "90,0" {
                #expect(abs(PlanePosition(x: 0, y: 0).distance(to: position) - distance) < 1e-6)
            } else {
                #expect(abs(position.x - bearing.0 * distance) < 1e-6 && abs(position.y - bearing.1 * distance) < 1e-6)
            }
        }
    }

    @Test("the median of places lies among most of them, however far away one is")
    func median() throws {
        let town = ["38.70,-9.14", "38.71,-9.13", "38.72,-9.15", "38.70,-9.12"]
        let directions = try (town + ["41.14,-8.61"]).map { Sphere.direction(of: try #require(Land.Point(place: $0))) }
        #expect(Sphere.distance(Sphere.median(of: directions), directions[1]) < 3)
        #expect(Sphere.distance(Sphere.middle(of: directions), directions[1]) > 50)
        #expect(Sphere.median(of: []) == Sphere.Direction(1, 0, 0))
    }

    @Test(
        "lengths are written as people say them",
        arguments: [
            (0.004, "4 m"), (0.123, "120 m"), (0.996, "1 km"), (1.24, "1.2 km"), (9.96, "10 km"), (274.4, "274 km"),
            (5422.2, "5,422 km"), (2003.0, "2,003 km"),
        ])
    func lengths(kilometres: Double, text: String) { #expect(RoundLength.text(kilometres) == text) }

    @Test("a round length is the greatest of 1, 2 and 5 with zeros that is not above what it is asked for")
    func roundLengths() {
        #expect([0.011, 0.3, 1, 4.9, 77, 600, 1e9].map(RoundLength.atMost) == [0.01, 0.2, 1, 2, 50, 500, 50_000])
        #expect(RoundLength.atMost(0) == 0.01)
    }

    @Test(
        "a place is read as the model has it, and anything else is none",
        arguments: [
            ("48.8584,2.2945", true), ("-90,180", true), ("91,0", false), ("0,181", false), ("", false), ("1", false),
            ("1,2,3", false), ("nan,nan", false), ("a,b", false), ("inf,0", false),
        ])
    func places(text: String, isPlace: Bool) { #expect((Land.Point(place: text) != nil) == isPlace) }
}
