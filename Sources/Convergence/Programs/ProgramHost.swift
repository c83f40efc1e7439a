/// The programs of a run, and what the harness must remember of them. A run asks them one after the other, on one thread.
final class ProgramHost: @unchecked Sendable, Hashable {
    let type: DataType
    /// The answers of each program to a line.
    private let programs: [Answer]
    /// The first thing that went wrong. From then on nothing is asked any more.
    private(set) var failure: ProgramFailure?
    private(set) var lineCount = 0
    /// Values that each replica's person made up, so that no two are the same.
    private var valueCounts: [Int: Int] = [:]
    /// Which program plays each replica.
    private var versions: [Int: Int] = [:]

    typealias Answer = @Sendable (String) throws(ProgramFailure) -> String

    init(_ programs: [Answer], _ type: DataType) {
        self.programs = programs
        self.type = type
    }

    static func == (left: ProgramHost, right: ProgramHost) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// A run begins.
    func restart() { (valueCounts, versions) = ([:], [:]) }

    /// Versions take turns among the replicas; whenever one starts again it is updated to the next, and reads what the one before saved.
    func start(_ replica: Int, _ start: Int) {
        versions[replica] = min(programs.count - 1, replica % programs.count + min(start, programs.count))
    }

    /// Which version plays a replica, from 1; nil where there is only one.
    func version(of replica: Int) -> Int? { programs.count == 1 ? nil : 1 + versions[replica, default: 0] }

    /// Asks the program of a replica; nil where one has failed.
    func ask(_ replica: Int, _ request: [String: JSON]) -> JSON? {
        guard failure == nil else { return nil }
        var request = request
        request["replica"] = .integer(Int64(replica))
        do throws(ProgramFailure) {
            let line = JSON.object(request).description
            let json = try Self.parsed(try programs[versions[replica, default: 0]](line))
            lineCount += 1
            if let error = json["error"] {
                throw ProgramFailure("a program reports an error: \(error.text ?? error.description)")
            }
            return json
        } catch {
            failure = error
            return nil
        }
    }

    /// What is shown, of an answer that must say so.
    func reading(_ answer: JSON) -> Reading? {
        if let reading = answer["view"].flatMap({ Reading($0, of: type) }) { return reading }
        failure =
            failure
            ?? ProgramFailure(
                "a program's answer needs a \"view\" of a \(type), \(type.kind.form): \(answer.description.prefix(200))"
            )
        return nil
    }

    static func parsed(_ line: String) throws(ProgramFailure) -> JSON {
        do throws(JSON.Malformed) {
            let json = try JSON(parsing: line)
            if json.members != nil { return json }
        } catch {
            throw ProgramFailure("a program answered with what is no JSON (\(error)): \(line.prefix(200))")
        }
        throw ProgramFailure("a program must answer with an object, not \(line.prefix(200))")
    }

    /// A value that nobody wrote before in this run: a1 is the first of replica 0; in a text, a letter.
    func newValue(of replica: Int) -> String {
        let count = valueCounts[replica, default: 0]
        valueCounts[replica] = count + 1
        guard type.kind == .text else { return Self.letter(replica) + String(count + 1) }
        // Small letters first; then Chinese ones, of which there are 20,992.
        if replica < 4, count < 6, let scalar = Unicode.Scalar(UInt32(0x61 + replica * 6 + count)) {
            return String(scalar)
        }
        return Unicode.Scalar(UInt32(0x4E00 + (replica * 640 + count) % 20_992)).map { String($0) } ?? "?"
    }

    private static func letter(_ replica: Int) -> String {
        Unicode.Scalar(UInt32(0x61 + replica % 26)).map { String($0) + (replica < 26 ? "" : "\(replica / 26).") } ?? "?"
    }
}
