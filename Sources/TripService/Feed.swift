/// Where somebody looks for things to share: a file, or an address on the local network, in any form that is imported.
package struct Feed: Codable, Hashable, Sendable {
    /// How its owner calls it; each once in a trip.
    package let name: String
    /// A whole path, or an address that begins with http://.
    package let origin: String

    package init(name: String, origin: String) {
        self.name = name
        self.origin = origin
    }
}
