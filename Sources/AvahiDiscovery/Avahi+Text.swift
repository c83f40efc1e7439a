import CAvahi
import SyncEngine

// What a TXT record says: the version, and a tag of each address.
extension Avahi {
    /// The strings of a TXT record.
    static func texts(of tags: [AddressTag]) -> [[UInt8]] {
        [Array(version.utf8)]
            + tags.prefix(AddressTag.count).enumerated().map { place, tag in Array("\(key(place))=".utf8) + tag.bytes }
    }

    /// The tags that a record holds, those of another length left out; nil where it is of a version that we do not speak.
    static func tags(of text: UnsafeMutablePointer<AvahiStringList>?) -> [AddressTag]? {
        guard let spoken = entry("v", of: text), spoken.elementsEqual(version.utf8) else { return nil }
        return (0..<AddressTag.count).compactMap { place in
            entry(key(place), of: text).flatMap { AddressTag($0.dropFirst(key(place).utf8.count + 1)) }
        }
    }

    /// The same of a record's strings.
    static func tags(of texts: [[UInt8]]) -> [AddressTag]? {
        guard texts.contains(Array(version.utf8)) else { return nil }
        return (0..<AddressTag.count).compactMap { place in
            let key = Array("\(key(place))=".utf8)
            return texts.first { $0.starts(with: key) }.flatMap { AddressTag($0.dropFirst(key.count)) }
        }
    }

    private static func key(_ place: Int) -> String { "a\(place)" }

    /// An entry whole, its key and the sign behind that included. Lives no longer than the record.
    private static func entry(
        _ key: String, of text: UnsafeMutablePointer<AvahiStringList>?
    ) -> UnsafeBufferPointer<UInt8>? {
        guard let entry = avahi_string_list_find(text, key), let bytes = avahi_string_list_get_text(entry) else {
            return nil
        }
        return UnsafeBufferPointer(start: bytes, count: avahi_string_list_get_size(entry))
    }
}
