import TripModel
import TripPage
import TripService
extension TripPage {
    static func content(_ state: PageState) -> PageContent {
        PageContent(title: state.trip.title?.value ?? "", regions: [
            Region(id: "sync", html: tag(.p, .id("sync")) { state.status.everyoneHasEverything ? "everyone" : "lacks" }),
        ], lists: [RegionList(id: "cards", regions: state.trip.items(sortedBy: state.query.sort).prefix(state.query.show).map { item in
            Region(id: "c-" + item.shortID, html: tag(.article, .id("c-" + item.shortID)) { "\(item.title) \(item.tally) \(item.fields[.note]?.value ?? "") \(item.fields[.price]?.value ?? "")" })
        })])
    }
    static func toast(_ state: PageState) -> Region {
        Region(id: "toast", html: tag(.p, .id("toast")) { state.toast?.text })
    }
    static func documentMarkup(_ state: PageState) -> String {
        let content = content(state)
        return "<!doctype html>" + tag(.html) { tag(.body) { toast(state).html; content.regions.map(\.html); tag(.div, .id("cards")) { content.lists[0].regions.map(\.html) } } }.rendered
    }
    static func componentBrowserMarkup(_ dir: String?) -> String { "<!doctype html>" }
    static func whoAreYouMarkup(_ state: PageState, guests: [MemberView]) -> String {
        "<!doctype html><title>Who are you?</title>" + tag(.p) { state.toast?.text }.rendered
    }
}
