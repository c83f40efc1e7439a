import Attachments
import DeltaCRDT

// A whole trip in few bytes: what a list of many items takes to cross a socket is most of what it takes to show it.
extension TripView {
    private static let textMax = Limits.noteShown * Limits.bytesPerCharacter

    /// The view in the canonical coding: people once, and by their places in that list wherever they are named.
    package var bytes: [UInt8] {
        var writer = ViewWriter(participants)
        writer.write(title)
        writer.write(note)
        writer.encoder.encode(count: items.count)
        for item in items { writer.write(item) }
        writer.encoder.encode(count: removedItems.count)
        for item in removedItems { writer.write(item) }
        for lists in [lists, removedLists] {
            writer.encoder.encode(count: lists.count)
            for list in lists { writer.write(list) }
        }
        writer.encoder.encode(unlistedOrder != nil)
        if let unlistedOrder { writer.write(unlistedOrder) }
        if let whole {
            writer.encoder.encode(true)
            writer.encoder.encode(UInt64(whole.nights ?? 0))
        }
        return writer.encoder.bytes
    }

    /// What `bytes` wrote; nil for anything else.
    package init?(bytes: [UInt8]) {
        do {
            var reader = ViewReader(bytes)
            let participants = try reader.readParticipants()
            let title = try reader.readField()
            let note = try reader.readField()
            let items = try reader.readItems(areRemoved: false)
            let removed = try reader.readItems(areRemoved: true)
            let lists = try reader.readLists(areRemoved: false)
            let removedLists = try reader.readLists(areRemoved: true)
            let unlistedOrder = try reader.decoder.decodeBool() ? try reader.readIDs() : nil
            let whole = try reader.readWhole(participants)
            try reader.decoder.finish()
            self.init(
                title: title, note: note, participants: participants, items: items, removedItems: removed, lists: lists,
                removedLists: removedLists, unlistedOrder: unlistedOrder, partOf: whole)
        } catch {
            return nil
        }
    }

    private struct ViewWriter {
        var encoder = CanonicalEncoder()
        private var places: [ParticipantID: Int] = [:]

        init(_ participants: [ParticipantView]) {
            encoder.encode(count: participants.count)
            for (place, participant) in participants.enumerated() {
                places[participant.id] = place
                encoder.encode(fixed: participant.id.bytes)
                encoder.encode(participant.name != nil)
                if let name = participant.name { encoder.encode(name) }
                encoder.encode(participant.displayName)
                encoder.encode(participant.isOut)
                encoder.encode(participant.isWaiting)
            }
        }

        /// Every named participant has acted, and so is in the list.
        private mutating func write(_ participant: ParticipantID) { encoder.encode(UInt64(places[participant] ?? 0)) }

        /// The changes that made an item and that touched it last: the hash of the first is the item's.
        private mutating func writeStamps(_ item: ItemView) {
            encoder.encode(item.added.lamport)
            encoder.encode(item.touched != item.added)
            guard item.touched != item.added else { return }
            encoder.encode(item.touched.lamport)
            encoder.encode(item.touched.hash)
        }

        mutating func write(_ field: FieldView?) {
            guard let field else { return encoder.encode(count: 0) }
            encoder.encode(count: 1 + field.alternatives.count)
            for proposal in [field.shown] + field.alternatives {
                encoder.encode(proposal.value)
                write(proposal.author)
            }
        }

        mutating func write(_ item: ItemView) {
            encoder.encode(item.id.operation)
            encoder.encode(item.shortID)
            encoder.encode(UInt64(item.number))
            write(item.fields)
            write(item.votes) { $1.encode(byte: $0.rawValue) }
            encoder.encode(item.quantity != nil)
            if let quantity = item.quantity { encoder.encode(quantity) }
            write(item.addedBy)
            encoder.encode(item.addedAt)
            writeStamps(item)
            encoder.encode(item.sayings != ItemSayings())
            if item.sayings != ItemSayings() { write(item.sayings) }
        }

        private mutating func write<Word>(
            _ words: [LastWord<Word>], _ write: (Word, inout CanonicalEncoder) -> Void
        ) {
            encoder.encode(count: words.count)
            for word in words {
                self.write(word.participant)
                write(word.word, &encoder)
            }
        }

        private mutating func write(_ fields: [Field: FieldView]) {
            encoder.encode(count: fields.count)
            for field in Field.allCases {
                guard let view = fields[field] else { continue }
                encoder.encode(fixed: [field.rawValue])
                write(view)
            }
        }

