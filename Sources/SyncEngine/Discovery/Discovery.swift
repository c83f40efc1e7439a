/// Where peers are looked for, and what they are shown to find this node by.
struct Discovery: Sendable {
    var publication = Publication()
    var names = NameTable()
    var lookups = LookupRate()
    var addresses: AddressBook
    var topology = Topology()

    init(addresses: AddressBook) { self.addresses = addresses }
}

/// A bounded set of what was seen, which forgets the oldest first.
struct BoundedMemory<Element: Hashable & Sendable>: Sendable {
    private var members: Set<Element> = []
    private var order: [Element] = []
    private var oldest = 0

    func contains(_ element: Element) -> Bool { members.contains(element) }

    mutating func insert(_ element: Element, limit: Int) {
        guard members.insert(element).inserted else { return }
        if order.count < limit {
            order.append(element)
        } else {
            members.remove(order[oldest])
            order[oldest] = element
            oldest = (oldest + 1) % limit
        }
    }
}
