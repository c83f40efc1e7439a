/// What is to be done and when: of one time, in the order in which it was added. A binary heap; mostly a few things.
struct Agenda<Element> {
    private var heap: [(time: UInt64, number: UInt64, element: Element)] = []
    private var nextNumber: UInt64 = 0

    var nextTime: UInt64? { heap.isEmpty ? nil : heap[0].time }

    /// O(log n).
    mutating func add(_ element: Element, at time: UInt64) {
        heap.append((time, nextNumber, element))
        nextNumber += 1
        var child = heap.count - 1
        while child > 0, precedes(child, (child - 1) / 2) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// O(log n). There must be something.
    mutating func removeNext() -> Element {
        heap.swapAt(0, heap.count - 1)
        let first = heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && precedes(child, least) {
                least = child
            }
            if least == parent { return first.element }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        (heap[left].time, heap[left].number) < (heap[right].time, heap[right].number)
    }
}