        private mutating func write(_ sayings: ItemSayings) {
            encoder.encode(sayings.placed != nil)
            if let placed = sayings.placed {
                encoder.encode(placed.lamport)
                encoder.encode(placed.hash)
            }
            encoder.encode(sayings.list != nil)
            if let list = sayings.list {
                encoder.encode(list.id.operation)
                encoder.encode(list.title)
            }
            write(sayings.claims) { $1.encode($0) }
            write(sayings.attendance) { $1.encode(byte: $0.rawValue) }
            encoder.encode(count: sayings.amenities.count)
            for word in sayings.amenities { encoder.encode(word) }
            encoder.encode(count: sayings.options.count)
            for option in sayings.options { encoder.encode(option) }
            write(sayings.answers) { given, encoder in
                for answer in [given.counted, given.late, given.known] {
                    encoder.encode(answer != nil)
                    if let answer { encoder.encode(answer) }
                }
                encoder.encode(byte: given.seal?.rawValue ?? 0)
            }
            encoder.encode(count: sayings.comments.count)
            for comment in sayings.comments {
                encoder.encode(comment.id.operation)
                write(comment.author)
                encoder.encode(comment.text)
                encoder.encode(comment.at)
            }
            encoder.encode(count: sayings.photos.count)
            for photo in sayings.photos {
                encoder.encode(photo.id.operation)
                encoder.encode(photo.manifest.bytes)
                write(photo.author)
                for size in PhotoManifest.Size.allCases { encoder.encode(byte: photo.absent.contains(size) ? 1 : 0) }
            }
        }

        mutating func write(_ list: ListView) {
            encoder.encode(list.id.operation)
            write(list.fields)
            write(list.items)
            write(list.addedBy)
        }

        mutating func write(_ ids: [ItemID]) {
            encoder.encode(count: ids.count)
            for id in ids { encoder.encode(id.operation) }
        }
    }

    private struct ViewReader {
        var decoder: CanonicalDecoder
        private var participants: [ParticipantView] = []

        init(_ bytes: [UInt8]) { decoder = CanonicalDecoder(bytes) }

        mutating func readParticipants() throws -> [ParticipantView] {
            for _ in 0..<(try decoder.decodeCount(limit: .max, minimumSize: 20)) {
                guard let id = ParticipantID(bytes: try decoder.decodeReplicaID().bytes) else {
                    throw DecodingFailure.unknown
                }
                let name = try decoder.decodeBool() ? try decoder.decodeString(limit: TripView.textMax) : nil
                participants.append(
                    ParticipantView(
                        id: id, name: name, displayName: try decoder.decodeString(limit: TripView.textMax),
                        isOut: try decoder.decodeBool(), isWaiting: try decoder.decodeBool()))
            }
            return participants
        }

        private mutating func readParticipant() throws -> ParticipantView {
            let place = try decoder.decodeUInt64()
            guard place < participants.count else { throw DecodingFailure.unknown }
            return participants[Int(place)]
        }

        private mutating func readStamps(of id: ItemID) throws -> (added: LamportTimestamp, touched: LamportTimestamp) {
            let added = LamportTimestamp(lamport: try decoder.decodeUInt64(), hash: id.operation.change)
            guard try decoder.decodeBool() else { return (added, added) }
            return (added, LamportTimestamp(lamport: try decoder.decodeUInt64(), hash: try decoder.decodeChangeHash()))
        }

        mutating func readField() throws -> FieldView? {
            var proposals: [Proposal] = []
            for _ in 0..<(try decoder.decodeCount(limit: .max, minimumSize: 2)) {
                let value = try decoder.decodeString(limit: TripView.textMax)
                let author = try readParticipant()
                proposals.append(Proposal(value: value, author: author.id, authorName: author.displayName))
            }
            guard let shown = proposals.first else { return nil }
            return FieldView(shown: shown, alternatives: Array(proposals.dropFirst()))
        }

        mutating func readItems(areRemoved: Bool) throws -> [ItemView] {
            let count = try decoder.decodeCount(limit: .max, minimumSize: 34)
            var items: [ItemView] = []
            items.reserveCapacity(count)
            for _ in 0..<count { items.append(try readItem(isRemoved: areRemoved)) }
            return items
        }

        private mutating func readItem(isRemoved: Bool) throws -> ItemView {
            let id = ItemID(operation: try decoder.decodeOperationID())
            let shortID = try decoder.decodeString(limit: 64)
            guard let number = Int(exactly: try decoder.decodeUInt64()) else { throw DecodingFailure.tooLarge }
            let fields = try readFields()
            let votes = try readWords { try Vote.read(&$0) }
            let quantity = try decoder.decodeBool() ? try decoder.decodeInt64() : nil
            let author = try readParticipant()
            let addedAt = try decoder.decodeInt64()
            let (added, touched) = try readStamps(of: id)
            let sayings = try decoder.decodeBool() ? try readSayings() : ItemSayings()
            return ItemView(
                id: id, shortID: shortID, number: number, isRemoved: isRemoved, fields: fields, votes: votes,
                tally: votes.reduce(0) { $0 + ($1.isOut ? 0 : $1.word.weight) }, quantity: quantity,
                addedBy: author.id, addedByName: author.displayName, addedAt: addedAt, added: added,
                touched: touched, sayings: sayings, isWaiting: author.isWaiting)
        }

