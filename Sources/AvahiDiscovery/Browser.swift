import CAvahi

/// Watches for services on all interfaces and keeps what it hears until the thread takes it.
///
/// Lives on the discovery thread. Must outlive no client: it is closed before its client is freed.
final class Browser {
    enum Sighting {
        case seen(instance: String, SightingTable.Place)
        case gone(instance: String, SightingTable.Place)
    }

    fileprivate(set) var hasFailed = false
    fileprivate var heard: [Sighting] = []
    private var pointer: OpaquePointer?

    /// Nil where the daemon refuses.
    init?(client: OpaquePointer) {
        pointer = avahi_service_browser_new(
            client, Avahi.anyInterface, Avahi.anyProtocol, Avahi.serviceType, Avahi.domain, AVAHI_LOOKUP_USE_MULTICAST,
            browserHeard, Unmanaged.passUnretained(self).toOpaque())
        if pointer == nil { return nil }
    }

    /// What was heard since the last time, oldest first.
    func take() -> [Sighting] {
        defer { heard.removeAll(keepingCapacity: true) }
        return heard
    }

    func close() {
        if let pointer { avahi_service_browser_free(pointer) }
        pointer = nil
    }
}

private func browserHeard(
    _: OpaquePointer?, interface: AvahiIfIndex, protocolNumber: AvahiProtocol, event: AvahiBrowserEvent,
    name: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?,
    _: AvahiLookupResultFlags, context: UnsafeMutableRawPointer?
) {
    guard let context else { return }
    let browser = Unmanaged<Browser>.fromOpaque(context).takeUnretainedValue()
    if event == AVAHI_BROWSER_FAILURE { browser.hasFailed = true }
    guard let name else { return }
    let instance = String(cString: name)
    guard !instance.isEmpty, instance.utf8.count <= DiscoveryLimits.instanceBytes else { return }
    let place = SightingTable.Place(interface: interface, protocolNumber: protocolNumber)
    switch event {
    case AVAHI_BROWSER_NEW: browser.heard.append(.seen(instance: instance, place))
    case AVAHI_BROWSER_REMOVE: browser.heard.append(.gone(instance: instance, place))
    default: break
    }
}
