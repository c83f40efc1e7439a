import Convergence
import TestTiers
import Testing

/// What an outsider can see of broken data, and what is no anomaly.
struct HistoryTests {
    private static let types: [DataType] = [
        DataType(.counter), DataType(.set), DataType(.register), DataType(.register, keepsAll: true),
        DataType(.map, policy: .either), DataType(.map, keepsAll: true), DataType(.list),
    ]

    private func lines(_ text: String) -> String {
        // ann +tent; bob tent? → the protocol's lines, so that thirty of them can be read.
        text.split(separator: "\n").map { line in
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            return #"{"process":"\#(words[0])",\#(words[1].trimmingPrefix(while: { $0 == " " }))}"#
        }.joined(separator: "\n")
    }

    @Test("thirty planted anomalies are found, by their laws", arguments: planted)
    func anomalies(_ planted: Planted) throws {
        let history = try RecordedHistory(planted.type, parsing: lines(planted.lines))
        let anomaly = try #require(history.anomaly(), "\(planted.name) is not found")
        #expect(anomaly.law == planted.law, "\(planted.name): \(anomaly)")
        #expect(anomaly.witness.count <= 8, "\(anomaly)")
        if history.entries.count <= 7 { #expect(NaiveOracle(history).isPossible == false, "\(planted.name)") }
    }

    @Test("seventy correct histories give no alarm")
    func fewCorrect() { checkCorrect(1...70) }

    @Test("a thousand correct histories give no alarm", .tags(.slow))
    func correct() { checkCorrect(71...1_070) }

    private func checkCorrect(_ seeds: ClosedRange<UInt64>) {
        for seed in seeds {
            let type = Self.types[Int(seed) % Self.types.count]
            let history = HistoryGenerator.history(
                type, processes: 2 + Int(seed) % 4, events: 10 + Int(seed) % 50, seed: seed)
            if let anomaly = history.anomaly() {
                Issue.record("seed \(seed), \(type): \(anomaly)\n\(history.entries)")
                return
            }
        }
    }

    /// Readings of small histories are exchanged for others: whatever raises an alarm is impossible for the oracle. What of the
    /// impossible is found is counted.
    @Test("an alarm is never false, against an oracle that tries everything", .tags(.slow))
    func oracle() {
        var (impossible, found, possible) = (0, 0, 0)
        for seed in UInt64(1)...3_000 {
            let type = Self.types[Int(seed) % Self.types.count]
            var history = HistoryGenerator.history(type, processes: 2, events: 9, seed: seed)
            var generator = SeededGenerator(seed: seed &* 31)
            let reads = history.entries.indices.filter {
                if case .read = history.entries[$0].event { true } else { false }
            }
            guard history.entries.count - reads.count <= 4, reads.count > 1 else { continue }
            let (one, other) = (
                reads[generator.number(in: 0...reads.count - 1)], reads[generator.number(in: 0...reads.count - 1)]
            )
            guard case .read(let reading, _) = history.entries[other].event,
                case .read(_, let isFinal) = history.entries[one].event
            else { continue }
            history.entries[one] = .init(process: history.entries[one].process, .read(reading, isFinal: isFinal))
            let anomaly = history.anomaly()
            if NaiveOracle(history).isPossible {
                possible += 1
                #expect(anomaly == nil, "seed \(seed), \(type): \(anomaly?.description ?? "") \(history.entries)")
            } else {
                impossible += 1
                if anomaly != nil { found += 1 }
            }
        }
        #expect(possible > 300 && impossible > 300)
        #expect(found * 100 >= impossible * 95, "\(found) of \(impossible)")
    }

    @Test(
        "a line that is no event is refused with its number",
        arguments: [
            #"{"process":"a","do":"add"}"#, #"{"do":"add","value":"a"}"#, #"{"process":"a","read":3}"#, "x",
            #"{"process":"a","do":"insert","value":"a"}"#,
        ])
    func malformed(_ line: String) {
        let text = "{\"process\":\"a\",\"do\":\"add\",\"value\":\"a\"}\n\n\(line)\n"
        #expect { try RecordedHistory(DataType(.set), parsing: text) } throws: { "\($0)".hasPrefix("line 3: ") }
    }

    @Test("a history is bounded")
    func bounded() {
        let text = String(
            repeating: "{\"process\":\"a\",\"do\":\"add\",\"value\":\"a\"}\n", count: RecordedHistory.entriesMax + 1)
        #expect(throws: RecordedHistory.MalformedLine.self) { try RecordedHistory(DataType(.set), parsing: text) }
    }
}
