/// The strings that were added last, at most so many.
struct BoundedSet {
    private let limit: Int
    private var members: Set<String> = []
    private var order: [String] = []

    init(limit: Int) { self.limit = limit }

    func contains(_ member: String) -> Bool { members.contains(member) }

    /// O(1), or O(limit) where another is forgotten for it.
    mutating func insert(_ member: String) {
        guard members.insert(member).inserted else { return }
        order.append(member)
        if order.count > limit { members.remove(order.removeFirst()) }
    }
}
