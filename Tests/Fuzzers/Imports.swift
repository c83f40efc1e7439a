import TripExchange
import TripModel

/// Files and pasted texts as people may hand them over: of a form that the first byte names, or of the form that they look like.
/// What is read is planned for an empty trip, and written in its own words.
func tryImport(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let rest = Array(bytes.dropFirst())
    let forms = ImportFormat.allCases
    let form = Int(first) < forms.count ? forms[Int(first)] : try? ImportFormat(detecting: rest)
    guard let form, let list = try? form.read(rest), let plan = try? ImportPlan(list, into: TripReplica().view) else {
        return
    }
    let planned = plan.itemCount + plan.knownCount
    guard planned == list.entries.count else { fatalError("\(planned) of \(list.entries.count) entries are planned") }
    _ = plan.sentence(for: list, isDone: true)
}
