import DeltaCRDT

extension TripState {
    /// The whole state in one canonical form: equal states give equal bytes. For comparing replicas byte for byte.
    var encoded: [UInt8] {
        var encoder = CanonicalEncoder()
        context.encode(into: &encoder)
        Self.encode(title, into: &encoder)
        Self.encode(existence.liveKeys, into: &encoder) { item, encoder in
            encoder.encode(item.dot)
            encoder.encode(count: existence[item].count)
            for entry in existence[item].entries {
                encoder.encode(entry.dot)
                Self.encode(entry.value, into: &encoder)
            }
        }
        Self.encode(fields.liveKeys, into: &encoder) { key, encoder in
            encoder.encode(key.item.dot)
            encoder.encode(fixed: [key.field.rawValue])
            Self.encode(fields[key], into: &encoder)
        }
        Self.encode(origins.keys, into: &encoder) { item, encoder in
            guard let origin = origins[item] else { return }
            encoder.encode(item.dot)
            encoder.encode(fixed: origin.author.bytes)
            Self.encode(origin.stamp, into: &encoder)
            encoder.encode(origin.wallTime)
        }
        Self.encode(votes.keys, into: &encoder) { item, encoder in
            encoder.encode(item.dot)
            let entries = votes[item] ?? [:]
            Self.encode(entries.keys, into: &encoder) { participant, encoder in
                guard let entry = entries[participant] else { return }
                encoder.encode(fixed: participant.bytes)
                encoder.encode(fixed: [entry.value?.rawValue ?? 0])
                Self.encode(entry.stamp, into: &encoder)
                encoder.encode(entry.dot)
            }
        }
        Self.encode(quantities.keys, into: &encoder) { item, encoder in
            encoder.encode(item.dot)
            quantities[item]?.encode(into: &encoder)
        }
        Self.encode(people.keys, into: &encoder) { id, encoder in
            guard let person = people[id] else { return }
            encoder.encode(fixed: id.bytes)
            Self.encode(person.first, into: &encoder)
            encoder.encode(person.name != nil)
            guard let name = person.name else { return }
            encoder.encode(name.value.string)
            Self.encode(name.stamp, into: &encoder)
            encoder.encode(name.dot)
        }
        return encoder.bytes
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
