extension Desktop {
    /// Pictures that are drawn at once; others wait.
    private static let pictures = BoundedTurns(atOnce: 2, waitingMax: 16)
    private static let pictureLimits = Child.Limits(seconds: 10, mebibytes: 1_024, outputBytesMax: 4 << 20)

    /// A drawing as PNG, at most 4 MiB, by `rsvg-convert` (package librsvg2-bin): in a child with an empty environment and
    /// bounds on time, memory and output. At most 2 are drawn at once, and 16 wait.
    ///
    /// - Throws: where the program is not installed, is too slow, or refuses the drawing.
    package static func png(ofSVG svg: String) async throws(DesktopError) -> [UInt8] {
        guard let program = Program("rsvg-convert") else {
            throw DesktopError("rsvg-convert is not installed; install the package librsvg2-bin")
        }
        try await pictures.begin()
        let outcome: Result<Child.Outcome, DesktopError>
        do {
            // It opens no font of the person's own and reads no setting of theirs: a trip looks alike on every machine
            // with the same fonts.
            outcome = .success(
                try await Child.run(
                    program, ["--format=png"], environment: ["LC_ALL=C.UTF-8"], input: Array(svg.utf8), pictureLimits))
        } catch { outcome = .failure(error) }
        await pictures.end()
        let drawn = try outcome.get()
        guard drawn.status == 0, drawn.output.starts(with: [0x89, 0x50, 0x4E, 0x47]) else {
            let reason = drawn.errors.split(separator: "\n").first.map { ": \($0)" } ?? ""
            throw DesktopError("rsvg-convert cannot convert the drawing\(reason)")
        }
        return drawn.output
    }
}

/// Lets a few do something at once, the others after them, in order.
actor BoundedTurns {
    private let waitingMax: Int
    private let things: String
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// - Parameter things: what is done, in messages.
    init(atOnce: Int, waitingMax: Int, of things: String = "pictures") {
        free = atOnce
        self.waitingMax = waitingMax
        self.things = things
    }

    /// Returns when it is the caller's turn, who says `end` when it is over.
    func begin() async throws(DesktopError) {
        if free > 0 {
            free -= 1
            return
        }
        guard waiting.count < waitingMax else {
            throw DesktopError("too many \(things) were requested at once; try again")
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func end() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
