import ChangeLog

// Performs the dialer's steps, and tells it what discovery and the connections bring.
extension SyncNode {
    /// Whether there are too many nodes for a full mesh.
    var isCrowded: Bool { dialer.isCrowded }

    /// The connections, as the dialer sees them. O(connections).
    var contacts: Contacts {
        let log = log
        return Contacts(all: table.contacts + gate.contacts, line: { log.line(of: $0) })
    }

    /// Dials the addresses that are due, and ends sessions for which there is no place.
    mutating func keepPeers(using generator: inout some RandomNumberGenerator) {
        guard isMember || isLetIn || joining != nil else { return }
        dialer.look(at: contacts, isMember: isMember, at: now.monotonic, using: &generator)
        while true {
            switch dialer.next(with: contacts, at: now.monotonic, using: &generator) {
            case .hangUp(let id): end(id)
            case .dial(let addresses):
                for address in addresses { dialer.dialling(address, as: dial(address, for: .meeting)) }
                return
            }
        }
    }

    @discardableResult
    mutating func dial(_ address: PeerAddress, for purpose: Connection.Purpose) -> ConnectionID {
        let id = gate.dial(address, for: purpose, at: now.monotonic)
        turn.effects.append(.dial(id, address))
        return id
    }

    /// Dials every address at once. Dials under way began on the network before, and would wait for seconds to be sent again.
    mutating func dialAgain() {
        for id in gate.dialling { drop(id) }
        dialer.retryNow(at: now.monotonic)
    }

    /// Whether there is a place for a session that has just begun. If another session must end for it, that ends.
    mutating func mayStay(_ id: ConnectionID, using generator: inout some RandomNumberGenerator) -> Bool {
        switch contacts.place(for: id, at: now.monotonic, limits: limits, using: &generator) {
        case .free: return true
        case .inPlaceOf(let other):
            end(other)
            return true
        case .none: return false
        }
    }

    // MARK: - Names

    mutating func appeared(_ instance: String, using generator: inout some RandomNumberGenerator) {
        guard !dialer.names.contains(instance), let name = InstanceName(instance), !publication.isOwn(name) else {
            return
        }
        let maker = maker(of: name)
        switch dialer.appeared(instance, madeBy: maker, at: now.monotonic, using: &generator) {
        case .held: turn.effects.append(.hold(instance: instance))
        case .tooMany: reached(.instances)
        case .noted, .passedOver: break
        }
    }

    /// The key that made a name, if it leads to a member: the newest epoch's, an older one's if a member was away, or a pair's if others
    /// may have an epoch that this node does not know. A device that is in without a secret knows only those of pairs. Names may be many,
    /// so each is compared with the pairs of only some members.
    private mutating func maker(of name: InstanceName) -> Credential? {
        let epochs = diallingCredentials()
        if let maker = epochs.first(where: { name.isMade(with: $0, using: cryptography) }) { return maker }
        guard isMember || isLetIn else { return nil }
        for device in copies + unmetMembers.prefix(limits.namedPairsMax) {
            guard let maker = pair(with: device), name.isMade(with: maker, using: cryptography) else { continue }
            return maker
        }
        return nil
    }

    /// Looks again at the names that are present, if that is due since a new secret came. When that is, `nextDeadline` says.
    mutating func recogniseDue() {
        guard dialer.takeComparison(at: now.monotonic) else { return }
        turn.mustLook = true
        recogniseAgain()
    }

    /// Looks again at the names that are present, after a new secret came.
    mutating func recogniseAgain() {
        for instance in dialer.names.unknown {
            guard let name = InstanceName(instance), let maker = maker(of: name) else { continue }
            turn.effects.append(.hold(instance: instance))
            dialer.recognise(instance, madeBy: maker, at: now.monotonic, using: cryptography)
        }
    }
}
