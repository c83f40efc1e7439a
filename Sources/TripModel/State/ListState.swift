import DeltaCRDT

/// What is known of one list: its fields are an item's, its items say themselves that they are in it.
struct ListState: Hashable, Sendable {
    /// The operation that made it.
    let origin: LoggedOperation
    var existence = Existence()
    var fields = Registers()

    init(madeBy act: FoldedOperation) { origin = act.id }

    var id: OperationID { origin.operation }

    /// The title that stands highest.
    var title: String { fields[.title].lazy.compactMap(\.text).first?.string ?? "" }
}
