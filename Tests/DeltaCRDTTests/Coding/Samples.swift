import DeltaCRDT

/// A type that can be read from bytes and written again.
struct CodedType: Sendable {
    let name: String
    /// Reads and writes again; throws what reading throws.
    let recode: @Sendable ([UInt8]) throws(DecodingFailure) -> [UInt8]
    /// Reads a state, acts on it in the name of each of its replicas, and tells whether it and all deltas can be read.
    let staysReadable: @Sendable (_ bytes: [UInt8], _ replicas: [ReplicaID]) throws(DecodingFailure) -> Bool
    /// Encodings of states that a history reached.
    let samples: [[UInt8]]

    init<S: Specimen>(_ name: String, _ specimen: S.Type) {
        self.name = name
        recode = { bytes throws(DecodingFailure) in try S.State(decoding: bytes).encoded() }
        staysReadable = { bytes, replicas throws(DecodingFailure) in
            var state = try S.State(decoding: bytes)
            var random = SplitMix64(seed: 9)
            for _ in 0..<32 {
                for replica in replicas {
                    let delta = S.perform(S.operation(&random), on: &state, by: replica)
                    for written in [delta, state] where (try? S.State(decoding: written.encoded())) != written {
                        return false
                    }
                }
            }
            return true
        }
        var random = SplitMix64(seed: 5)
        var states = [S.State(), S.State(), S.State()]
        var samples: [[UInt8]] = [S.State().encoded()]
        for step in 0..<60 {
            let index = random.below(3)
            let replica = ReplicaID(high: UInt64(index), low: 50)
            let delta = S.perform(S.operation(&random), on: &states[index], by: replica)
            if random.below(3) == 0 { states[index].merge(states[random.below(3)]) }
            if step % 6 == 0 { samples += [delta.encoded(), states[index].encoded()] }
        }
        self.samples = samples
    }

    static let all = [
        CodedType("GCounter", GCounterSpecimen.self),
        CodedType("PNCounter", PNCounterSpecimen.self),
        CodedType("CausalCounter", CausalCounterSpecimen.self),
        CodedType("VoteCounter", VoteCounterSpecimen.self),
        CodedType("GSet", GSetSpecimen.self),
        CodedType("AddWinsSet", AddWinsSetSpecimen.self),
        CodedType("RemoveWinsSet", RemoveWinsSetSpecimen.self),
        CodedType("EnableWinsFlag", EnableWinsFlagSpecimen.self),
        CodedType("DisableWinsFlag", DisableWinsFlagSpecimen.self),
        CodedType("LWWRegister", LWWRegisterSpecimen.self),
        CodedType("MVRegister", MVRegisterSpecimen.self),
        CodedType("LWWMap", LWWMapSpecimen.self),
        CodedType("ORMap", ORMapSpecimen.self),
        CodedType("ORMap of Records", RecordSpecimen.self),
        CodedType("Text", TextSpecimen.self),
        CodedType("RichText", FormattingSpecimen<RichText>.self),
        CodedType("List", ListSpecimen.self),
        CodedType("MovableList", MovableListSpecimen.self),
        CodedType("Tree", TreeSpecimen.self),
        CodedType("Board", BoardSpecimen.self),
    ]
}
