package import ChangeLog
package import SyncEngine
import Synchronization

/// A mailbox on a WebDAV server (RFC 4918): Nextcloud, Apache, nginx, rclone.
///
/// A block is the resource `cv.<prefix>/<tag>/<name>` below the address.
package final class WebDAVMailbox: MailboxPort {
    private let client: WebDAVClient
    private let limits: MailboxPortLimits
    private let watchers = Mutex<[MailboxHints]>([])
    private static let watchersMax = 16
    /// With more slots than this, those that exist are looked up first.
    private static let slotsListedBlindly = 3

    init(_ url: MailboxURL, proxy: String?, certificates: String?, limits: MailboxPortLimits) throws(MailboxError) {
        client = try WebDAVClient(url, proxy: proxy, certificates: certificates, limits: limits)
        self.limits = limits
    }

    package func put(_ block: [UInt8], in slot: MailboxSlot) throws(MailboxError) {
        guard block.count <= limits.blockBytes else { throw .tooLarge(block.count, most: limits.blockBytes) }
        let path = path(of: BlockName(of: block), in: slot)
        var put = WebDAVRequest("PUT", path, body: block, headers: ["If-None-Match: *"])
        put.carriesBlock = true
        var answer = try client.ask(put)
        // 409 says that a collection above is missing; some say 404, or 403, and nginx says 500.
        if [403, 404, 409, 500].contains(answer.status) {
            for collection in ["\(path.prefixFolder)/", "\(path.slotFolder)/"] {
                let made = try client.ask(WebDAVRequest("MKCOL", collection))
                // 405 says that it is there.
                guard made.isSuccess || made.status == 405 else { throw client.problem(made) }
            }
            answer = try client.ask(put)
        }
        if answer.status == 412 {
            // Something of that name is there. If it isn't the block, it is replaced.
            if try get(BlockName(of: block), in: slot) != nil { return }
            put.headers = []
            answer = try client.ask(put)
        }
        guard answer.isSuccess else { throw client.problem(answer) }
    }

    package func list(_ slots: [MailboxSlot]) throws(MailboxError) -> [MailboxListing] {
        var existing: Set<String>?
        if slots.count > Self.slotsListedBlindly, let first = slots.first {
            existing = Set(try names(in: "\(MailboxSlot.root(of: first.prefix))/") ?? [])
        }
        var listings: [MailboxListing] = []
        for slot in slots {
            guard existing?.contains(slot.tag.description) ?? true else {
                listings.append(MailboxListing())
                continue
            }
            listings.append(try list(slot))
        }
        return listings
    }

    private func list(_ slot: MailboxSlot) throws(MailboxError) -> MailboxListing {
        var listing = MailboxListing()
        // A collection with a block's name is no block.
        let names = Set(try entries(of: slot).filter { !$0.hasSuffix("/") }.compactMap { BlockName(Self.name(of: $0)) })
        guard names.count <= limits.namesPerListing else { throw client.isCrowded(most: limits.namesPerListing) }
        listing.names = names.sorted()
        return listing
    }

    private func entries(of slot: MailboxSlot) throws(MailboxError) -> [String] {
        let tag = slot.tag.description
        // A server may name the collection itself with the resources in it.
        return try references(in: "\(MailboxSlot.root(of: slot.prefix))/\(tag)/")?.filter { Self.name(of: $0) != tag }
            ?? []
    }

    private func names(in collection: String) throws(MailboxError) -> [String]? {
        try references(in: collection)?.map(Self.name)
    }

    /// The last part of a path.
    private static func name(of reference: String) -> String {
        reference.split(separator: "/").last.map(String.init) ?? ""
    }

    /// The paths that a server lists for a collection, those of collections with a slash at their end (RFC 4918, 5.2); nil if it
    /// isn't there.
    private func references(in collection: String) throws(MailboxError) -> [String]? {
        let body = "<?xml version=\"1.0\"?><propfind xmlns=\"DAV:\"><prop><resourcetype/></prop></propfind>"
        var request = WebDAVRequest(
            "PROPFIND", collection, body: Array(body.utf8), headers: ["Depth: 1", "Content-Type: application/xml"])
        request.answerBytesMax = limits.listingBytes
        let answer = try client.ask(request)
        if answer.status == 404 { return nil }
        guard answer.status == 207 else { throw client.problem(answer) }
        guard let list = answer.body else { throw client.hasLongList(limits.listingBytes) }
        guard let references = MultistatusReader.references(in: list, most: limits.entriesPerListing + 1) else {
            throw client.isNoWebDAV
        }
        guard references.count <= limits.entriesPerListing else {
            throw client.isCrowded(most: limits.entriesPerListing)
        }
        return references
    }

    package func get(_ name: BlockName, in slot: MailboxSlot) throws(MailboxError) -> [UInt8]? {
        var request = WebDAVRequest("GET", path(of: name, in: slot))
        request.answerBytesMax = limits.blockBytes
        request.carriesBlock = true
        let answer = try client.ask(request)
        if answer.status == 404 || answer.status == 410 { return nil }
        guard answer.status == 200 else { throw client.problem(answer) }
        return answer.body.flatMap { BlockName(of: $0) == name ? $0 : nil }
    }

    package func drop(_ names: [BlockName], in slot: MailboxSlot) throws(MailboxError) {
        for name in names {
            let answer = try client.ask(WebDAVRequest("DELETE", path(of: name, in: slot)))
            guard answer.isSuccess || answer.status == 404 else { throw client.problem(answer) }
        }
        // WebDAV deletes a collection with all that is in it. Nobody writes to this slot any more; and if a node with a wrong clock
        // does so between these two requests, it finds its block missing, and puts it again.
        guard try entries(of: slot).isEmpty else { return }
        // Some servers permit no such thing.
        _ = try client.ask(WebDAVRequest("DELETE", "\(MailboxSlot.root(of: slot.prefix))/\(slot.tag)/"))
    }

    package func holdsAnything(of prefix: Bytes16) throws(MailboxError) -> Bool {
        let root = MailboxSlot.root(of: prefix)
        return try names(in: "\(root)/")?.contains { $0 != root } ?? false
    }

    /// By its quota (RFC 4331); nil if the server tells none.
    package func freeBytes() throws(MailboxError) -> Int64? {
        let body = "<?xml version=\"1.0\"?><propfind xmlns=\"DAV:\"><prop><quota-available-bytes/></prop></propfind>"
        let answer = try client.ask(
            WebDAVRequest(
                "PROPFIND", "", body: Array(body.utf8), headers: ["Depth: 0", "Content-Type: application/xml"]))
        guard answer.status == 207, let list = answer.body else { return nil }
        // Nextcloud says with a negative number that it knows of no bound.
        return MultistatusReader.freeBytes(in: list).flatMap { $0 >= 0 ? $0 : nil }
    }

    /// WebDAV has no way to tell, so this gives no hints.
    package func watch(prefix: Bytes16) -> AsyncStream<Void> {
        let hints = MailboxHints()
        let isKept = watchers.withLock { watchers in
            guard !client.hasEnded, watchers.count < Self.watchersMax else { return false }
            watchers.append(hints)
            return true
        }
        if !isKept { hints.finish() }
        return hints.stream
    }

    package var clockAhead: Duration? { client.clockAhead }

    package func end() {
        client.end()
        let watchers = watchers.withLock { watchers in
            defer { watchers = [] }
            return watchers
        }
        for hints in watchers { hints.finish() }
    }

    private func path(of name: BlockName, in slot: MailboxSlot) -> ResourcePath {
        let prefix = MailboxSlot.root(of: slot.prefix)
        return ResourcePath(prefixFolder: prefix, slotFolder: "\(prefix)/\(slot.tag)", name: name)
    }
}

private struct ResourcePath {
    let prefixFolder: String
    let slotFolder: String
    let name: BlockName

    var text: String { "\(slotFolder)/\(name)" }
}

extension WebDAVRequest {
    fileprivate init(_ method: String, _ path: ResourcePath, body: [UInt8]? = nil, headers: [String] = []) {
        self.init(method, path.text, body: body, headers: headers)
    }
}
