import DeltaCRDT

extension TripState {
    /// The whole state in one canonical form: equal states give equal bytes. For comparing replicas byte for byte.
    var encoded: [UInt8] {
        var encoder = CanonicalEncoder()
        encode(context, into: &encoder)
        encode(title, into: &encoder)
        encodeSorted(Array(existence.liveKeys), into: &encoder) { item, encoder in
            encode(item.dot, into: &encoder)
            encoder.encode(count: existence[item].count)
            for entry in existence[item].entries {
                encode(entry.dot, into: &encoder)
                encode(entry.value, into: &encoder)
            }
        }
        encodeSorted(Array(fields.liveKeys), into: &encoder) { key, encoder in
            encode(key.item.dot, into: &encoder)
            encoder.encode(fixed: [key.field.rawValue])
            encode(fields[key], into: &encoder)
        }
        encodeSorted(Array(origins.keys), into: &encoder) { item, encoder in
            guard let origin = origins[item] else { return }
            encode(item.dot, into: &encoder)
            encoder.encode(fixed: origin.author.bytes)
            encode(origin.stamp, into: &encoder)
            encoder.encode(origin.wallTime)
        }
        encodeSorted(Array(votes.keys), into: &encoder) { item, encoder in
            encode(item.dot, into: &encoder)
            let entries = votes[item] ?? [:]
            encodeSorted(Array(entries.keys), into: &encoder) { participant, encoder in
                encoder.encode(fixed: participant.bytes)
                if let entry = entries[participant] {
                    encoder.encode(fixed: [entry.value?.rawValue ?? 0])
                    encode(entry.stamp, into: &encoder)
                    encode(entry.dot, into: &encoder)
                }
            }
        }
        encodeSorted(Array(quantities.keys), into: &encoder) { item, encoder in
            encode(item.dot, into: &encoder)
            encoder.encode(quantities[item]?.value ?? 0)
        }
        encodeSorted(Array(people.keys), into: &encoder) { id, encoder in
            guard let person = people[id] else { return }
            encoder.encode(fixed: id.bytes)
            encode(person.first, into: &encoder)
            encoder.encode(person.name?.value.string ?? "")
        }
        return encoder.bytes
    }

    private func encodeSorted<Key: Comparable>(
        _ keys: [Key], into encoder: inout CanonicalEncoder, _ body: (Key, inout CanonicalEncoder) -> Void
    ) {
        encoder.encode(count: keys.count)
        for key in keys.sorted() { body(key, &encoder) }
    }

    private func encode(_ context: CausalContext, into encoder: inout CanonicalEncoder) {
        var ranges: [(ReplicaID, ClosedRange<UInt64>)] = []
        context.forEachRange { ranges.append(($0, $1)) }
        encoder.encode(count: ranges.count)
        for (replica, range) in ranges {
            encoder.encode(replica)
            encoder.encode(range.lowerBound)
            encoder.encode(range.upperBound)
        }
    }

    private func encode(_ writes: DotFun<Written>, into encoder: inout CanonicalEncoder) {
        encoder.encode(count: writes.count)
        for entry in writes.entries {
            encode(entry.dot, into: &encoder)
            encoder.encode(entry.value.text.string)
            encoder.encode(fixed: entry.value.author.bytes)
            encode(entry.value.stamp, into: &encoder)
        }
    }

    private func encode(_ dot: Dot, into encoder: inout CanonicalEncoder) {
        encoder.encode(dot.replica)
        encoder.encode(dot.counter)
    }

    private func encode(_ stamp: Stamp, into encoder: inout CanonicalEncoder) {
        encoder.encode(stamp.lamport)
        encoder.encode(stamp.hash)
    }
}