        private mutating func readWords<Word>(
            _ read: (inout CanonicalDecoder) throws -> Word
        ) throws -> [LastWord<Word>] {
            var words: [LastWord<Word>] = []
            for _ in 0..<(try decoder.decodeCount(limit: .max, minimumSize: 2)) {
                let person = try readParticipant()
                words.append(
                    LastWord(
                        participant: person.id, name: person.displayName, word: try read(&decoder), isOut: person.isOut)
                )
            }
            return words
        }

        private mutating func readFields() throws -> [Field: FieldView] {
            var fields: [Field: FieldView] = [:]
            for _ in 0..<(try decoder.decodeCount(limit: Field.allCases.count, minimumSize: 2)) {
                guard let field = Field(rawValue: try decoder.decodeByte()) else { throw DecodingFailure.unknown }
                fields[field] = try readField()
            }
            return fields
        }

        private mutating func readSayings() throws -> ItemSayings {
            var sayings = ItemSayings()
            if try decoder.decodeBool() {
                sayings.placed = LamportTimestamp(
                    lamport: try decoder.decodeUInt64(), hash: try decoder.decodeChangeHash())
            }
            if try decoder.decodeBool() {
                let id = ListID(operation: try decoder.decodeOperationID())
                sayings.list = ListLabel(id: id, title: try decoder.decodeString(limit: TripView.textMax))
            }
            sayings.claims = try readWords { try $0.decodeInt64() }
            sayings.attendance = try readWords { try Attendance.read(&$0) }
            for _ in 0..<(try decoder.decodeCount(limit: .max, minimumSize: 1)) {
                sayings.amenities.append(try decoder.decodeString(limit: TripView.textMax))
            }
            for _ in 0..<(try decoder.decodeCount(limit: .max, minimumSize: 1)) {
                sayings.options.append(try decoder.decodeString(limit: TripView.textMax))
            }
            sayings.answers = try readWords { decoder in
                let answers = try (0..<3).map { _ in try decoder.decodeBool() ? try decoder.decodeAnswer() : nil }
                return GivenAnswer(
                    counted: answers[0], late: answers[1], seal: GivenAnswer.Seal(rawValue: try decoder.decodeByte()),
                    known: answers[2])
            }
            for _ in 0..<(try decoder.decodeCount(limit: .max, minimumSize: 36)) {
                let id = CommentID(operation: try decoder.decodeOperationID())
                let author = try readParticipant()
                let text = try decoder.decodeString(limit: TripView.textMax)
                sayings.comments.append(
                    CommentView(
                        id: id, author: author.id, authorName: author.displayName, text: text,
                        at: try decoder.decodeInt64()))
            }
            sayings.photos = try readPhotos()
            return sayings
        }

        private mutating func readPhotos() throws -> [PhotoView] {
            var photos: [PhotoView] = []
            for _ in 0..<(try decoder.decodeCount(limit: Limits.photosShown, minimumSize: 35)) {
                let id = PhotoID(operation: try decoder.decodeOperationID())
                let manifest = try PhotoManifest(bytes: try decoder.decodeBytes(limit: PhotoManifest.bytesMax))
                let author = try readParticipant()
                var absent: [PhotoManifest.Size] = []
                for size in PhotoManifest.Size.allCases where try decoder.decodeByte() == 1 { absent.append(size) }
                photos.append(
                    PhotoView(
                        id: id, manifest: manifest, author: author.id, authorName: author.displayName, absent: absent))
            }
            return photos
        }

        mutating func readLists(areRemoved: Bool) throws -> [ListView] {
            var lists: [ListView] = []
            for _ in 0..<(try decoder.decodeCount(limit: .max, minimumSize: 36)) {
                let id = ListID(operation: try decoder.decodeOperationID())
                let fields = try readFields()
                let items = try readIDs()
                let author = try readParticipant()
                lists.append(
                    ListView(
                        id: id, fields: fields, items: items, isRemoved: areRemoved, addedBy: author.id,
                        addedByName: author.displayName))
            }
            return lists
        }

        /// Behind all else, if it is a part of a trip.
        mutating func readWhole(_ participants: [ParticipantView]) throws -> Group? {
            guard decoder.remaining > 0 else { return nil }
            guard try decoder.decodeBool(), let nights = Int(exactly: try decoder.decodeUInt64()) else {
                throw DecodingFailure.unknown
            }
            return Group(participants, nights: nights > 0 ? nights : nil)
        }

        mutating func readIDs() throws -> [ItemID] {
            let count = try decoder.decodeCount(limit: .max, minimumSize: 33)
            var ids: [ItemID] = []
            ids.reserveCapacity(count)
            for _ in 0..<count { ids.append(ItemID(operation: try decoder.decodeOperationID())) }
            return ids
        }
    }
}

extension RawRepresentable<UInt8> {
    fileprivate static func read(_ decoder: inout CanonicalDecoder) throws -> Self {
        guard let value = Self(rawValue: try decoder.decodeByte()) else { throw DecodingFailure.unknown }
        return value
    }
}
