package import DeltaCRDT

/// Why a change is not taken: its form, which every node judges alike, but for `missingPast`, which says what this node has not
/// heard yet.
package enum Refusal: Error, Hashable, Sendable {
    /// The bytes are no record of this form, or not the canonical one.
    case malformed(DecodingFailure)
    /// It belongs to another trip.
    case otherTrip
    /// Its previous change or one of its heads is not here.
    case missingPast
    /// Its number does not follow its previous change, or that one is another replica's.
    case brokenChain
    /// Its Lamport time is not one more than its past's.
    case wrongLamportTime
    /// Nothing in its past introduces its author's keys.
    case unknownAuthor
    /// The signature is not the author's, or nobody asked for the admission.
    case invalidSignature
    /// A founding that is no beginning of this trip.
    case invalidFounding
    /// What it lets in is not named after an invite that its author had seen opened, nor after its author; or it is a further
    /// device of somebody else.
    case invalidAdmission
    /// It opens an invite for somebody else's further devices.
    case invalidInvite
    /// The participant whose device it lets in has as many as one may have.
    case tooManyDevices
    /// Its author's participant has as many guests as one may have.
    case tooManyGuests
    /// Its chain says more than one may.
    case chainFull
    /// More people are above the participant that it lets in than may be.
    case tooDeep
    /// A guest says who is in.
    case statementOfGuest
    /// It removes a participant, or closes an invite, that nothing in its past introduced; or it keeps a change, or acts on what a
    /// change made, that is not in its past.
    case unknownSubject
    /// It ends a device that is not a further one of its author's person, or as of a change that is not that device's.
    case invalidEnd
}
