import CAvahi
import SyncEngine

/// Publishes a set of advertisements: an entry group for each, which holds the service, its host and the host's addresses.
///
/// Lives on the discovery thread; `close` before the client is freed.
final class Publisher {
    fileprivate final class Publication {
        let advertisement: Advertisement
        let addresses: [NetworkInterfaces.HostAddress]
        var group: OpaquePointer?
        /// Why Avahi does not publish it.
        var refusal: String?
        var isRefusalReported = false
        var backoff = Backoff(first: 2_000)
        var retry: ContinuousClock.Instant?

        init(_ advertisement: Advertisement, at addresses: [NetworkInterfaces.HostAddress]) {
            self.advertisement = advertisement
            self.addresses = addresses
        }

        func close() {
            if let group { avahi_entry_group_free(group) }
            group = nil
        }
    }

    private var publications: [Publication] = []

    /// Makes what is published what is wanted, and gives what Avahi newly refuses, with its reason.
    func step(
        client: OpaquePointer, wanted: [Advertisement], network: NetworkInterfaces, now: ContinuousClock.Instant
    ) -> [(instance: String, reason: String)] {
        let addresses = network.hostAddresses
        publications.removeAll { publication in
            let isKept = wanted.contains(publication.advertisement) && publication.addresses == addresses
            if !isKept { publication.close() }
            return !isKept
        }
        if !addresses.isEmpty {
            for advertisement in wanted where !publications.contains(where: { $0.advertisement == advertisement }) {
                let publication = Publication(advertisement, at: addresses)
                publication.publish(by: client)
                publications.append(publication)
            }
        }
        return publications.compactMap { publication in
            publication.attend(client: client, now: now).map { (publication.advertisement.instance, $0) }
        }
    }

    /// When the next refused one is tried again.
    var deadline: ContinuousClock.Instant? { publications.compactMap(\.retry).min() }

    func close() {
        publications.forEach { $0.close() }
        publications = []
    }
}

extension Publisher.Publication {
    /// Tries again what was refused, once its time has come; gives the reason of a refusal that is new.
    fileprivate func attend(client: OpaquePointer, now: ContinuousClock.Instant) -> String? {
        if let retry, retry <= now {
            self.retry = nil
            refusal = nil
            publish(by: client)
        }
        guard let refusal, retry == nil else { return nil }
        // Else avahi-daemon counts what it took of the group as there.
        close()
        retry = now + .milliseconds(backoff.next(upTo: 60_000))
        defer { isRefusalReported = true }
        return isRefusalReported ? nil : refusal
    }

    fileprivate func publish(by client: OpaquePointer) {
        group = avahi_entry_group_new(client, groupChanged, Unmanaged.passUnretained(self).toOpaque())
        guard let group else { return refuse(avahi_client_errno(client)) }
        for record in records {
            let error = record.data.withUnsafeBytes { data in
                // As shared records (RFC 6762, section 2): nobody else has these random names, so they need no probes, and no
                // other host can claim one and so keep it from being published. Nor is there a PTR for an address: it would
                // tie this epoch's host name to the machine's.
                avahi_entry_group_add_record(
                    group, record.interface, Avahi.anyProtocol, AvahiPublishFlags(rawValue: 0), record.name,
                    UInt16(AVAHI_DNS_CLASS_IN), record.type, record.seconds, data.baseAddress, data.count)
            }
            if error < 0 { return refuse(error) }
        }
        let error = avahi_entry_group_commit(group)
        if error < 0 { refuse(error) }
    }

    private var records: [ServiceRecord] {
        ServiceRecord.all(of: advertisement, at: addresses)
    }

    fileprivate func refuse(_ error: Int32) { refusal = Avahi.text(error) }
}

private func groupChanged(
    group: OpaquePointer?, state: AvahiEntryGroupState, context: UnsafeMutableRawPointer?
) {
    guard let context else { return }
    let publication = Unmanaged<Publisher.Publication>.fromOpaque(context).takeUnretainedValue()
    switch state {
    case AVAHI_ENTRY_GROUP_COLLISION: publication.refusal = "another host uses this name"
    case AVAHI_ENTRY_GROUP_FAILURE: publication.refusal = "avahi-daemon could not publish it"
    default: break
    }
}
