/// Where and why bytes could not be read, for a log or a bug report.
///
/// ```swift
/// do {
///     list = try AddWinsSet(decoding: bytes)
/// } catch .newerVersion {
///     askForAnUpdate()
/// } catch {
///     // AddWinsSet<String>: truncated at byte 17 of 230
///     log("\(DecodingReport(of: bytes, as: AddWinsSet<String>.self)!)")
/// }
/// ```
public struct DecodingReport: Hashable, Sendable, CustomStringConvertible {
    /// What was wrong.
    public let failure: DecodingFailure
    /// How many bytes had been read when that was found. Of a value within another it is the byte in the whole.
    public let offset: Int
    /// How many bytes there were.
    public let count: Int
    /// The type that was to be read.
    public let type: String

    /// Reads the bytes again; nil where they can be read. Complexity: as ``CanonicalCodable/init(from:)``.
    public init?<Value: CanonicalCodable>(of bytes: [UInt8], as: Value.Type, knownReplicas: [ReplicaID] = []) {
        var decoder = CanonicalDecoder(bytes, knownReplicas: knownReplicas)
        do throws(DecodingFailure) {
            _ = try Value(from: &decoder)
            try decoder.finish()
            return nil
        } catch {
            failure = error
        }
        offset = decoder.offset
        count = bytes.count
        type = "\(Value.self)"
    }

    /// The type, the failure and the byte.
    public var description: String { "\(type): \(failure) at byte \(offset) of \(count)" }
}
