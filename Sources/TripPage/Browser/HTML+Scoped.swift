#if DEBUG
extension HTML {
    /// The same piece with a prefix before each id and each mention of one, so that many pieces with the same ids can
    /// stand in one document; and with no landmarks, of which a document wants few.
    func scoped(to scope: String) -> HTML {
        switch self {
        case .text, .ready: self
        case .part(let id, let html): .part(id: "\(scope)--\(id)", html.scoped(to: scope))
        case .group(let pieces): .group(pieces.map { $0.scoped(to: scope) })
        case .element(let tag, let attributes, let content):
            .element(
                tag == .nav ? .div : tag, attributes.compactMap { $0.scoped(to: scope, on: tag) },
                content.map { $0.scoped(to: scope) })
        }
    }
}

extension Attribute {
    /// Nil for what makes a landmark of an element.
    fileprivate func scoped(to scope: String, on tag: Tag) -> Attribute? {
        switch name {
        case .aria(.label), .aria(.labelledby):
            if tag == .section || tag == .nav { return nil }
        case .plain(.role):
            if value == "region" || value == "search" { return nil }
        default: break
        }
        guard let value else { return self }
        switch name {
        case .plain(.id), .plain(.for), .aria(.labelledby), .aria(.describedby), .aria(.controls):
            return Attribute(name: name, value: "\(scope)--\(value)")
        case .plain(.href) where value.hasPrefix("#"):
            return Attribute(name: name, value: "#\(scope)--\(value.dropFirst())")
        default: return self
        }
    }
}
#endif
