package import SyncEngine
package import TripService

extension PeerAddress {
    /// Reads `10.0.0.2:4000` or `[fe80::1%eth0]:4000`.
    package init(parsing text: String) throws(ServiceError) {
        let wrong = ServiceError(
            "“\(text)” is not an address; write HOST:PORT, such as 10.0.0.2:4000 or [fe80::1%eth0]:4000")
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0
        else { throw wrong }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
        } else if host.contains(":") {
            throw wrong
        }
        guard !host.isEmpty, host.utf8.count <= 64 else { throw wrong }
        self.init(host: host, port: port)
    }
}
