/// What stands on a drawing around a spot, and may give way to others.
struct Pin: Sendable {
    /// Where it belongs.
    let spot: PlanePosition
    let radius: Double
    /// Where it stands.
    var position: PlanePosition

    init(spot: PlanePosition, radius: Double) {
        self.spot = spot
        self.radius = radius
        position = spot
    }

    var isMoved: Bool { position.distance(to: spot) > radius / 2 }
}

/// Moves pins that overlap apart, each as little as it can, and keeps them on the drawing.
enum PinSpread {
    static let roundsMax = 120

    /// - Complexity: O(n²) a round, `roundsMax` rounds.
    static func spread(_ pins: [Pin], width: Double, height: Double, gap: Double = 2) -> [Pin] {
        var pins = pins
        for round in 0..<roundsMax {
            var isCrowded = false
            for left in pins.indices {
                for right in pins.indices.dropFirst(left + 1) {
                    let wanted = pins[left].radius + pins[right].radius + gap
                    var x = pins[right].position.x - pins[left].position.x
                    var y = pins[right].position.y - pins[left].position.y
                    guard abs(x) < wanted, abs(y) < wanted else { continue }
                    var distance = (x * x + y * y).squareRoot()
                    guard distance < wanted - 0.05 else { continue }
                    isCrowded = true
                    if distance < 0.01 {
                        // One on the other: by the golden angle, so that many in one spot become a flower.
                        let angle = Double(right) * 2.399963
                        (x, y, distance) = (Sphere.cosine(angle), Sphere.sine(angle), 1)
                    }
                    let push = (wanted - min(distance, wanted)) / 2 / distance
                    pins[left].position.x -= x * push
                    pins[left].position.y -= y * push
                    pins[right].position.x += x * push
                    pins[right].position.y += y * push
                }
            }
            for index in pins.indices {
                // Home again a little, in the first half: a push that others have made needless is taken back.
                if round < roundsMax / 2 {
                    pins[index].position.x += (pins[index].spot.x - pins[index].position.x) * 0.04
                    pins[index].position.y += (pins[index].spot.y - pins[index].position.y) * 0.04
                }
                let edge = pins[index].radius + 2
                pins[index].position.x = min(max(pins[index].position.x, edge), max(width - edge, edge))
                pins[index].position.y = min(max(pins[index].position.y, edge), max(height - edge, edge))
            }
            if !isCrowded { break }
        }
        return pins
    }
}
