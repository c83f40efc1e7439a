import Attachments
import DeltaCRDT

extension TripState {
    /// The whole state in one canonical form, which names everything by hashes: equal states give equal bytes. For comparing
    /// replicas byte for byte.
    var encoded: [UInt8] {
        var encoder = CanonicalEncoder()
        encoder.encode(title)
        note.text.encode(into: &encoder)
        let items = items.all.map { (id: $0.id, state: $0) }.sorted { $0.id < $1.id }
        encoder.encode(count: items.count)
        for item in items { encoder.encode(item.state) }
        encoder.encode(count: lists.count)
        for (id, list) in lists.sorted(by: { $0.key < $1.key }) {
            encoder.encode(id)
            encoder.encode(list.existence)
            encoder.encode(list.fields)
        }
        encoder.encode(count: order.nodes.count)
        for (id, node) in order.nodes.sorted(by: { $0.key < $1.key }) {
            encoder.encode(id)
            encoder.encode(node.item.operation)
            for other in [node.list, node.anchor] {
                encoder.encode(other != nil)
                if let other { encoder.encode(other) }
            }
            encoder.encode(byte: node.side.rawValue)
        }
        encoder.encode(count: firsts.count)
        for (id, first) in firsts.sorted(by: { $0.key < $1.key }) {
            encoder.encode(fixed: id.bytes)
            encoder.encode(first)
            encoder.encode(count: unknownCounts[id] ?? 0)
            encoder.encode(names[id] != nil)
            guard let name = names[id] else { continue }
            encoder.encode(name.word?.string ?? "")
            encoder.encode(name.id.cause)
            encoder.encode(UInt64(name.id.index))
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
        encode(fixed: item.origin.author.bytes)
        encode(item.origin.cause.wallTime)
        encode(item.existence)
        encode(item.fields)
        encode(item.votes) { $1.encode(byte: $0?.rawValue ?? 0) }
        encode(item.quantity != nil)
        if let quantity = item.quantity { encode(quantity) }
        encode(item.extras.value != nil)
        if let extras = item.extras.value { encode(extras) }
    }

    private mutating func encode<Word>(
        _ ballot: Ballot<Word>, _ encode: (Word?, inout CanonicalEncoder) -> Void
    ) {
        self.encode(count: ballot.entries.count)
        for entry in ballot.entries {
            self.encode(fixed: entry.id.author.bytes)
            encode(entry.word, &self)
            self.encode(entry.id.operation)
        }
    }

    fileprivate mutating func encode(_ existence: Existence) {
        let deeds = existence.enablings
        encode(count: deeds.count)
        for deed in deeds { encode(deed.operation) }
    }

    private mutating func encode(_ extras: ItemExtras) {
        encode(extras.placement != nil)
        if let placement = extras.placement { encode(placement.id.operation) }
        encode(extras.claims) { $1.encode(UInt64($0?.count ?? 0)) }
        encode(extras.attendance) { $1.encode(byte: $0?.rawValue ?? 0) }
        encode(extras.amenities)
        encode(extras.options)
        extras.note.text.encode(into: &self)
        let parts = extras.answers.parts
        encode(count: parts.count)
        for part in parts {
            encode(count: part.seen.count)
            for closing in part.seen { encode(closing) }
            encode(part.answers) { answer, encoder in
                encoder.encode(answer != nil)
                if let answer { encoder.encode(answer) }
            }
        }
        encode(extras.sealed)
        encode(count: extras.comments.count)
        for comment in extras.comments {
            encode(comment.id.operation)
            encode(comment.text.string)
            encode(comment.existence)
        }
        encode(count: extras.photos.count)
        for photo in extras.photos.elements {
            encode(photo.id.operation)
            encode(photo.manifest.bytes)
        }
    }

    private mutating func encode(_ sealed: SealedAnswers) {
        encode(count: sealed.entries.count)
        for (participant, entries) in sealed.entries.sorted(by: { $0.key < $1.key }) {
            encode(fixed: participant.bytes)
            encode(count: entries.count)
            for entry in entries {
                encode(entry.id.operation)
                encode(entry.answer != nil)
            }
        }
        encode(sealed.isClosed)
        for (participant, operation) in (sealed.counted ?? [:]).sorted(by: { $0.key < $1.key }) {
            encode(fixed: participant.bytes)
            encode(operation)
        }
    }

    private mutating func encode(_ words: WordSet) {
        encode(count: words.entries.count)
        for entry in words.entries {
            encode(entry.element.string)
            encode(count: entry.adds.count)
            for add in entry.adds { encode(add.operation) }
        }
    }

    fileprivate mutating func encode(_ registers: Registers) {
        encode(count: registers.writes.count)
        for write in registers.writes {
            encode(byte: write.key.rawValue)
            encode(write.operation)
            encode(fixed: write.author.bytes)
            encode(write.text != nil)
            if let text = write.text { encode(text.string) }
        }
    }
}
