import Testing

@testable import TripPage

@Suite struct OutlineTests {
    private let box = Box(left: 0, top: 0, right: 10, bottom: 10)
    private func line(_ points: (Double, Double)...) -> [PlanePosition] {
        points.map { PlanePosition(x: $0.0, y: $0.1) }
    }

    @Test("a simplified line keeps its ends and no point that is nearer than the tolerance")
    func simplified() {
        #expect(
            Outline.simplified(line((0, 0), (1, 0.1), (2, 0), (3, 2), (4, 0)), tolerance: 0.5)
                == line((0, 0), (2, 0), (3, 2), (4, 0)))
        #expect(Outline.simplified(line((0, 0), (5, 5), (0, 0)), tolerance: 1) == line((0, 0), (5, 5), (0, 0)))
        #expect(Outline.simplified([], tolerance: 1).isEmpty)
        let zigzag = (0..<50_000).map { PlanePosition(x: Double($0), y: Double($0 % 2)) }
        #expect(Outline.simplified(zigzag, tolerance: 2).count == 2)
    }

    @Test("a ring is cut at a box, and one that encloses the box becomes the box")
    func rings() {
        let around = Outline.clipped(ring: line((-5, -5), (15, -5), (15, 15), (-5, 15)), to: box)
        #expect(Set(around) == Set(line((0, 0), (10, 0), (10, 10), (0, 10))))
        #expect(Outline.clipped(ring: line((20, 20), (30, 20), (30, 30)), to: box).isEmpty)
        let cut = Outline.clipped(ring: line((5, 2), (15, 2), (15, 4), (5, 4)), to: box)
        #expect(Set(cut) == Set(line((5, 2), (10, 2), (10, 4), (5, 4))))
    }

    @Test("path data are relative tenths, without points that are the same in those")
    func pathData() {
        #expect(Outline.pathData([line((1.04, 2), (1.5, 2), (1.52, 2), (0, -0.25))]) == "M1 2l.5 0 -1.5 -2.3z")
        #expect(Outline.pathData([line((.infinity, 0))]) == "M1000000 0z")
    }

    @Test("pins in one spot are spread so that none hides another, on the drawing and near where they belong")
    func spread() {
        let pins = (0..<40).map { Pin(spot: PlanePosition(x: $0 < 20 ? 180 : 5, y: 150), radius: 8) }
        let spread = PinSpread.spread(pins, width: 360, height: 300)
        for left in spread.indices {
            #expect(spread[left].position.distance(to: spread[left].spot) < 90)
            #expect((8...352).contains(spread[left].position.x) && (8...292).contains(spread[left].position.y))
            for right in spread.indices.dropFirst(left + 1) {
                #expect(spread[left].position.distance(to: spread[right].position) > 14)
            }
        }
        let alone = [Pin(spot: PlanePosition(x: 50, y: 50), radius: 8)]
        #expect(PinSpread.spread(alone, width: 360, height: 300)[0].position == alone[0].spot)
    }
}
