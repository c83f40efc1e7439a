package import TripModel

extension Wish {
    /// A wish for what could be an item, without what is only of an item.
    package init(_ item: NewItem) { self.init(title: item.title, fields: item.fields.filter { $0.key != .title }) }
}

extension NewItem {
    package init(_ wish: Wish) { self.init(title: wish.title, fields: wish.fields) }
}
