import DeltaCRDT

extension TripState {
    /// The whole state in one canonical form, which names everything by hashes: equal states give equal bytes. For comparing
    /// replicas byte for byte.
    var encoded: [UInt8] {
        var encoder = CanonicalEncoder()
        encoder.encode(title)
        let items = items.all.map { (id: $0.id, state: $0) }.sorted { $0.id < $1.id }
        encoder.encode(count: items.count)
        for item in items { encoder.encode(item.state) }
        encoder.encode(count: firsts.count)
        for (id, first) in firsts.sorted(by: { $0.key < $1.key }) {
            encoder.encode(fixed: id.bytes)
            encoder.encode(first)
            encoder.encode(count: unknownCounts[id] ?? 0)
            encoder.encode(names[id] != nil)
            guard let name = names[id] else { continue }
            encoder.encode(name.text.string)
            encoder.encode(name.cause)
            encoder.encode(UInt64(name.index))
        }
        return encoder.bytes
    }
}

extension CanonicalEncoder {
    /// What is the same of a change wherever it is referred to.
    fileprivate mutating func encode(_ cause: Cause) {
        encode(cause.hash)
        encode(cause.stamp.lamport)
    }

    fileprivate mutating func encode(_ item: ItemState) {
        encode(item.id.operation)
        encode(item.origin.stamp.lamport)
        encode(fixed: item.origin.participant.bytes)
        encode(item.origin.wallTime)
        let tokens = item.existence.tokens
        encode(count: tokens.count)
        for token in tokens { encode(token.cause.operation(token.index)) }
        encode(item.fields)
        encode(count: item.votes.entries.count)
        for entry in item.votes.entries {
            encode(fixed: entry.voter.bytes)
            encode(byte: entry.vote?.rawValue ?? 0)
            encode(entry.operation)
        }
        encode(item.quantity != nil)
        if let quantity = item.quantity { encode(quantity) }
    }

    fileprivate mutating func encode(_ registers: Registers) {
        encode(count: registers.writes.count)
        for write in registers.writes {
            encode(byte: write.field.rawValue)
            encode(write.operation)
            encode(fixed: write.author.bytes)
            encode(write.text != nil)
            if let text = write.text { encode(text.string) }
        }
    }
}
