extension TripPage {
    /// The whole page as a document: the frame, and in it every fragment and list of its content.
    ///
    /// - Parameters:
    ///   - content: what `content(_:)` makes of the state, where that was made before.
    ///   - drawn: what names the content, so that a stream need not send it again; empty where nothing does.
    package static func document(_ state: PageState, _ content: PageContent? = nil, drawn: String = "") -> String {
        let content = content ?? TripPage.content(state)
        let fragments = Dictionary(content.fragments.map { ($0.id, $0.html) }) { first, _ in first }
        let lists = Dictionary(content.lists.map { ($0.id, $0.fragments) }) { first, _ in first }
        let fragment = { (id: String) in fragments[id] ?? .none }
        let list = { (tagName: Tag, id: String, label: String) in
            tag(tagName, .id(id), .data(.list, id), .aria(.label, label)) { (lists[id] ?? []).map(\.html) }
        }
        let html = tag(.html, .plain(.lang, "en"), .plain(.dir, "ltr")) {
            head(content.title)
            tag(.body, stream(state), .data(.drawn, drawn)) {
                tag(.a, .class("skip"), .href(.part("main"))) { "Skip to the content" }
                tag(.header, .class("bar")) {
                    fragment("header")
                    fragment("sync")
                }
                fragment("nav")
                tag(.div, .class("page")) {
                    tag(.main, .id("main"), .plain(.tabindex, -1)) {
                        fragment("notice")
                        fragment("add")
                        fragment("tools")
                        fragment("view")
                        fragment("earlier")
                        list(.section, "cards", "Everything proposed")
                        list(.section, "ranking", "Ranking")
                        list(.section, "bring", "Packing list")
                        list(.section, "sources", "What you can share")
                        fragment("later")
                        list(.ol, "history", "History")
                        tag(.details, .class("removed-section")) {
                            fragment("removed-head")
                            list(.section, "removed", "Removed")
                        }
                        fragment("plus")
                    }
                    tag(.aside, .class("rail"), .aria(.label, "At a glance")) {
                        for (id, title) in [("leaders", "Most wanted"), ("just-now", "Recent activity")] {
                            tag(.section) {
                                tag(.h2) { title }
                                list(.ol, id, title)
                            }
                        }
                    }
                }
                fragment("toast")
                joinForm(state)
            }
        }
        return "<!DOCTYPE html>" + html.rendered
    }

    /// What the script reads what changes from; nobody reads anything who has not said who they are.
    private static func stream(_ state: PageState) -> Attribute? {
        if state.viewer.isGuest, state.viewer.participant == nil { return nil }
        return .data(.stream, PagePath(["t", state.tripID, "stream"]).text)
    }

    static func head(_ title: String) -> HTML {
        tag(.head) {
            tag(.meta, .plain(.charset, "utf-8"))
            tag(.title) { title }
            tag(
                .meta, .plain(.name, "viewport"),
                .plain(.content, "width=device-width, initial-scale=1, viewport-fit=cover"))
            tag(.meta, .plain(.name, "referrer"), .plain(.content, "same-origin"))
            tag(.meta, .plain(.name, "color-scheme"), .plain(.content, "light dark"))
            for (scheme, colour) in [("light", paper.light), ("dark", paper.dark)] {
                tag(
                    .meta, .plain(.name, "theme-color"), .plain(.content, colour),
                    .plain(.media, "(prefers-color-scheme: \(scheme))"))
            }
            tag(.link, .plain(.rel, "manifest"), .href(.page(manifest.address)))
            if let icon = homeIcons[180] {
                tag(.link, .plain(.rel, "apple-touch-icon"), .href(.page(icon.address)))
            }
            tag(.link, .plain(.rel, "stylesheet"), .href(.page(style.address)))
            tag(.script, .src(script.address), .flag(.defer))
        }
    }
}
