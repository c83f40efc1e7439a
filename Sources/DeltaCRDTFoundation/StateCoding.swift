public import DeltaCRDT

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A replicated state that is also `Codable`, for a structure of an application that holds one: its bytes, which JSON has as base64.
public protocol CodableState: CanonicalCodable, Codable {}

extension CodableState {
    /// Reads the bytes. Complexity: O(size of the bytes read), with a bound on what they may ask for.
    ///
    /// - Throws: `DecodingError.dataCorrupted` with a ``DecodingReport`` as its text and a ``DecodingFailure`` beneath it.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let bytes = [UInt8](try container.decode(Data.self))
        do throws(DecodingFailure) {
            try self.init(decoding: bytes)
        } catch {
            let report = DecodingReport(of: bytes, as: Self.self)?.description ?? "\(error)"
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: report, underlyingError: error))
        }
    }

    /// Writes the bytes. Complexity: as ``CanonicalCodable/encode(into:)``.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Data(encoded()))
    }
}

extension AddWinsSet: Codable, CodableState where Element: CanonicalCodable {}
extension RemoveWinsSet: Codable, CodableState where Element: CanonicalCodable {}
extension GSet: Codable, CodableState where Element: CanonicalCodable {}
extension MVRegister: Codable, CodableState where Value: CanonicalCodable {}
extension LWWRegister: Codable, CodableState where Value: CanonicalCodable {}
extension LWWMap: Codable, CodableState where Key: CanonicalCodable, Value: CanonicalCodable {}
extension ORMap: Codable, CodableState where Key: CanonicalCodable, State.Store: CodableDotStore {}
extension RestorableMap: Codable, CodableState where Key: CanonicalCodable {}
extension Record: Codable, CodableState {}
extension EnableWinsFlag: Codable, CodableState {}
extension DisableWinsFlag: Codable, CodableState {}
extension GCounter: Codable, CodableState {}
extension PNCounter: Codable, CodableState {}
extension CausalCounter: Codable, CodableState {}
extension VoteCounter: Codable, CodableState where Subject: CanonicalCodable, Voter: CanonicalCodable {}
extension Text: Codable, CodableState {}
extension RichText: Codable, CodableState {}
extension List: Codable, CodableState where Element: CanonicalCodable {}
extension MovableList: Codable, CodableState where Element: CanonicalCodable {}
extension Tree: Codable, CodableState {}
extension SequenceAnchor: Codable, CodableState {}
extension Causal: Codable, CodableState where Store: CodableDotStore {}
extension VersionVector: Codable, CodableState {}
extension CausalContext: Codable, CodableState {}
extension StateSummary: Codable, CodableState {}
extension RangeSummary: Codable, CodableState {}
extension EntrySummary: Codable, CodableState {}

extension ReplicaID {
    /// A name drawn at random, for a new replica; keep it with what it writes. Complexity: O(1).
    public static func random() -> ReplicaID {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }
}
