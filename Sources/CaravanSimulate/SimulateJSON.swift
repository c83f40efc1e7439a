import Convergence
import TripText

extension Report {
    /// For programs. Keys never change their meaning; new ones may come.
    var json: JSONValue {
        .object([
            "command": .string(command),
            "digest": digest.map { .string(Figures.digest($0)) },
            "failing": failing?.json,
            "faults": .object(Dictionary(uniqueKeysWithValues: faults.map { ($0.name, .integer(Int64($0.count))) })),
            "figures": .object(
                Dictionary(uniqueKeysWithValues: headlines.map { ($0.key, .integer(Int64($0.number))) })),
            "interrupted": .bool(isInterrupted),
            "risks": .object(Dictionary(uniqueKeysWithValues: risks.map { ($0.name, .integer(Int64($0.count))) })),
            "laws": .object(Dictionary(uniqueKeysWithValues: laws.map { ($0.name, .integer(Int64($0.count))) })),
            "subject": .string(subject),
            "violated": .bool(failing != nil),
        ])
    }
}

extension Report.Failing {
    var json: JSONValue {
        .object([
            "after": Self.json(after),
            "before": Self.json(before),
            "command": command.map { .string($0) },
            "deviations": deviationCount.map { .integer(Int64($0)) },
            "finding": .string(finding),
            "law": .string(law.name),
            "seed": .string(String(seed)),
            "step": .integer(Int64(failedStep)),
            "trace": .array(trace.map { .string($0) }),
        ])
    }

    private static func json(_ size: Size) -> JSONValue {
        .object([
            "events": .integer(Int64(size.events)), "faults": .integer(Int64(size.faults)),
            "replicas": .integer(Int64(size.replicas)),
        ])
    }
}
