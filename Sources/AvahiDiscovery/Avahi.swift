import CAvahi

/// What every call to Avahi here has in common.
enum Avahi {
    static let serviceType = "_caravan._tcp"
    static let domain = "local"
    static let version = "v=1"
    static let anyInterface = AvahiIfIndex(AVAHI_IF_UNSPEC)
    static let anyProtocol = AvahiProtocol(AVAHI_PROTO_UNSPEC)
    static let ipv4 = AvahiProtocol(AVAHI_PROTO_INET)
    static let ipv6 = AvahiProtocol(AVAHI_PROTO_INET6)

    /// Avahi's words for one of its error numbers.
    static func text(_ error: Int32) -> String { avahi_strerror(error).map { String(cString: $0) } ?? "error \(error)" }
}
