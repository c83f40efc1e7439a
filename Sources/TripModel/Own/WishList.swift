package import DeltaCRDT

/// Something that one person would like, and the others have not heard of.
package struct Wish: Codable, Hashable, Sendable {
    package let title: String
    /// Without the title.
    package let fields: [Field: String]

    package init(title: String, fields: [Field: String] = [:]) {
        self.title = title
        self.fields = fields
    }
}

/// One person's wish list, as their devices alone hold it: an add-wins set, so that what one device adds again while another
/// takes it away stays, and what two devices add alike is there once.
package struct WishList: Hashable, Sendable {
    private var entries = AddWinsSet<String>()

    /// The most wishes; what devices that were apart add beyond is kept and shown all the same.
    package static let countMax = 1_000

    package init() {}

    /// In the order in which they were first wished for, each device's by itself. O(n).
    package var wishes: [Wish] { entries.elements.compactMap { Wish(entry: $0) } }

    /// The whole list, for a device that has none of it yet. O(n).
    package var encoded: [UInt8] { entries.encoded() }

    /// Adds a wish.
    /// - Parameter replica: a name under which nothing but this value ever adds: no copy of a device's disk, and no earlier state
    ///   of it. Two different wishes under one dot would take each other away.
    /// - Returns: what other devices merge.
    /// - Throws: where it is against a rule, is there already, or is one too many.
    package mutating func add(_ wish: Wish, by replica: ReplicaID) throws(TripError) -> [UInt8] {
        let entry = try wish.entry
        guard !entries.contains(entry) else {
            throw TripError(.nothingChanged, "\(wish.title.quoted) is already on your wish list")
        }
        guard entries.count < Self.countMax else {
            throw TripError(.tooMuchAtOnce, "your wish list is full (\(Self.countMax) items); remove some first")
        }
        return entries.insert(entry, by: replica).encoded()
    }

    /// Takes a wish away.
    /// - Returns: what other devices merge.
    package mutating func remove(_ wish: Wish) throws(TripError) -> [UInt8] {
        let entry = try wish.entry
        guard entries.contains(entry) else { throw TripError(.unknownItem, Self.unknown(wish.title)) }
        return entries.remove(entry).encoded()
    }

    /// Merges what another device of the same person wrote, or this one wrote before. False for what cannot be read.
    @discardableResult
    package mutating func merge(_ bytes: [UInt8]) -> Bool {
        guard let other = try? AddWinsSet<String>(decoding: bytes) else { return false }
        entries.merge(other)
        return true
    }

    /// The wish that a number in the list, from 1, or a title in any case means.
    package func wish(_ reference: String) throws(TripError) -> Wish {
        let text = try Reference.trimmed(reference, of: "wish", listing: "caravan wishes")
        let all = wishes
        if let number = Int(text), all.indices.contains(number - 1) { return all[number - 1] }
        let found = all.filter { $0.title.lowercased() == text.lowercased() }
        guard let first = found.first else { throw TripError(.unknownItem, Self.unknown(text)) }
        guard found.count == 1 else {
            throw TripError(
                .ambiguousItem,
                "\(found.count) wishes are called \(text.quoted); give a number from `caravan wishes`")
        }
        return first
    }

    private static func unknown(_ text: String) -> String {
        "there is no wish \(Int64(text) == nil ? text.quoted : text); see `caravan wishes`"
    }
}

// MARK: - As an element of the set

extension Wish {
    /// Between a field's number and its text, and between fields: no text may hold control characters but line feeds and
    /// tabs, so these end each.
    private static let (equals, separator) = (Character("\u{1F}"), Character("\u{1E}"))

    /// One form for each wish: its fields in the order of their numbers, checked and normalised as an item's are.
    fileprivate var entry: String {
        get throws(TripError) {
            let values = try TripReplica.checked(
                fields.merging([.title: title]) { $1 }, of: "the wish"
            ).compactMap { value in value.value.map { (value.field, $0.string) } }
            return values.map { "\($0.0.rawValue)\(Self.equals)\($0.1)" }.joined(separator: String(Self.separator))
        }
    }

    /// Fields of later versions are passed over.
    fileprivate init?(entry: String) {
        var fields: [Field: String] = [:]
        for part in entry.split(separator: Self.separator) {
            let sides = part.split(separator: Self.equals, maxSplits: 1)
            guard sides.count == 2, let number = UInt8(sides[0]), let field = Field(rawValue: number) else { continue }
            fields[field] = String(sides[1])
        }
        guard let title = fields.removeValue(forKey: .title) else { return nil }
        self.init(title: title, fields: fields)
    }
}
