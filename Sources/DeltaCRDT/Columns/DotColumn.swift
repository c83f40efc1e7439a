/// The live dots of one replica, with a slot for each: where a store keeps what the dot holds up.
///
/// A replica's counters are dense, so they are kept as pages of 32 with a bit for each. A page whose slots count up with its counters, as
/// they do after inserts in order, stores one number for all of them; others have a block of 32.
struct DotColumn: Sendable {
    struct Page: Sendable {
        /// The page's number, doubled; odd when the slots stand in a block.
        fileprivate var tag: UInt64
        /// A bit for each live dot.
        fileprivate(set) var mask: UInt32
        /// The block's number, or what to add to a bit's position to get its slot.
        fileprivate var base: UInt32

        var number: UInt64 { tag >> 1 }
        fileprivate var hasBlock: Bool { tag & 1 != 0 }
    }

    /// In the order of their numbers. Some may be empty.
    private(set) var pages: [Page] = []
    private var blocks: [UInt32] = []
    private var freeBlocks: [UInt32] = []
    private var emptyPages = 0
    private let salt: UInt64
    /// How many dots are alive.
    private(set) var count = 0
    /// The sum of the live dots' fingerprints.
    private(set) var fingerprint: UInt64 = 0

    init(replica: ReplicaID) {
        salt = replica.fingerprintSalt
    }

    /// The slot of a live dot. Complexity: O(1) where no page is missing, else O(log pages).
    subscript(counter: UInt64) -> UInt32? {
        let (index, found) = find(counter >> 5)
        guard found, pages[index].mask & bit(counter) != 0 else { return nil }
        return slot(pages[index], counter)
    }

    func contains(_ counter: UInt64) -> Bool {
        let (index, found) = find(counter >> 5)
        return found && pages[index].mask & bit(counter) != 0
    }

    /// Makes a dot alive, or gives a live one another slot; says whether it was not alive.
    @discardableResult
    mutating func insert(_ counter: UInt64, slot: UInt32) -> Bool {
        let (index, found) = find(counter >> 5)
        let offset = UInt32(truncatingIfNeeded: counter & 31)
        if !found {
            pages.insert(Page(tag: (counter >> 5) << 1, mask: 0, base: slot &- offset), at: index)
            emptyPages += 1
        }
        let old = pages[index].mask
        if old & ~bit(counter) == 0 {
            // Alone on its page: its slot sets the page's base.
            if !pages[index].hasBlock { pages[index].base = slot &- offset }
        } else if !pages[index].hasBlock, pages[index].base &+ offset != slot {
            giveBlock(index)
        }
        if pages[index].hasBlock { blocks[Int(pages[index].base) * 32 + Int(offset)] = slot }
        guard old & bit(counter) == 0 else { return false }
        if old == 0 { emptyPages -= 1 }
        pages[index].mask |= bit(counter)
        count += 1
        fingerprint &+= Dot.fingerprint(salt: salt, counter: counter)
        return true
    }

    /// Makes empty pages for all those of another column, if many of them would each move all that come after it.
    mutating func makeRoom(for other: DotColumn) {
        guard let last = pages.last?.number, other.pages.count > 8 else { return }
        var missing = 0
        for page in other.pages where page.number < last {
            if !find(page.number).found { missing += 1 }
            if missing > 8 { break }
        }
        guard missing > 8 else { return }
        var united: [Page] = []
        united.reserveCapacity(pages.count + other.pages.count)
        var next = 0
        for page in other.pages {
            while next < pages.count, pages[next].number < page.number {
                united.append(pages[next])
                next += 1
            }
            if next == pages.count || pages[next].number != page.number {
                united.append(Page(tag: page.number << 1, mask: 0, base: 0))
                emptyPages += 1
            }
        }
        united.append(contentsOf: pages[next...])
        pages = united
    }

