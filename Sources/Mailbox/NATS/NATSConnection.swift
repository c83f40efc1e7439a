import CNATS
import LibC
import Synchronization

/// One connection to a NATS server. libnats locks what its functions use, so any thread may call them. The connection is
/// closed and freed with the last reference, after every call of this type.
///
/// Up to its version 3.5, libnats may hand a message to a subscription after it freed it (nats.c#637), which damages the
/// heap. So none is freed here while a message may be on its way to it. `natsConnection_Request` isn't used: it has a
/// subscription that closing the connection frees.
final class NATSConnection: @unchecked Sendable {
    private let nats: caravan_nats
    private let handle: UnsafeMutableRawPointer
    private let host: String
    /// Where answers come to: below a name of the prefix, so that a server can keep prefixes apart.
    private let inbox: String

    init(
        _ library: NATSLibrary, _ url: MailboxURL, certificates: String?, inbox: String, timeout: Duration? = nil,
        limits: MailboxPortLimits
    ) throws(MailboxError) {
        let nats = library.functions
        self.nats = nats
        host = url.host
        self.inbox = inbox
        var options: UnsafeMutableRawPointer?
        guard nats.options_create(&options) == NATSStatus.ok, let options else { throw .memory(url.host) }
        defer { nats.options_destroy(options) }
        var status = nats.options_set_url(options, "nats://\(url.host):\(url.port ?? "4222")")
        if let user = url.user {
            status |=
                url.password.map { nats.options_set_user(options, user, $0) } ?? nats.options_set_token(options, user)
        }
        status |= nats.options_set_timeout(options, Int64((timeout ?? limits.connectTimeout).milliseconds))
        status |= nats.options_set_inbox_prefix(options, inbox)
        status |= nats.options_set_ping_interval(options, Int64(limits.pingInterval.milliseconds))
        status |= nats.options_set_pings_out_max(options, 2)
        // The next call connects again.
        status |= nats.options_set_reconnects(options, false)
        status |= nats.options_set_no_echo(options, true)
        // Without one, libnats prints to standard error.
        status |= nats.options_set_error_handler(options, { _, _, _, _ in }, nil)
        if url.isSealed {
            status |= nats.options_set_secure(options, true)
            status |= nats.options_set_host(options, url.host)
            let file = certificates ?? "/etc/ssl/certs/ca-certificates.crt"
            guard nats.options_load_certificates(options, file) == NATSStatus.ok else {
                throw MailboxError(.refused, "cannot read the certificates in \(file); check the file")
            }
        }
        guard status == NATSStatus.ok else {
            throw MailboxError(.refused, "\(url.shown) can't be used; check the address")
        }
        var handle: UnsafeMutableRawPointer?
        let outcome = nats.connect(&handle, options)
        guard outcome == NATSStatus.ok, let handle else { throw Self.problem(outcome, of: url.host, nats) }
        self.handle = handle
    }

    deinit {
        // Once it is closed, no message is on its way.
        nats.connection_close(handle)
        for subscription in watching { nats.subscription_destroy(subscription) }
        for subscription in unused.withLock({ $0 }) { nats.subscription_destroy(subscription.handle) }
        nats.connection_destroy(handle)
    }

    /// Interrupts whatever waits for an answer.
    func close() { nats.connection_close(handle) }

    var isOpen: Bool { nats.connection_status(handle) == NATSStatus.isConnected }

    /// The most bytes of a message that the server takes.
    var maximumPayload: Int { Int(nats.connection_max_payload(handle)) }

    /// Asks a service of the server, and returns its answer; nil if nobody answers to that subject.
    func request(_ subject: String, _ bytes: [UInt8], within time: Duration) throws(MailboxError) -> NATSMessage? {
        try answer(of: subject, within: time) {
            nats.publish_request(handle, subject, $0, bytes, Int32(bytes.count))
        }
    }

