import Testing

@testable import Convergence

struct FigureTests {
    @Test func figuresAreWrittenForPeople() {
        #expect(Figures.grouped(0) == "0" && Figures.grouped(999) == "999" && Figures.grouped(1_000) == "1,000")
        #expect(Figures.grouped(-1_234_567) == "-1,234,567" && Figures.grouped(.min).hasPrefix("-9,223,372,"))
        let durations = [0, 999, 1_000, 9_999, 10_000, 60_000, 61_000, 3_600_000, 7_260_000]
        #expect(
            durations.map(Figures.duration) == [
                "0 ms", "999 ms", "1.0 s", "9.9 s", "10 s", "1 min", "1 min 1 s", "1 h", "2 h 1 min",
            ])
        #expect([999, 1_000, 14_260, 3_040_000].map(Figures.bytes) == ["999 B", "1.0 kB", "14.2 kB", "3.0 MB"])
        #expect(Figures.digest(0xAB) == "00000000000000ab" && Figures.count(1, "seed") == "1 seed")
    }

    @Test func scalesEndAtOrBeyondWhatTheyShowAndHaveFewRoundTicks() {
        for unit in [Unit.count("hop"), .milliseconds, .bytes] {
            for end in [0, 1, 2, 3, 7, 10, 11, 99, 101, 4_999, 61_000, 86_400_001, 1_000_000_007, 1 << 48] {
                let scale = Scale.rounded(unit: unit, end: end)
                #expect(scale.end >= max(1, end) && scale.ticks.first == 0 && scale.ticks.last == scale.end)
                #expect(scale.ticks.count <= 6, "\(unit) \(end): \(scale.ticks)")
                #expect(scale.position(0) == "0" && scale.position(scale.end) == "1000")
                #expect(scale.position(.max) == "1000" && scale.position(.min) == "0")
            }
        }
        #expect(Scale(unit: .milliseconds, end: 130_000).ticks == [0, 30_000, 60_000, 90_000, 120_000])
    }

    @Test func histogramsCountEverythingOnce() {
        var generator = SeededGenerator(seed: 3)
        for round in 0..<200 {
            let greatest = [1, 5, 30, 1_000, 1_000_000][round % 5]
            let values = (0..<generator.number(in: 1...400)).map { _ in
                generator.oneIn(50) ? greatest * 100 : generator.number(in: 0...greatest)
            }
            let histogram = Histogram(unit: .bytes, noun: "change", values: values)
            let bins = histogram.bins
            #expect(bins.map(\.count).reduce(0, +) == values.count && histogram.total == values.count)
            #expect(bins.count <= Histogram.binsMax + 2)
            for bin in bins { #expect(bin.count == values.filter(bin.range.contains).count) }
            let sorted = values.sorted()
            for percent in [1, 50, 99, 100] {
                #expect(histogram.percentile(percent) == sorted[(values.count * percent + 99) / 100 - 1])
            }
        }
        #expect(Histogram(unit: .bytes, noun: "change", counts: [:]).percentile(50) == 0)
    }

    @Test func aLongTimelineKeepsItsPeaks() {
        let points = (0..<100_000).map { Timeline.Point(time: $0, value: $0 == 77_777 ? 9 : 1) }
        let timeline = Timeline(time: .milliseconds, end: 100_000, value: .count("state"), points: points)
        let outline = timeline.outline
        #expect(outline.count <= 2 * Timeline.columnsMax + 2 && outline.contains { $0.value == 9 })
        #expect(zip(outline, outline.dropFirst()).allSatisfy { $0.time <= $1.time })
        #expect(outline.last == points.last)
    }

    /// Of 64 replicas that crash thousands of times, few bands are drawn, and no moment of trouble is left blank.
    @Test func manyBandsAreDrawnAsFewWithoutAGap() {
        let bands = (0..<5_000).map { Timeline.Band(.crash, from: $0 * 40, to: $0 * 40 + 20, "crash") }
        let apart = [Timeline.Band(.other, from: 5, to: 6, "a"), Timeline.Band(.other, from: 90_000, to: 90_001, "b")]
        let timeline = Timeline(time: .milliseconds, end: 200_000, value: .count("state"), points: [], bands: bands)
        let drawn = timeline.outline(of: apart.reversed() + bands)
        #expect(drawn.filter { $0.trouble == .other }.sorted { $0.start < $1.start } == apart)
        #expect(drawn.count == 3 && drawn.contains { $0.description == "crash and 4999 more" && $0.end == 199_980 })
    }

    @Test func logarithmsAreExactEnough() {
        for (number, expected) in [(1.0, 0.0), (2, 0.301_029_995_66), (10, 1), (999, 2.999_565_488), (1e9, 9)] {
            #expect(abs(Curves.logarithm(number) - expected) < 1e-9)
        }
    }
}