    /// Makes dots alive that come after all others, in slots that count up.
    mutating func append(_ range: ClosedRange<UInt64>, firstSlot: UInt32) {
        var counter = range.lowerBound
        var slot = firstSlot
        while counter <= range.upperBound {
            let last = min(range.upperBound, counter | 31)
            if let page = pages.last, page.number >= counter >> 5 {
                for each in counter...last {
                    insert(each, slot: slot)
                    slot += 1
                }
            } else {
                let mask = Self.bits(counter & 31, last & 31)
                let base = slot &- UInt32(truncatingIfNeeded: counter & 31)
                pages.append(Page(tag: (counter >> 5) << 1, mask: mask, base: base))
                for each in counter...last { fingerprint &+= Dot.fingerprint(salt: salt, counter: each) }
                count += mask.nonzeroBitCount
                slot += UInt32(mask.nonzeroBitCount)
            }
            counter = last + 1
        }
    }

    /// Makes a dot dead and returns its slot; nil if it was not alive.
    @discardableResult
    mutating func remove(_ counter: UInt64) -> UInt32? {
        let (index, found) = find(counter >> 5)
        guard found, pages[index].mask & bit(counter) != 0 else { return nil }
        let slot = slot(pages[index], counter)
        pages[index].mask &= ~bit(counter)
        count -= 1
        fingerprint &-= Dot.fingerprint(salt: salt, counter: counter)
        if pages[index].mask == 0 { emptied(index) }
        return slot
    }

    /// Visits the live dots of a range upwards, with their slots.
    func forEach(in range: ClosedRange<UInt64>, _ body: (_ counter: UInt64, _ slot: UInt32) -> Void) {
        var (index, _) = find(range.lowerBound >> 5)
        while index < pages.count, pages[index].number <= range.upperBound >> 5 {
            visit(pages[index], pages[index].mask & Self.bits(of: range, on: pages[index].number), body)
            index += 1
        }
    }

    /// Visits the slots of the live dots on a page upwards.
    func forEach(onPage index: Int, _ body: (_ slot: UInt32) -> Void) {
        visit(pages[index], pages[index].mask) { body($1) }
    }

    /// Visits the live dots of a range that are not alive in the other column.
    func forEach(
        in range: ClosedRange<UInt64>, notIn other: DotColumn, _ body: (_ counter: UInt64, _ slot: UInt32) -> Void
    ) {
        var (index, _) = find(range.lowerBound >> 5)
        guard index < pages.count else { return }
        var (theirs, _) = other.find(pages[index].number)
        while index < pages.count, pages[index].number <= range.upperBound >> 5 {
            let number = pages[index].number
            while theirs < other.pages.count, other.pages[theirs].number < number { theirs += 1 }
            let common = theirs < other.pages.count && other.pages[theirs].number == number
            let mask = common ? pages[index].mask & ~other.pages[theirs].mask : pages[index].mask
            if mask != 0 { visit(pages[index], mask & Self.bits(of: range, on: number), body) }
            index += 1
        }
    }

    // The column walks a context's ranges itself. Its caller would copy the column for each range.

    /// Visits the live dots that a context has seen: those up to a number, and those of islands beyond.
    func forEach(
        upTo known: UInt64, and islands: ArraySlice<CausalContext.Island>,
        _ body: (_ counter: UInt64, _ slot: UInt32) -> Void
    ) {
        if known > 0 { forEach(in: 1...known, body) }
        for island in islands { forEach(in: island.counters, body) }
    }

    /// The same, of those that are not alive in the other column.
    func forEach(
        upTo known: UInt64, and islands: ArraySlice<CausalContext.Island>, notIn other: DotColumn,
        _ body: (_ counter: UInt64, _ slot: UInt32) -> Void
    ) {
        if known > 0 { forEach(in: 1...known, notIn: other, body) }
        for island in islands { forEach(in: island.counters, notIn: other, body) }
    }

    /// Visits the maximal runs of live dots upwards.
    func forEachRun(_ body: (ClosedRange<UInt64>) -> Void) {
        var run: ClosedRange<UInt64>?
        for page in pages {
            var rest = page.mask
            while rest != 0 {
                let low = rest.trailingZeroBitCount
                let length = (~(rest >> UInt32(low))).trailingZeroBitCount
                let first = page.number << 5 + UInt64(low)
                let last = first + UInt64(min(length, 32 - low) - 1)
                if let before = run, before.upperBound + 1 == first {
                    run = before.lowerBound...last
                } else {
                    if let before = run { body(before) }
                    run = first...last
                }
                rest &= ~Self.bits(first & 31, last & 31)
            }
        }
        if let last = run { body(last) }
    }

