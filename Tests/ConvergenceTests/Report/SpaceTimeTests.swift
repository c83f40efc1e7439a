import Testing

@testable import Convergence

/// The diagram of a small run: all that its trace tells, within bounds.
struct SpaceTimeTests {
    private func page(_ moments: [Moment]) throws -> Page {
        var report = SampleReport.make(isBroken: true)
        report.failing?.diagram = SpaceTime(moments)
        return try Page(report.html)
    }

    @Test("each mutant's small run is drawn with all that happened and all that was held")
    func mutants() throws {
        for mutant in Mutant.all {
            let finding = try #require(mutant.find(seeds: 1...200))
            let failing = finding.failing
            let drawn = try #require(failing.diagram, "\(mutant.name)")
            #expect(drawn.rows.compactMap(\.moment.line) == failing.trace, "\(mutant.name)")
            #expect(drawn.rows.last?.moment.kind == .violation && drawn.omittedCount == 0)
            for row in drawn.rows {
                if case .arrival(let from, let to, let departure) = row.moment.kind {
                    let left = try #require(drawn.row(of: departure))
                    #expect(left.moment.kind == .departure(from: from, to: to) && left.y < row.y, "\(mutant.name)")
                }
            }
            var report = SampleReport.make(isBroken: true)
            report.failing = failing
            let page = try Page(report.html)
            #expect(page.problem == nil && page.elements.contains("svg"))
            #expect(failing.trace.allSatisfy(page.titles.contains), "\(mutant.name)")
        }
    }

    @Test("faults are drawn: lost, refused, down, cut off")
    func faults() throws {
        let kinds: [Moment.Kind] = [
            .act(0), .departure(from: 0, to: 2), .loss(from: 0, to: 2, departure: 1), .stop(2),
            .departure(from: 0, to: 2),
            .refusal(to: 2, departure: 4), .start(2), .incident(0), .network, .departure(from: 2, to: 0),
            .arrival(from: 2, at: 0, departure: 9), .departure(from: 0, to: 2),
            .violation,
        ]
        let moments = kinds.enumerated().map { Moment(time: $0, kind: $1, text: "text \($0)", held: "held \($0)") }
        let drawn = try #require(SpaceTime(moments))
        #expect(drawn.replicas == [0, 2])
        let source = drawn.markup.source
        #expect(source.components("class=\"cross\"") == 3 && source.components("class=\"head\"") == 1)
        #expect(source.components("class=\"life gone\"") == 1 && source.components("class=\"life\"") == 3)
        #expect(source.components("class=\"message late\"") == 1)
        for number in [0, 6, 10] { #expect(source.contains("held \(number)<")) }
        for number in [0, 3, 5, 7, 8, 12] { #expect(source.contains("text \(number)<"), "\(number)") }
    }

    @Test("what a replica holds is text, whatever it looks like, and no drawing grows without bound")
    func bounds() throws {
        let nasty = "</text><script>alert(1)</script>\u{1B}\u{202E}" + String(repeating: "界", count: 10_000)
        let moments = (0..<5_000).map { Moment(time: $0, kind: .act($0 % 12), text: nasty, held: nasty + "\($0)") }
        let drawn = try #require(SpaceTime(moments))
        #expect(drawn.rows.count == SpaceTime.rowsMax && drawn.omittedCount == 4_800)
        #expect(drawn.rows.allSatisfy { $0.labels.count <= 2 * SpaceTime.labelLinesMax })
        let page = try page(moments.suffix(12))
        #expect(page.problem == nil && !page.elements.contains("script"))
        #expect(SpaceTime([]) == nil && SpaceTime((0..<13).map { Moment(time: 0, kind: .act($0)) }) == nil)
    }

    @Test("long texts are broken at blanks, and end in an ellipsis")
    func wrapping() {
        #expect(SpaceTime.wrapped("add tent to the list", 8) == ["add ", "tent to ", "the list"])
        #expect(SpaceTime.wrapped("abcdefgh", 3) == ["abc", "def", "gh"])
        #expect(SpaceTime.wrapped("界界界", 4) == ["界界", "界"])
        let lines = SpaceTime.wrapped(String(repeating: "x", count: 1_000), 10)
        #expect(lines.count == SpaceTime.labelLinesMax && lines.last?.hasSuffix("…") == true)
    }
}

extension String {
    fileprivate func components(_ part: String) -> Int { ranges(of: part).count }
}
