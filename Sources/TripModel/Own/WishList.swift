import DeltaCRDT

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

    /// In the order in which they were wished for: each stands behind all that its device knew of when it was added. Of what
    /// devices added apart the order is by the names of their writers, the same on all devices. O(n).
    package var wishes: [Wish] { entries.elements.compactMap { Wish(entry: $0) } }

    /// The whole list, for a device that has none of it yet. O(n).
    package var encoded: [UInt8] { entries.encoded() }

    /// Adds a wish.
    /// - Parameters:
    ///   - writer: a name under which nothing but this value ever adds: no copy of a device's disk, and no earlier state of it.
    ///     Two different wishes under one dot would remove each other.
    ///   - time: where it stands, as `time(of:)` said of it before it was removed; nil for behind all that are there.
    /// - Returns: what other devices merge.
    /// - Throws: where it is against a rule, is there already, or is one too many.
    package mutating func add(
        _ wish: Wish, by writer: UInt64, at time: UInt64? = nil
    ) throws(TripError) -> [UInt8] {
        let entry = try wish.entry
        // A wish that stood there already comes back as it was.
        if time == nil {
            let texts = wish.fields.merging([.title: wish.title]) { $1 }
            for (field, text) in texts { try field.checkMeaning(field.normalized(text)) }
        }
        guard !entries.contains(entry) else {
            throw TripError(.nothingChanged, "\(wish.title.quoted) is already on your wish list")
        }
        guard entries.count < Self.countMax else {
            throw TripError(.tooMuchAtOnce, "your wish list is full (\(Self.countMax) items); remove some first")
        }
        // Elements stand in the order of the names under which they were added: so these begin with a Lamport time.
        return entries.insert(entry, by: ReplicaID(high: time ?? nextTime, low: writer)).encoded()
    }

    /// Where a wish stands among the others; nil where it is not there.
    package func time(of wish: Wish) -> UInt64? {
        guard let entry = try? wish.entry else { return nil }
        var time: UInt64?
        entries.causal.store.forEach { dot, element in
            if element == entry { time = min(time ?? .max, dot.replica.high) }
        }
        return time
    }

    /// The greatest time that is counted on from: versions before this one drew names that say no time.
    private static let timeMax = UInt64(1) << 48

    private var nextTime: UInt64 {
        var last: UInt64 = 0
        entries.causal.store.forEachDot { dot in
            if dot.replica.high < Self.timeMax { last = max(last, dot.replica.high) }
        }
        return last + 1
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

    /// The wish that a number, an id or a title in any case means.
    /// - Parameter shown: what numbers mean on this device.
    package func wish(_ reference: String, shown: inout ShownLists) throws(TripError) -> Wish {
        let text = try Reference.trimmed(reference, of: "wish", listing: "caravan wishes")
        let all = wishes
        if let wish = all.first(where: { $0.id == text }) { return wish }
        if let number = Int(text) {
            switch shown.meaning(of: number, among: all.map(\.mark), in: .wishes) {
            case .row(let place): return all[place]
            case .gone:
                throw TripError(
                    .unknownItem, "wish \(number) is not on your list any more; see `caravan wishes`")
            case .shownAs(let other):
                throw TripError(
                    .ambiguousItem,
                    "no wish was shown as \(number), and the one in its place was shown as \(other); see `caravan wishes`"
                )
            case .nothing: break
            }
        }
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

    /// What numbers are shown with: the same wherever the wish stands, and after it was removed and added again.
    package var mark: UInt64 { FNV1a.hash(((try? entry) ?? title).utf8) }

    /// Sixteen hexadecimal digits that name the wish.
    package var id: String { FNV1a.digits(mark) }

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