    /// Whether the same dots are alive in both. Complexity: O(pages).
    func hasSameDots(as other: DotColumn) -> Bool {
        guard count == other.count, fingerprint == other.fingerprint else { return false }
        var (i, j) = (0, 0)
        while true {
            while i < pages.count, pages[i].mask == 0 { i += 1 }
            while j < other.pages.count, other.pages[j].mask == 0 { j += 1 }
            if i == pages.count || j == other.pages.count { return i == pages.count && j == other.pages.count }
            if pages[i].number != other.pages[j].number || pages[i].mask != other.pages[j].mask { return false }
            i += 1
            j += 1
        }
    }

    // MARK: Pages

    private func bit(_ counter: UInt64) -> UInt32 { 1 << UInt32(truncatingIfNeeded: counter & 31) }

    /// The bits from one position to another, both included.
    private static func bits(_ low: UInt64, _ high: UInt64) -> UInt32 {
        (UInt32.max << UInt32(truncatingIfNeeded: low)) & (UInt32.max >> (31 - UInt32(truncatingIfNeeded: high)))
    }

    private static func bits(of range: ClosedRange<UInt64>, on page: UInt64) -> UInt32 {
        bits(max(range.lowerBound, page << 5) - page << 5, min(range.upperBound, page << 5 + 31) - page << 5)
    }

    private func slot(_ page: Page, _ counter: UInt64) -> UInt32 {
        let offset = UInt32(truncatingIfNeeded: counter & 31)
        return page.hasBlock ? blocks[Int(page.base) * 32 + Int(offset)] : page.base &+ offset
    }

    private func visit(_ page: Page, _ mask: UInt32, _ body: (UInt64, UInt32) -> Void) {
        var rest = mask
        while rest != 0 {
            let counter = page.number << 5 + UInt64(rest.trailingZeroBitCount)
            body(counter, slot(page, counter))
            rest &= rest - 1
        }
    }

    /// The index of a page, or where it would stand. No number is missing in most columns, so try that place first.
    private func find(_ number: UInt64) -> (index: Int, found: Bool) {
        guard let first = pages.first?.number, number >= first else { return (0, false) }
        let guess = Int(min(number - first, UInt64(pages.count - 1)))
        if pages[guess].number == number { return (guess, true) }
        if pages[guess].number < number { return (guess + 1, false) }
        let index = pages[..<guess].partitioningIndex { $0.number >= number }
        return (index, pages[index].number == number)
    }

    /// Writes out the slots of a page, for one that does not count up with the rest.
    private mutating func giveBlock(_ index: Int) {
        let block: UInt32
        if let free = freeBlocks.popLast() {
            block = free
        } else {
            block = UInt32(blocks.count / 32)
            blocks.append(contentsOf: repeatElement(0, count: 32))
        }
        for offset in 0..<UInt32(32) { blocks[Int(block) * 32 + Int(offset)] = pages[index].base &+ offset }
        pages[index].base = block
        pages[index].tag |= 1
    }

    /// Frees an empty page's block, and drops empty pages once they are the most: O(1) amortised over removals.
    private mutating func emptied(_ index: Int) {
        emptyPages += 1
        if pages[index].hasBlock {
            freeBlocks.append(pages[index].base)
            pages[index].tag &= ~1
        }
        guard emptyPages > 8, emptyPages * 2 > pages.count else { return }
        pages.removeAll { $0.mask == 0 }
        emptyPages = 0
        if freeBlocks.count * 32 == blocks.count {
            blocks = []
            freeBlocks = []
        }
    }
}

extension ReplicaID {
    var fingerprintSalt: UInt64 { SplitMix64.mixed(high ^ SplitMix64.mixed(low &+ SplitMix64.increment)) }
}

extension Dot {
    /// A number for the dot, the same everywhere. The sum over a set of dots tells sets apart, by chance alone: it is no
    /// protection against someone who may choose dots freely.
    static func fingerprint(salt: UInt64, counter: UInt64) -> UInt64 {
        SplitMix64.mixed(salt &+ counter &* 0xD6E8_FEB8_6659_FD93)
    }

    @usableFromInline var fingerprint: UInt64 { Self.fingerprint(salt: replica.fingerprintSalt, counter: counter) }
}
