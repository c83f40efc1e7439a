/// A piece of the page that is replaced as a whole when it changes: an element with this id.
package struct Fragment: Hashable, Sendable {
    package let id: String
    package let html: HTML

    package init(id: String, html: HTML) {
        self.id = id
        self.html = html
    }

    /// The same, rendered.
    package var ready: Fragment { Fragment(id: id, html: .ready(markup)) }

    package var markup: Markup { if case .ready(let markup) = html { markup } else { Markup(html) } }
}

/// An element whose children are fragments, in an order: children come, go and move, and each is replaced by itself.
package struct FragmentList: Hashable, Sendable {
    package let id: String
    package let fragments: [Fragment]

    package init(id: String, fragments: [Fragment] = []) {
        self.id = id
        self.fragments = fragments
    }
}

/// What a page shows, cut into what changes by itself.
package struct PageContent: Hashable, Sendable {
    /// Of the window.
    package let title: String
    package let fragments: [Fragment]
    package let lists: [FragmentList]
    /// The texts that fragments hold in boxes to write in: of these, pages are told what changed in them.
    package let notes: [NoteText]

    package init(title: String, fragments: [Fragment], lists: [FragmentList], notes: [NoteText] = []) {
        self.title = title
        self.fragments = fragments
        self.lists = lists
        self.notes = notes
    }

    /// The same, rendered: what is taken from it more than once is rendered once.
    package var ready: PageContent {
        PageContent(
            title: title, fragments: fragments.map(\.ready),
            lists: lists.map { FragmentList(id: $0.id, fragments: $0.fragments.map(\.ready)) }, notes: notes)
    }
}
