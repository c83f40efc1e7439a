package import TripModel
package import TripService

/// What an import adds to a trip, in as few changes as their bounds allow: one for what is in no list, and one for each list.
package struct ImportPlan: Hashable, Sendable {
    /// The items of one change, and where they go.
    package struct Batch: Hashable, Sendable {
        package enum Target: Hashable, Sendable {
            case unlisted
            /// The end of a list that is there, by its title or the beginning of its id.
            case list(String)
            case newList(ImportedList.Part)
            /// The list that a batch before it makes.
            case listBefore
        }

        package let target: Target
        package fileprivate(set) var items: [NewItem]
    }

    /// What the trip's note becomes, and what it said when that was planned.
    package struct WrittenNote: Hashable, Sendable {
        package let text: String
        package let shown: String
    }

    package private(set) var batches: [Batch] = []
    /// Nil where the note stays as it is.
    package let note: WrittenNote?
    /// How many entries are there already, and are passed over.
    package private(set) var knownCount = 0
    /// How many assignees are nobody of the trip, and are left out.
    package private(set) var strangerCount = 0
    /// Tells its changes from those of another import, because no other begins with the same items in the trip.
    let mark: UInt64

    /// The items of each change, in their order.
    package var changes: [[NewItem]] { batches.map(\.items) }
    /// How many items are added.
    package var itemCount: Int { batches.reduce(0) { $0 + $1.items.count } }
    /// The titles of the lists that are made.
    package var newLists: [String] {
        batches.compactMap { batch in
            if case .newList(let part) = batch.target { part.title } else { nil }
        }
    }

    /// - Parameters:
    ///   - addingAll: whether entries are added that are there already: those with a link that an item has, or with
    ///     an item's title and place where one of the two has no link.
    ///   - destination: the list that all of it goes to, by its title or the beginning of its id; nil for those that are
    ///     named in what is read. A list takes no note of a trip.
    /// - Throws: one line that names the entry that the trip's rules refuse. Nothing of the list is to be added then.
    package init(
        _ list: ImportedList, into trip: TripView, addingAll: Bool = false, to destination: String? = nil
    ) throws(ServiceError) {
        let note = try destination == nil ? Self.note(of: trip, with: list.note) : nil
        let lists = trip.lists.count + trip.removedLists.count
        let start = note.map { FNV1a.hash($0.text.utf8) } ?? UInt64(lists)
        self.note = note
        mark = (trip.items + trip.removedItems).reduce(start) { ($0 ^ $1.id.mixedWord) &* 0x100_0000_01B3 }
        var known = KnownItems(trip)
        let groups = Dictionary(grouping: list.entries) { destination == nil ? $0.part : nil }
        var taken: [String: Int] = [:]
        for part in [nil] + (destination == nil ? list.parts.indices.map(Optional.some) : []) {
            let target =
                part.map { Self.target(of: list.parts[$0], in: trip, &taken) }
                ?? destination.map { .list($0) } ?? .unlisted
            var items: [(item: NewItem, size: Size)] = []
            for entry in groups[part] ?? [] {
                let size: Size
                let item = entry.item.naming(trip)
                do { size = try Size(of: item, isListed: target != .unlisted) } catch {
                    throw ServiceError("\(list.entryName) \(entry.number): \(error.message)")
                }
                if known.insert(item, in: entry.part) || addingAll {
                    items.append((item, size))
                    if entry.item.fields[.assignee] != nil, item.fields[.assignee] == nil { strangerCount += 1 }
                } else {
                    knownCount += 1
                }
            }
            add(items, to: target, isEmptyList: groups[part] == nil)
        }
    }

    private mutating func add(_ items: [(item: NewItem, size: Size)], to target: Batch.Target, isEmptyList: Bool) {
        let isNew = if case .newList = target { true } else { false }
        // Of an empty list there is nothing to add but the list.
        if isNew, isEmptyList { batches.append(Batch(target: target, items: [])) }
        var size = Size(isListed: target != .unlisted)
        for (index, next) in items.enumerated() {
            if index == 0 || !size.hasRoom(for: next.size) {
                batches.append(Batch(target: index > 0 && isNew ? .listBefore : target, items: []))
                size = Size(isListed: target != .unlisted)
            }
            batches[batches.count - 1].items.append(next.item)
            size.add(next.size)
        }
    }

    /// The trip's note with what a list says behind it; nil where each line of that is there already.
    private static func note(of trip: TripView, with new: String?) throws(ServiceError) -> WrittenNote? {
        let shown = trip.note?.value ?? ""
        guard let new, !lines(of: new).isSubset(of: lines(of: shown)) else { return nil }
        let text = shown.isEmpty ? new : "\(shown)\n\n\(new)"
        let count = text.unicodeScalars.count
        guard count <= Limits.noteCharacters else {
            throw ServiceError(
                "the note of the trip would have \(count) characters, more than \(Limits.noteCharacters); shorten it")
        }
        return WrittenNote(text: text, shown: shown)
    }

    /// Each line that says something, without the blanks that some forms don't keep.
    private static func lines(of text: String) -> Set<String> {
        Set(text.split(separator: "\n").map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") })
    }

    /// The trip's list of a part's title, or a new one. The second part of one title is the second list of it.
    private static func target(
        of part: ImportedList.Part, in trip: TripView, _ taken: inout [String: Int]
    ) -> Batch.Target {
        let name = part.title.appearance
        let lists = trip.lists.filter { $0.title.appearance == name }
        let place = taken[name, default: 0]
        taken[name] = place + 1
        return place < lists.count ? .list(lists[place].shortID) : .newList(part)
    }

    /// Which entries of a list are there already, by their places in it. O(n) in the list and the trip.
    package static func knownPlaces(of list: ImportedList, in trip: TripView) -> Set<Int> {
        let known = KnownItems(trip)
        return Set(list.entries.indices.filter { known.holder(of: list.entries[$0].item) != nil })
    }
}

extension NewItem {
    /// The same with the assignee's id. An assignee who is nobody of the trip is left out.
    fileprivate func naming(_ trip: TripView) -> NewItem {
        var item = self
        item.fields[.assignee] = fields[.assignee].flatMap { try? trip.person(shown: $0).description }
        return item
    }
}

/// What items take in a change.
private struct Size {
    private var bytes: Int
    private var operations: Int

    /// Of no item: what says how many operations there are, and what makes a list.
    init(isListed: Bool) {
        bytes = isListed ? 1_024 : 10
        operations = isListed ? 1 : 0
    }

    /// Checked against the rules by those who make changes.
    init(of item: NewItem, isListed: Bool) throws(TripError) {
        let draft = ItemDraft(
            title: item.title, fields: item.fields, quantity: item.quantity, amenities: item.amenities)
        let content = try TripReplica().perform(.add([draft]), by: ParticipantID(high: 0, low: 0))
        bytes = content.count + (isListed ? Self.positionBytes : 0)
        operations = item.amenities.isEmpty ? 1 : 2
    }

    /// What says where an item stands in a list: two names of operations, each a hash and an index.
    private static let positionBytes = 80

    func hasRoom(for item: Size) -> Bool {
        bytes + item.bytes <= Limits.contentBytes && operations + item.operations <= Limits.operationsPerChange
    }

    mutating func add(_ item: Size) {
        bytes += item.bytes
        operations += item.operations
    }
}
