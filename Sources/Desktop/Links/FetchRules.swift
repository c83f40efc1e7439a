/// From where pages are fetched.
package struct FetchRules: Sendable {
    /// Whether an address may be talked to. If a name has one that may not, nothing is fetched of that name.
    package var isAllowed: @Sendable (NetworkAddress) -> Bool
    package var ports: Set<UInt16>

    package init(isAllowed: @escaping @Sendable (NetworkAddress) -> Bool, ports: Set<UInt16>) {
        self.isAllowed = isAllowed
        self.ports = ports
    }

    /// Addresses of the public internet, and none on this machine's own networks.
    package static let internet = FetchRules(isAllowed: { $0.isPublic && !$0.isNear }, ports: [80, 443])
}