    /// Publishes a message with a header, and returns the answer; nil if nobody listens to that subject.
    func publish(
        _ bytes: [UInt8], to subject: String, header: (key: String, value: String), within time: Duration
    ) throws(MailboxError) -> NATSMessage? {
        try answer(of: subject, within: time) { reply in
            var message: UnsafeMutableRawPointer?
            let made = bytes.withUnsafeBytes {
                nats.message_create(
                    &message, subject, reply, $0.bindMemory(to: CChar.self).baseAddress, Int32(bytes.count))
            }
            guard made == NATSStatus.ok, let message else { return made }
            defer { nats.message_destroy(message) }
            let status = nats.message_set_header(message, header.key, header.value)
            return status == NATSStatus.ok ? nats.publish_message(handle, message) : status
        }
    }

    /// The answer to what a closure publishes to a subject; nil if nobody answers.
    private func answer(
        of subject: String, within time: Duration, to publish: (_ reply: String) -> Int32
    ) throws(MailboxError) -> NATSMessage? {
        var answer: NATSMessage?
        let status = answers(to: publish, silence: time, until: ContinuousClock.now + time) {
            answer = $0
            return false
        }
        if status == NATSStatus.noResponders { return nil }
        guard status == NATSStatus.ok else { throw problem(status, of: subject) }
        return answer.flatMap { $0.isNoResponder ? nil : $0 }
    }

    /// Publishes without waiting for an answer.
    func send(_ subject: String) { _ = nats.publish(handle, subject, nil, 0) }

    /// Asks for messages, and hands each answer over until the body wants no more. None may be later than a time, nor follow a
    /// longer silence.
    func requestMany(
        _ subject: String, _ bytes: [UInt8], silence: Duration, until deadline: ContinuousClock.Instant,
        _ body: (NATSMessage) -> Bool
    ) throws(MailboxError) {
        let status = answers(
            to: { nats.publish_request(handle, subject, $0, bytes, Int32(bytes.count)) }, silence: silence,
            until: deadline, body)
        guard status == NATSStatus.ok else { throw problem(status, of: subject) }
    }

    /// Hands over the answers to what a closure publishes, until the body wants no more, or there is a problem.
    private func answers(
        to publish: (_ reply: String) -> Int32, silence: Duration, until deadline: ContinuousClock.Instant,
        _ body: (NATSMessage) -> Bool
    ) -> Int32 {
        var earlier = unused.withLock { unused in
            defer { unused = [] }
            return unused
        }
        defer { unused.withLock { $0 += earlier } }
        var subscription: UnsafeMutableRawPointer?
        let reply = "\(inbox).\(NATSConnection.randomName())"
        var status = nats.subscribe_sync(&subscription, handle, reply)
        guard status == NATSStatus.ok, let subscription else { return status }
        defer {
            _ = nats.unsubscribe(subscription)
            earlier.append(Subscription(handle: subscription))
        }
        status = publish(reply)
        while status == NATSStatus.ok {
            var message: UnsafeMutableRawPointer?
            let rest = max(1, min(silence, deadline - ContinuousClock.now).milliseconds)
            status = nats.subscription_next(&message, subscription, Int64(rest))
            guard status == NATSStatus.ok, let message else { break }
            // libnats hands messages over one after the other, so it has done with those of earlier requests.
            for subscription in earlier { nats.subscription_destroy(subscription.handle) }
            earlier = []
            if !body(NATSMessage(nats, message)) { break }
        }
        return status
    }

    private struct Subscription: @unchecked Sendable { let handle: UnsafeMutableRawPointer }

    /// Of requests that are over. An answer to a later one frees them: libnats 3.4 may be handing a message to a subscription
    /// at the moment when another thread frees it, and uses it afterwards.
    private let unused = Mutex<[Subscription]>([])

