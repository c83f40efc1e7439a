import AvahiDiscovery
import LibC
import SyncEngine
import TripService

/// The nodes of other machines that this one's avahi-daemon sees, whoever's they are.
struct SeenNodes: Sendable {
    /// Why there is none to ask.
    var problem: NetworkFinding?
    /// Where each may be dialled, IPv4 first.
    var places: [[PeerAddress]] = []

    /// Names that are asked for, at most, and addresses of each.
    private static let namesMax = 16
    private static let addressesMax = 3

    /// Looks for as long as others may take to answer.
    static func look() async -> SeenNodes {
        let discovery = AvahiDiscovery(interfaces: NetworkOptions.interfaces)
        let events = discovery.events
        discovery.start()
        let deadline = Task {
            try? await Task.sleep(for: .milliseconds(NetworkCheck.listeningMilliseconds))
            discovery.stop()
        }
        var reason: String?
        var asked: Set<String> = []
        var found: [String: [PeerAddress]] = [:]
        for await event in events {
            switch event {
            case .unavailable(let why): reason = why
            case .available: reason = nil
            case .appeared(let instance) where asked.count < namesMax:
                asked.insert(instance)
                discovery.resolve(instance: instance)
            case .resolved(let instance, let addresses): found[instance] = addresses.map(\.address)
            default: break
            }
        }
        deadline.cancel()
        let own = Set(LocalAddresses.current())
        let others = found.filter { !$0.value.isEmpty && !$0.value.contains { own.contains($0.host) } }
        let isIPv6 = { (address: PeerAddress) in address.host.contains(":") ? 1 : 0 }
        return SeenNodes(
            problem: reason.map { BusProbe.refusal().map { .noBus(reason: $0) } ?? .noDaemon(reason: $0) },
            places: others.sorted { $0.key < $1.key }.map { _, addresses in
                Array(addresses.sorted { (isIPv6($0), $0) < (isIPv6($1), $1) }.prefix(addressesMax))
            })
    }
}

/// The D-Bus system bus, over which avahi-daemon is spoken with.
enum BusProbe {
    /// Why nobody answers at its socket; nil where somebody does.
    static func refusal() -> String? {
        let named = getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) } ?? ""
        let path =
            named.hasPrefix("unix:path=") ? String(named.dropFirst(10).prefix { $0 != "," && $0 != ";" }) : standard
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8) + [0]
        guard bytes.count <= MemoryLayout.size(ofValue: address.sun_path) else {
            return "the path of its socket is too long"
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let (isConnected, number) = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                (connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0, errno)
            }
        }
        return isConnected ? nil : "\(path): \(String(cString: strerror(number)))"
    }

    private static let standard = "/run/dbus/system_bus_socket"
}
