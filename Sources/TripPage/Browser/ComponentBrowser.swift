#if DEBUG
extension TripPage {
    /// A document that shows every component in every state, under the page's own style: what people look at who change
    /// the page.
    ///
    /// - Parameter dir: the writing direction, `ltr` or `rtl`.
    package static func componentBrowser(dir: String) -> String {
        let names = componentNames
        let document = tag(.html, .plain(.lang, "en"), .plain(.dir, dir == "rtl" ? "rtl" : "ltr")) {
            tag(.head) {
                tag(.meta, .plain(.charset, "utf-8"))
                tag(.meta, .plain(.name, "viewport"), .plain(.content, "width=device-width, initial-scale=1"))
                tag(.title) { "Components · Caravan" }
                tag(.link, .plain(.rel, "stylesheet"), .href(.page(style.address)))
            }
            tag(.body, .class("browser")) {
                tag(.header, .class("browser-head")) {
                    tag(.h1) { "Components" }
                    tag(.p, .class("hint")) {
                        "Every component in every state. The same states are snapshots in Tests/TripPageTests/Snapshots."
                    }
                    tag(.nav, .aria(.label, "Components")) {
                        tag(.ul) {
                            for name in names {
                                tag(.li) { tag(.a, .href(.part(ComponentState.slug(name)))) { name } }
                            }
                        }
                    }
                }
                tag(.main) {
                    for name in names { browserSection(name) }
                }
            }
        }
        return "<!doctype html>\n" + document.rendered
    }

    /// Each once, in the order of `components`.
    private static var componentNames: [String] {
        var seen: Set<String> = []
        return components.map(\.component).filter { seen.insert($0).inserted }
    }

    private static func browserSection(_ name: String) -> HTML {
        let title = ComponentState.slug(name)
        return tag(.section, .id(title), .class("browser-component"), .aria(.labelledby, title + "-title")) {
            tag(.h2, .id(title + "-title")) { name }
            for state in components where state.component == name {
                tag(.figure, .id(state.slug), .class("browser-state", state.isWide ? "wide" : "narrow")) {
                    tag(.figcaption) { state.state }
                    tag(.div, .class("browser-stage")) { state.html.scoped(to: state.slug) }
                }
            }
        }
    }
}
#endif