    /// Hands over each message that comes to a subject, with a hint, and gives one when the connection ends: then somebody must list, and so
    /// connect again.
    func hint(_ hints: MailboxHints, of subject: String, _ body: @escaping (NATSMessage) -> Void) {
        final class Context {
            let hints: MailboxHints
            let body: (UnsafeMutableRawPointer) -> Void
            init(_ hints: MailboxHints, _ body: @escaping (UnsafeMutableRawPointer) -> Void) {
                (self.hints, self.body) = (hints, body)
            }
        }
        let context = Unmanaged.passRetained(Context(hints) { [nats] in body(NATSMessage(nats, $0)) })
        var subscription: UnsafeMutableRawPointer?
        let status = nats.subscribe(
            &subscription, handle, subject,
            { _, _, message, context in
                guard let context else { return }
                let heard = Unmanaged<Context>.fromOpaque(context).takeUnretainedValue()
                if let message { heard.body(message) }
                heard.hints.give()
            }, context.toOpaque())
        guard status == NATSStatus.ok, let subscription else { return context.release() }
        // libnats says when no message can come any more; until then the context stays.
        _ = nats.subscription_on_complete(
            subscription, { $0.map { Unmanaged<Context>.fromOpaque($0).takeRetainedValue().hints.give() } },
            context.toOpaque())
        watching.append(subscription)
        // Once the server knows of it, no message is missed.
        _ = nats.connection_flush(handle, Int64(Self.flushTimeout.milliseconds))
    }

    private static let flushTimeout = Duration.seconds(2)

    /// Of `hint`, which the mailbox calls for one at a time.
    private var watching: [UnsafeMutableRawPointer] = []

    /// 128 random bits: who knows the name of a consumer can take its messages.
    static func randomName() -> String {
        let digits = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }
        return digits.map { String(repeating: "0", count: 16 - $0.count) + $0 }.joined()
    }

    private func problem(_ status: Int32, of subject: String) -> MailboxError {
        var text: UnsafePointer<CChar>?
        _ = nats.connection_last_error(handle, &text)
        // It stays for as long as the connection. A violation elsewhere, such as of a deletion, is no reason.
        let words = text.map { String(cString: $0) } ?? ""
        if words.lowercased().contains("permissions violation"),
            words.contains("\"\(subject)\"") || words.contains("\"\(inbox).")
        {
            return MailboxError(
                .refused, "\(host) doesn't permit this user to use this trip's mailbox; ask who runs it for the rights")
        }
        return Self.problem(status, of: host, nats)
    }

    private static func problem(_ status: Int32, of host: String, _ nats: caravan_nats) -> MailboxError {
        switch status {
        case NATSStatus.authenticationFailed:
            return MailboxError(.refused, "\(host) doesn't let this user in; check user name and password")
        case NATSStatus.sslError:
            return MailboxError(
                .refused,
                "the certificate of \(host) isn't trusted; check the address, or give the file with its certificate")
        case NATSStatus.maximumPayload:
            return MailboxError(
                .full, "\(host) takes no block this large; ask who runs it to set max_payload to 4 MB")
        default:
            let words = nats.status_text(status).map { String(cString: $0) } ?? "no reason"
            return MailboxError(.unreachable, "cannot reach \(host) (\(words)); check the address and the network")
        }
    }
}

/// A message of libnats, freed with the last reference.
final class NATSMessage {
    private let nats: caravan_nats
    private let handle: UnsafeMutableRawPointer

    fileprivate init(_ nats: caravan_nats, _ handle: UnsafeMutableRawPointer) {
        (self.nats, self.handle) = (nats, handle)
    }

    deinit { nats.message_destroy(handle) }

    var count: Int { Int(nats.message_count(handle)) }

    var bytes: [UInt8] {
        guard let start = nats.message_bytes(handle) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    var subject: String { nats.message_subject(handle).map { String(cString: $0) } ?? "" }
    var reply: String { nats.message_reply(handle).map { String(cString: $0) } ?? "" }

    func header(_ key: String) -> String? {
        var value: UnsafePointer<CChar>?
        guard nats.message_header(handle, key, &value) == NATSStatus.ok, let value else { return nil }
        return String(cString: value)
    }

    /// The server's own word that nobody listens.
    fileprivate var isNoResponder: Bool { count == 0 && header("Status") == "503" }
}

extension MailboxError {
    fileprivate static func memory(_ host: String) -> MailboxError {
        MailboxError(.unreachable, "there is no memory for a request to \(host); close other programs")
    }
}
