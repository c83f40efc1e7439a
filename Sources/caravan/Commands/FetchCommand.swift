import ArgumentParser
import CaravanNode
import TripExchange
import TripModel
import TripService
import TripText

struct FetchDetails: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Fetch the details of items from their links.",
        discussion: """
            Reads the page that an item's link leads to, once, for all members: title, description, price, place and one \
            picture. It fills only empty fields, and replaces only a title that came from the link. `caravan undo` undoes \
            it. The site sees this machine's address.

            With --always, `caravan add` does so for every link that you add to this trip on this device.

            Needs the packages curl and bubblewrap. Only public addresses are asked.

            Examples:
              caravan fetch 2
              caravan add https://example.org/rooms/1 --fetch
              caravan fetch --always
            """)

    @Argument(help: .items, completion: .items)
    var item: [String] = []

    @Flag(
        inversion: .prefixedNo, exclusivity: .exclusive,
        help: "Fetch the details of every link that you add to this trip, or only when you ask.")
    var always: Bool?

    @OptionGroup var trip: WritingOptions

    func validate() throws {
        guard item.isEmpty == (always != nil) else {
            throw ValidationError(
                item.isEmpty ? "give an item or --always" : "an item and --always cannot be combined")
        }
    }

    func run() async throws {
        let access = try await trip.access()
        if let always {
            if case .status(let status) = try await access.answer(.status), status.fetchesLinks == always {
                let when = always ? "of every link that you add here are fetched" : "are fetched only if you ask"
                return trip.report.tellUnchanged(ServiceError(.unchanged, "details \(when)"))
            }
            _ = try await access.answer(.fetchLinks(always))
            return trip.report.tell(
                always ? "Fetching details of every link that you add here" : "Fetching details only if you ask",
                TripJSON.fetching(always))
        }
        var found: [(item: ItemView, link: String)] = []
        for reference in item {
            let item = try await trip.item(reference)
            guard !item.isRemoved else {
                throw ServiceError("\(item.title.quoted) is removed; restore it with `caravan restore \(item.number)`")
            }
            guard let link = item.fields[.link]?.value else {
                throw ServiceError(
                    "\(item.title.quoted) has no link; give it one with `caravan edit \(item.number) --link URL`")
            }
            if !found.contains(where: { $0.item.id == item.id }) { found.append((item, link)) }
        }
        var (changed, unchanged): ([ItemView], [ItemView]) = ([], [])
        var problems: [String] = []
        for (item, link) in found {
            do throws(ServiceError) {
                let details = try await LinkDetails(fetching: link)
                if let problem = details.pictureProblem, item.photos.isEmpty {
                    trip.report.note("\(item.title.quoted): \(problem)")
                }
                let answer = try await details.fill(item, mark: .random(in: 0 ... .max)) {
                    request throws(ServiceError) in
                    try await access.answer(request)
                }
                guard answer != nil else {
                    unchanged.append(item)
                    continue
                }
                // By its id: its title may be another now.
                let shown = try await access.answer(.show(item: .id(item.id), isLook: false))
                guard case .item(let filled, _) = shown else { throw TripOptions.otherAnswer }
                changed.append(filled)
            } catch { problems.append("\(item.title.quoted): \(error.message)") }
        }
        if !changed.isEmpty || !unchanged.isEmpty {
            trip.report.tell(.done(Receipt(.edited, changed, unchanged: unchanged)))
        }
        if !changed.isEmpty { await trip.noteUnsent(access) }
        guard problems.isEmpty else { throw ServiceError(problems.joined(separator: "; ")) }
    }
}
