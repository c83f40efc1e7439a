/// Events in the order of their times; of one time, in the order in which they were added.
///
/// A timing wheel (Varghese, Lauck: *Hashed and hierarchical timing wheels*, 1987) for what is near, a binary heap for
/// what is far: almost everything in a run happens within seconds.
///
/// Inlinable, so that it is specialised where it is used: else a run of nodes takes a quarter more instructions.
@usableFromInline package struct EventQueue<Event> {
    @usableFromInline struct Entry {
        @usableFromInline let time: UInt64
        @usableFromInline let number: UInt64
        @usableFromInline let event: Event

        @inlinable init(time: UInt64, number: UInt64, event: Event) {
            self.time = time
            self.number = number
            self.event = event
        }
    }

    /// Units of time that the wheel covers; a power of 2.
    @inlinable static var span: UInt64 { 4_096 }

    /// The events of time t, for `base` ≤ t < `base` + `span`, at t modulo the span.
    @usableFromInline var wheel: [[Event]]
    /// Which places of the wheel hold events, a bit each.
    @usableFromInline var occupied: [UInt64]
    @usableFromInline var base: UInt64 = 0
    /// Events of time `base` that were taken.
    @usableFromInline var taken = 0
    @usableFromInline var far: [Entry] = []
    @usableFromInline var nextNumber: UInt64 = 0
    @usableFromInline package internal(set) var count = 0

    @inlinable package init() {
        wheel = Array(repeating: [], count: Int(Self.span))
        occupied = Array(repeating: 0, count: Int(Self.span / 64))
    }

    @inlinable package var isEmpty: Bool { count == 0 }

    /// The time of the next event. O(span / 64) at worst.
    @inlinable package var nextTime: UInt64? {
        if taken < wheel[slot(base)].count { return base }
        if let near = nextOccupied() { return near }
        return far.first?.time
    }

    @inlinable func slot(_ time: UInt64) -> Int { Int(time & (Self.span - 1)) }

    /// The first time after `base` at which the wheel holds an event.
    @inlinable func nextOccupied() -> UInt64? {
        let start = slot(base)
        let words = occupied.count
        var word = start / 64
        var bits = occupied[word] & (~0 << UInt64(start % 64))
        // The place of `base` itself is not asked about here.
        bits &= ~(1 << UInt64(start % 64))
        for step in 0...words {
            if bits != 0 {
                let place = UInt64(word * 64 + bits.trailingZeroBitCount)
                return base + ((place &- UInt64(start)) & (Self.span - 1))
            }
            word = (word + 1) % words
            bits = occupied[word]
            // Back at the first word: what lies before `base` in it is the wheel's far end.
            if step == words - 1 { bits &= ~(~0 << UInt64(start % 64)) }
        }
        return nil
    }

    /// Adds an event; one of the past happens at once. O(1) for what is near, O(log n) for what is far.
    @inlinable package mutating func add(_ event: Event, at time: UInt64) {
        count += 1
        let time = max(time, base)
        if time - base < Self.span {
            append(event, at: time)
        } else {
            push(Entry(time: time, number: nextNumber, event: event))
            nextNumber += 1
        }
    }

    @inlinable mutating func append(_ event: Event, at time: UInt64) {
        let place = slot(time)
        wheel[place].append(event)
        occupied[place / 64] |= 1 << UInt64(place % 64)
    }

    /// Takes the next event.
    @inlinable package mutating func next() -> (time: UInt64, event: Event)? {
        guard let time = nextTime else { return nil }
        if time != base { advance(to: time) }
        let event = wheel[slot(base)][taken]
        taken += 1
        count -= 1
        return (time, event)
    }

    /// Turns the wheel, and brings in what was far and is near now.
    @inlinable mutating func advance(to time: UInt64) {
        let place = slot(base)
        wheel[place].removeAll(keepingCapacity: wheel[place].capacity <= 64)
        occupied[place / 64] &= ~(1 << UInt64(place % 64))
        taken = 0
        base = time
        while let first = far.first, first.time - base < Self.span {
            pop()
            append(first.event, at: first.time)
        }
    }

    // MARK: - The heap

    @inlinable mutating func push(_ entry: Entry) {
        far.append(entry)
        var child = far.count - 1
        while child > 0, precedes(child, (child - 1) / 2) {
            far.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    @inlinable mutating func pop() {
        let last = far.removeLast()
        guard !far.isEmpty else { return }
        far[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < far.count && precedes(child, least) {
                least = child
            }
            if least == parent { break }
            far.swapAt(parent, least)
            parent = least
        }
    }

    @inlinable func precedes(_ left: Int, _ right: Int) -> Bool {
        (far[left].time, far[left].number) < (far[right].time, far[right].number)
    }
}
