/// Events in the order of their times; of one time, in the order in which they were added. A binary heap.
struct EventQueue<Event> {
    private struct Entry {
        let time: UInt64
        let number: UInt64
        let event: Event
    }

    private var heap: [Entry] = []
    private var nextNumber: UInt64 = 0

    var isEmpty: Bool { heap.isEmpty }
    var nextTime: UInt64? { heap.first?.time }

    /// O(log n).
    mutating func add(_ event: Event, at time: UInt64) {
        heap.append(Entry(time: time, number: nextNumber, event: event))
        nextNumber += 1
        var child = heap.count - 1
        while child > 0, precedes(child, (child - 1) / 2) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// O(log n).
    mutating func next() -> (time: UInt64, event: Event)? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            var parent = 0
            while true {
                var least = parent
                for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && precedes(child, least) {
                    least = child
                }
                if least == parent { break }
                heap.swapAt(parent, least)
                parent = least
            }
        }
        return (first.time, first.event)
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        (heap[left].time, heap[left].number) < (heap[right].time, heap[right].number)
    }
}
