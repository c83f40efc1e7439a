import TripModel

extension WebAddress {
    /// What a page at this address means by a reference (RFC 3986, section 5.2): an address of http or https, or nil. What a page of https
    /// means by http is of https too, as in browsers (Mixed Content, section 3.1).
    ///
    /// Dots in a path stay.
    func resolving(_ reference: String) -> WebAddress? {
        guard reference.utf8.count <= 2_000 else { return nil }
        let isSecure = text.lowercased().hasPrefix("https://")
        let scheme = isSecure ? "https:" : "http:"
        let reference = reference.replacing(" ", with: "%20")
        if let whole = WebAddress(reference) {
            let isUpgraded = isSecure && reference.lowercased().hasPrefix("http://")
            return isUpgraded ? WebAddress("https:" + reference.dropFirst(5)) : whole
        }
        if reference.hasPrefix("//") { return WebAddress(scheme + reference) }
        // "data:image/png;base64,…", "javascript:…".
        let first = reference.prefix { !"/?#".contains($0) }
        guard !first.contains(":"), !reference.isEmpty, !reference.hasPrefix("#") else { return nil }
        let path = text.prefix { !"?#".contains($0) }
        let authority = path.dropFirst(scheme.count + 2).prefix { $0 != "/" }
        let root = scheme + "//" + authority
        if reference.hasPrefix("/") { return WebAddress(root + reference) }
        if reference.hasPrefix("?") { return WebAddress(path + reference) }
        let folder = path.dropFirst(root.count).lastIndex(of: "/").map { path[path.startIndex...$0] }
        return WebAddress((folder.map(String.init) ?? root + "/") + reference)
    }
}
