package import DeltaCRDT

/// Why a change is not taken. It depends on the change and its past alone, so every node refuses alike,
/// but for `missingPast` and `unknownEpoch`, which say what this node has not heard yet.
package enum Refusal: Error, Hashable, Sendable {
    /// The bytes are not a sealed change, or not a canonical one.
    case malformed(DecodingFailure)
    /// The seal does not fit its key.
    case altered
    /// It is sealed for an epoch whose secret is not here.
    case unknownEpoch
    /// It belongs to another trip.
    case otherTrip
    /// Its previous change or one of its heads is not here.
    case missingPast
    /// Its number does not follow its previous change, or that one is another replica's.
    case brokenChain
    /// A head lies in the past of another, so that it says nothing.
    case redundantHead
    /// Its Lamport time is not one more than its past's.
    case wrongLamportTime
    /// Its author was not let in, as far as its past says.
    case notAdmitted
    /// Its author's log has more branches than anybody has by accident: what it writes counts for nobody.
    case tooManyBranches
    /// Its author was taken out of the trip, or has left it.
    case removed
    /// The signature is not the author's.
    case invalidSignature
    /// Its replica has written as much as one may: `ChangeLimits.logBytesMax`.
    case logFull
    /// What it says about membership is not its author's to say.
    case membership
}
