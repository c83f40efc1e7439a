package import TripModel
package import TripService

/// A list as a link: its name and its elements as query items (RFC 3986), for chats, codes and notes.
///
///     caravan:list?title=Mussels%20Party&item=Mussels&item=Fries&item=Andalouse%20sauce
///
/// An element begins with `item`, its title; what follows under the name of a field, `quantity` or `amenities`, is that
/// element's. `list` begins a list, by its title, that the elements after it are in; its kind and its note may follow. Names that
/// are not known are passed over, so that later versions may say more.
package enum ListLink {
    package static let prefix = "caravan:list?"

    /// The link of a trip.
    /// - Throws: where it is longer than `ExchangeLimits.linkBytes`.
    package static func write(_ trip: TripView) throws(ServiceError) -> String {
        var pairs = trip.title.map { [("title", $0.value)] } ?? []
        for (list, items) in trip.exportedParts {
            if let list {
                pairs.append(("list", list.title))
                for field in [Field.itemKind, .note] {
                    if let value = list.fields[field]?.value { pairs.append((field.name, value)) }
                }
            }
            for item in items {
                pairs.append(("item", item.title))
                for field in Field.ofPlans where field != .title {
                    if let value = item.fields[field]?.value { pairs.append((field.name, value)) }
                }
                if let quantity = item.quantity, quantity > 0 { pairs.append(("quantity", String(quantity))) }
                let amenities = item.sayings.amenities
                if !amenities.isEmpty { pairs.append(("amenities", amenities.joined(separator: ","))) }
            }
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
        var part: Int?
        for pair in text.dropFirst(prefix.utf8.count).split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decode(parts[0]), let value = parts.count > 1 ? decode(parts[1]) : "" else {
                throw ServiceError("the link is truncated or altered; “\(shown(pair))” cannot be decoded")
            }
            switch name {
            case "title": if item == nil, list.name == nil { list.name = value }
            case "list":
                try list.end(item, part)
                item = nil
                part = value.isBlank ? nil : try list.newPart(ImportedList.Part(title: value.displayed().trimmed))
            case "item":
                try list.end(item, part)
                item = NewItem(title: value)
            case "amenities": item?.amenities = value.split(separator: ",").map { String($0).trimmed }
            case "kind" where item == nil && part != nil: list.parts[part ?? 0].kind = ItemKind(rawValue: value)
            case "note" where item == nil && part != nil: list.parts[part ?? 0].note = value
            case "quantity":
                guard let quantity = Int64(value) else {
                    throw ServiceError(
                        "item \(list.entries.count + 1): the quantity \(value.quoted) is not a whole number")
                }
                item?.quantity = quantity
            default: if let field = Field.ofPlans.first(where: { $0.name == name }) { item?.fields[field] = value }
            }
        }
        try list.end(item, part)
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
    fileprivate mutating func end(_ item: NewItem?, _ part: Int?) throws(ServiceError) {
        guard var item else { return }
        item.quantity = adjusted(item.quantity)
        try add(item, number: entries.count + 1, part: part)
    }
}
