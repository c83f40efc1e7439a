/// What each process did and read, in the order of each process: everything that an observer knows without seeing messages or
/// replicas, such as a client of a running system.
///
/// ``anomaly()`` says which law the data broke, for every causally consistent way in which messages may have spread, as Elle does
/// for transactions (Kingsbury, Alvaro: *Elle: inferring isolation anomalies from experimental observations*, 2020). Values should
/// be unique, so that a read value identifies its write: each write of a register or map, each element of a list. Elements of sets
/// may be added again.
public struct RecordedHistory: Sendable {
    /// An act or a reading of a process.
    public enum Event: Hashable, Sendable {
        /// The process did this, after everything before it in its list.
        case did(Operation)
        /// The process read this. `isFinal` if every replica had received everything by then.
        case read(Reading, isFinal: Bool)
    }

    /// An event, and whose it is.
    public struct Entry: Hashable, Sendable {
        /// Any name: a person, a client, a replica.
        public let process: String
        /// What it did or read.
        public let event: Event

        /// Both.
        public init(process: String, _ event: Event) {
            self.process = process
            self.event = event
        }
    }

    /// What is replicated.
    public let type: DataType
    /// Each process's events in their order; how those of different processes stand to one another means nothing.
    public var entries: [Entry]

    /// A history of data of a type.
    public init(_ type: DataType, _ entries: [Entry] = []) {
        self.type = type
        self.entries = entries
    }

    /// A line that is no event, and why.
    public struct MalformedLine: Error, Sendable, CustomStringConvertible {
        /// From 1.
        public let line: Int
        let reason: String

        public var description: String { "line \(line): \(reason)" }
    }

    /// Events of a history at most.
    public static var entriesMax: Int { 5_000 }

    /// Reads a history, a JSON object in each line: `{"process":"ann","do":"add","value":"tent"}`, or
    /// `{"process":"bob","read":["tent"]}`, with `"final":true` where everybody has heard of everything. Throws at the first
    /// line that is neither, and where there are more than ``entriesMax``.
    public init(_ type: DataType, parsing text: some StringProtocol) throws(MalformedLine) {
        self.init(type)
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        where !line.allSatisfy({ $0.isWhitespace }) {
            func malformed(_ reason: String) -> MalformedLine { MalformedLine(line: index + 1, reason: reason) }
            guard entries.count < Self.entriesMax else { throw malformed("more than \(Self.entriesMax) events") }
            let json: JSON
            do throws(JSON.Malformed) { json = try JSON(parsing: line) } catch { throw malformed("\(error)") }
            guard let process = json["process"]?.text else { throw malformed("a \"process\" is missing") }
            if let read = json["read"] {
                guard let reading = Reading(read, of: type) else {
                    throw malformed("\(read) is no reading of a \(type)")
                }
                entries.append(.init(process: process, .read(reading, isFinal: json["final"]?.flag ?? false)))
            } else if let operation = Operation(json, on: type) {
                entries.append(.init(process: process, .did(operation)))
            } else {
                throw malformed("\(json.description.prefix(100)) is no operation on a \(type)")
            }
        }
    }

    /// The first law that was broken, with what shows it; nil where everything that was read can have come about. O(events³) at
    /// worst, in bits; not every anomaly is found, and every one that is found is one.
    public func anomaly() -> Anomaly? {
        var visibility = Visibility(entries)
        do throws(Anomaly) {
            try visibility.begin()
            var inference = HistoryInference(type)
            repeat {
                try inference.infer(&visibility)
                try visibility.spread()
            } while visibility.takeProgress()
            try inference.finish(&visibility)
            try visibility.compareReads()
            return nil
        } catch {
            return error
        }
    }
}

/// What shows that a law was broken.
public struct Anomaly: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which one.
    public let law: Law
    /// In one line.
    public let finding: String
    /// The events that contradict one another, and why, a line each.
    public let witness: [String]

    public var description: String { (["\(law.name): \(finding)"] + witness.map { "  " + $0 }).joined(separator: "\n") }
}
