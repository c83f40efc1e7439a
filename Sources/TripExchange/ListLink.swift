package import TripModel
package import TripService

/// A list as a link: its name and its elements as query items (RFC 3986), for chats, codes and notes.
///
///     caravan:list?title=Mussels%20Party&item=Mussels&item=Fries&item=Andalouse%20sauce
///
/// An element begins with `item`, its title; what follows under the name of a field, or `quantity`, is that element's. Names
/// that are not known are passed over, so that later versions may say more.
package enum ListLink {
    package static let prefix = "caravan:list?"

    /// The link of a list.
    /// - Throws: where it is longer than `ExchangeLimits.linkBytes`.
    package static func write(_ name: String?, _ items: [ItemView]) throws(ServiceError) -> String {
        var pairs = name.map { [("title", $0)] } ?? []
        for item in items {
            pairs.append(("item", item.title))
            for field in Field.allCases where field != .title {
                if let value = item.fields[field]?.value { pairs.append((field.name, value)) }
            }
            if let quantity = item.quantity, quantity > 0 { pairs.append(("quantity", String(quantity))) }
        }
        let link = prefix + pairs.map { $0.0 + "=" + PercentEncoding.encode($0.1) }.joined(separator: "&")
        guard link.utf8.count <= ExchangeLimits.linkBytes else {
            throw ServiceError(
                "this list is too long for a link (\(ExchangeLimits.linkBytes >> 10) KiB); export it as a file")
        }
        return link
    }

    /// - Throws: where it is no link of a list, or cannot be decoded.
    static func read(_ bytes: [UInt8]) throws(ServiceError) -> ImportedList {
        // Chats and mail break long links over several lines.
        let text = bytes.withoutByteOrderMark.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard text.starts(with: prefix.utf8) else {
            throw ServiceError("this is not a list link; it must start with \(prefix)")
        }
        guard text.count <= ExchangeLimits.linkBytes else {
            throw ServiceError(
                "this link is longer than \(ExchangeLimits.linkBytes >> 10) KiB; export the list as a file instead")
        }
        var list = ImportedList(entryName: "item")
        var item: NewItem?
        for pair in text.dropFirst(prefix.utf8.count).split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decode(parts[0]), let value = parts.count > 1 ? decode(parts[1]) : "" else {
                throw ServiceError("the link is truncated or altered; “\(shown(pair))” cannot be decoded")
            }
            switch name {
            case "title": if item == nil, list.name == nil { list.name = value }
            case "item":
                try list.end(item)
                item = NewItem(title: value)
            case "quantity":
                guard let quantity = Int64(value) else {
                    throw ServiceError(
                        "item \(list.entries.count + 1): the quantity \(value.quoted) is not a whole number")
                }
                item?.quantity = quantity
            default: if let field = Field.allCases.first(where: { $0.name == name }) { item?.fields[field] = value }
            }
        }
        try list.end(item)
        return list
    }

    private static func decode(_ text: ArraySlice<UInt8>) -> String? {
        String(validating: text, as: UTF8.self).flatMap { PercentEncoding.decode($0) }
    }

    private static func shown(_ pair: ArraySlice<UInt8>) -> String {
        String(decoding: pair, as: UTF8.self).displayed(limit: 40)
    }
}

extension ImportedList {
    fileprivate mutating func end(_ item: NewItem?) throws(ServiceError) {
        if let item { try add(item, number: entries.count + 1) }
    }
}
