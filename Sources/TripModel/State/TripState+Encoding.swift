import DeltaCRDT

extension TripState {
    /// The whole state in one canonical form: equal states give equal bytes. For comparing replicas byte for byte.
    var encoded: [UInt8] {
        var encoder = CanonicalEncoder()
        context.encode(into: &encoder)
        Self.encode(title, into: &encoder)
        encodeItems(into: &encoder)
        Self.encode(firsts.keys, into: &encoder) { id, encoder in
            guard let first = firsts[id] else { return }
            encoder.encode(fixed: id.bytes)
            Self.encode(first.stamp, into: &encoder)
            encoder.encode(names[id] != nil)
            guard let name = names[id] else { return }
            encoder.encode(name.text.string)
            Self.encode(name.cause.stamp, into: &encoder)
            encoder.encode(name.cause.dot(of: name.offset))
        }
        return encoder.bytes
    }

    /// One kind of what is known of them after the other, each with the items of which anything of that kind is known.
    private func encodeItems(into encoder: inout CanonicalEncoder) {
        var items: [(id: ItemID, state: ItemState)] = []
        self.items.forEach { items.append(($0, $1)) }
        items.sort { $0.id < $1.id }
        func encode(
            where isMeant: (ItemState) -> Bool, _ body: (ItemState, inout CanonicalEncoder) -> Void
        ) {
            let meant = items.filter { isMeant($0.state) }
            encoder.encode(count: meant.count)
            for item in meant {
                encoder.encode(item.id.dot)
                body(item.state, &encoder)
            }
        }
        encode(where: { !$0.existence.isEmpty }) { item, encoder in
            encoder.encode(count: item.existence.count)
            for entry in item.existence.entries {
                encoder.encode(entry.dot)
                Self.encode(entry.value.stamp, into: &encoder)
            }
        }
        encoder.encode(count: items.reduce(0) { $0 + $1.state.fields.count })
        for item in items {
            for field in item.state.fields {
                encoder.encode(item.id.dot)
                encoder.encode(fixed: [field.field.rawValue])
                Self.encode(field.writes, into: &encoder)
            }
        }
        encode(where: { $0.origin != nil }) { item, encoder in
            guard let origin = item.origin else { return }
            encoder.encode(fixed: origin.participant.bytes)
            Self.encode(origin.stamp, into: &encoder)
            encoder.encode(origin.wallTime)
        }
        encode(where: { !$0.votes.isEmpty }) { item, encoder in
            encoder.encode(count: item.votes.entries.count)
            for entry in item.votes.entries {
                encoder.encode(fixed: entry.voter.bytes)
                encoder.encode(fixed: [entry.vote?.rawValue ?? 0])
                Self.encode(entry.stamp, into: &encoder)
                encoder.encode(entry.dot)
            }
        }
        encode(where: { $0.quantity != nil }) { item, encoder in item.quantity?.encode(into: &encoder) }
    }

    private static func encode<Key: Comparable>(
        _ keys: some Collection<Key>, into encoder: inout CanonicalEncoder,
        _ body: (Key, inout CanonicalEncoder) -> Void
    ) {
        encoder.encode(count: keys.count)
        for key in keys.sorted() { body(key, &encoder) }
    }

    private static func encode(_ writes: DotFun<Written>, into encoder: inout CanonicalEncoder) {
        encoder.encode(count: writes.count)
        for entry in writes.entries {
            encoder.encode(entry.dot)
            encoder.encode(entry.value.text.string)
            encoder.encode(fixed: entry.value.author.bytes)
            encode(entry.value.stamp, into: &encoder)
        }
    }

    private static func encode(_ stamp: Stamp, into encoder: inout CanonicalEncoder) {
        encoder.encode(stamp.lamport)
        encoder.encode(stamp.hash)
    }
}
