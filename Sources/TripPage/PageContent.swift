/// A piece of the page that is replaced as a whole when it changes: an element with this id.
package struct Region: Hashable, Sendable {
    package let id: String
    package let html: HTML

    package init(id: String, html: HTML) {
        self.id = id
        self.html = html
    }

    /// The same, rendered.
    package var ready: Region { Region(id: id, html: .ready(markup)) }

    package var markup: Markup { if case .ready(let markup) = html { markup } else { Markup(html) } }
}

/// An element whose children are regions, in an order: children come, go and move, and each is replaced by itself.
package struct RegionList: Hashable, Sendable {
    package let id: String
    package let regions: [Region]

    package init(id: String, regions: [Region] = []) {
        self.id = id
        self.regions = regions
    }
}

/// What a page shows, cut into what changes by itself.
package struct PageContent: Hashable, Sendable {
    /// Of the window.
    package let title: String
    package let regions: [Region]
    package let lists: [RegionList]
    /// The texts that regions hold in boxes to write in: of these, pages are told what changed in them.
    package let notes: [NoteText]

    package init(title: String, regions: [Region], lists: [RegionList], notes: [NoteText] = []) {
        self.title = title
        self.regions = regions
        self.lists = lists
        self.notes = notes
    }

    /// The same, rendered: what is taken from it more than once is rendered once.
    package var ready: PageContent {
        PageContent(
            title: title, regions: regions.map(\.ready),
            lists: lists.map { RegionList(id: $0.id, regions: $0.regions.map(\.ready)) }, notes: notes)
    }
}
