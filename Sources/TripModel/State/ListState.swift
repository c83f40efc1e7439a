/// What is known of one list: its fields are an item's, its items say themselves that they are in it.
struct ListState: Hashable, Sendable {
    /// The change that made it.
    let origin: Cause
    /// The operation that made it.
    let index: OperationIndex
    /// Where the change that made it stands in the log.
    let place: UInt32
    var existence = Existence()
    var fields = Registers()

    init(madeBy change: FoldedChange, at index: OperationIndex) {
        origin = change.cause
        place = change.place
        self.index = index
    }

    var id: OperationID { origin.operation(index) }

    /// The title that stands highest.
    var title: String { fields[.title].lazy.compactMap(\.text).first?.string ?? "" }

    /// Equal on all nodes: its place is this log's own.
    static func == (left: ListState, right: ListState) -> Bool {
        left.index == right.index && left.origin == right.origin && left.existence == right.existence
            && left.fields == right.fields
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(origin)
        hasher.combine(index)
    }
}
