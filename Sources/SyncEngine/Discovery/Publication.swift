import ChangeLog

/// The names under which this node is published.
struct Publication: Sendable {
    /// Where the transport accepts connections; nil while it does not.
    private(set) var port: UInt16?
    /// Whether the transport may be asked for another port.
    private var isPortRenewable = false
    /// Until when it is not asked again for one.
    private var portAsked: UInt64 = 0
    /// Where this machine is reached, the most useful address first.
    var hosts: [String] = []
    private(set) var names: [Published] = []
    /// When new names are due; nil before the first.
    private(set) var renewal: UInt64?
    /// The membership that the names were last made for, and until when they stay whatever the membership becomes.
    private var compared = (version: -1, until: UInt64(0))
    /// Until when they stay whatever the newest epoch becomes.
    private var epochRest: UInt64 = 0
    /// Until when new names are put off; nil where they are not.
    private var putOff: UInt64?
    /// Nonces of names that were published before, for they may still be seen.
    private var ownNonces = BoundedMemory<[UInt8]>()

    struct Published: Sendable {
        /// What it is made with; nil for noise.
        let credential: Credential?
        let name: InstanceName
        let advertisement: Advertisement
    }

    /// What discovery is to publish.
    var advertisements: [Advertisement] { names.map(\.advertisement) }

    /// Whether a name is one of this node's own.
    func isOwn(_ name: InstanceName) -> Bool { ownNonces.contains(name.nonce) }

    mutating func listens(at port: UInt16, isRenewable: Bool) {
        (self.port, isPortRenewable, portAsked) = (port, isRenewable, 0)
    }

    /// Whether the names are of another epoch than the newest.
    private func isBehind(_ epoch: Credential?) -> Bool {
        guard let epoch, let first = names.first else { return false }
        return first.credential != epoch
    }

    /// Whether names are due that have nothing in common with those before: in time, and with a new epoch.
    func isOver(for epoch: Credential?, at now: UInt64) -> Bool {
        guard let renewal, !names.isEmpty else { return false }
        return renewal <= now || isBehind(epoch) && now >= epochRest
    }

    /// Whether the names stay for now, although the membership or the newest epoch is another, unless new ones are due. A member whose
    /// statements come without end would else have names made, and a port asked for, for each of them.
    mutating func rests(
        for epoch: Credential?, at version: Int, unless areDue: Bool, now: UInt64, limits: SessionLimits
    ) -> Bool {
        let end = areDue ? 0 : isBehind(epoch) ? epochRest : version != compared.version ? compared.until : 0
        putOff = now < end ? end : nil
        if putOff == nil, !areDue, version != compared.version { compared = (version, now + limits.namesPause) }
        return putOff != nil
    }

    /// Whether the transport is to be asked for another port before names are made anew.
    mutating func asksForPort(at now: UInt64, limits: SessionLimits) -> Bool {
        // Without a network nobody sees names, and those who look for this node know the port that it has.
        guard isPortRenewable, now >= portAsked, hosts.contains(where: { $0 != "::1" && !$0.hasPrefix("127.") }) else {
            return false
        }
        portAsked = now + limits.portPatience
        return true
    }

    /// Whether the transport was asked, and has not answered.
    func awaitsPort(at now: UInt64) -> Bool { now < portAsked }

    /// When names are to be looked at again. While the transport is asked for a port, no later than it may take, for names that are
    /// behind wait for it.
    func deadline(after now: UInt64) -> UInt64? {
        [putOff, renewal, portAsked].compactMap { $0 }.filter { $0 > now }.min()
    }

    /// Makes a name for every credential, and noise beside them: new ones where asked or due, else only what is missing.
    /// - Returns: whether what is published is something else now.
    mutating func renew(
        for credentials: [Credential], at port: UInt16, anew: Bool, now: UInt64, limits: SessionLimits,
        using generator: inout some RandomNumberGenerator, _ cryptography: some Cryptography
    ) -> Bool {
        let isDue = renewal.map { $0 <= now } ?? true
        let noiseCount = limits.publishedInstances(for: credentials.count) - credentials.count
        let makers: [Credential?] = credentials + Array(repeating: nil, count: max(0, noiseCount))
        if !anew, !isDue, makers == names.map(\.credential) { return false }
        // With a new epoch every name is new: one that stayed would tell who is behind the others.
        let hasNewEpoch = names.first.map { $0.credential != makers.first } ?? true
        if anew || isDue || hasNewEpoch {
            if hasNewEpoch, !names.isEmpty { epochRest = now + limits.namesPause }
            names = []
            renewal = now + limits.instanceDuration
        }
        var renewed: [Published] = []
        for maker in makers {
            if let kept = names.firstIndex(where: { $0.credential == maker }) {
                // Of noise there may be several.
                renewed.append(names.remove(at: kept))
                continue
            }
            let published = publish(maker, at: port, using: &generator, cryptography)
            ownNonces.insert(published.name.nonce, limit: limits.rememberedInstances)
            renewed.append(published)
        }
        names = renewed
        return true
    }

    private func publish(
        _ credential: Credential?, at port: UInt16, using generator: inout some RandomNumberGenerator,
        _ cryptography: some Cryptography
    ) -> Published {
        var name = InstanceName(noiseFrom: &generator)
        var tags: [AddressTag] = []
        if let credential {
            name = InstanceName(credential: credential, nonce: generator.next(), using: cryptography)
            tags = hosts.prefix(AddressTag.count).compactMap {
                name.addressTag(of: PeerAddress(host: $0, port: port), credential, using: cryptography)
            }
        }
        while tags.count < AddressTag.count { tags.append(.noise(using: &generator)) }
        return Published(
            credential: credential, name: name,
            advertisement: Advertisement(
                instance: name.text,
                // Of a host of its own for every name, for a host can be published once.
                hostLabel: Base32.encode(Bytes32.random(using: &generator).bytes.prefix(8)), port: port,
                addressTags: tags))
    }
}

/// A bounded set of what was seen, which forgets the oldest first.
private struct BoundedMemory<Element: Hashable & Sendable>: Sendable {
    private var members: Set<Element> = []
    private var order: [Element] = []
    private var oldest = 0

    func contains(_ element: Element) -> Bool { members.contains(element) }

    mutating func insert(_ element: Element, limit: Int) {
        guard members.insert(element).inserted else { return }
        if order.count < limit {
            order.append(element)
        } else {
            members.remove(order[oldest])
            order[oldest] = element
            oldest = (oldest + 1) % limit
        }
    }
}
