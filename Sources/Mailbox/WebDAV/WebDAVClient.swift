import CCurl
import Synchronization

struct WebDAVRequest {
    let method: String
    /// Below the address of the mailbox.
    let path: String
    let body: [UInt8]?
    var headers: [String]
    var answerBytesMax: Int?
    var carriesBlock = false

    init(_ method: String, _ path: String, body: [UInt8]? = nil, headers: [String] = []) {
        self.method = method
        self.path = path
        self.body = body
        self.headers = headers
    }
}

struct WebDAVAnswer {
    let status: Int
    /// Nil if it was longer than it may be.
    let body: [UInt8]?
    /// Where a server that moved the resource says that it is.
    let location: String?
    let retryAfter: Duration?

    var isSuccess: Bool { (200..<300).contains(status) }
}

/// Requests to one WebDAV server by libcurl: TLS verified, no redirects followed, answers bounded while they arrive.
final class WebDAVClient: Sendable {
    private let url: MailboxURL
    private let proxy: String?
    private let certificates: String?
    private let limits: MailboxPortLimits
    private let idle = Mutex<[CurlHandle]>([])
    private let ending = Ending()
    private let lastClock = Mutex<Duration?>(nil)

    private let library: CurlLibrary

    init(_ url: MailboxURL, proxy: String?, certificates: String?, limits: MailboxPortLimits) throws(MailboxError) {
        guard let library = CurlLibrary.loaded else { throw CurlLibrary.isMissing }
        self.library = library
        self.url = url
        self.proxy = proxy
        self.certificates = certificates
        self.limits = limits
    }

    var clockAhead: Duration? { lastClock.withLock { $0 } }

    var hasEnded: Bool { ending.hasCome.load(ordering: .acquiring) }

    /// Interrupts the requests under way.
    func end() {
        ending.hasCome.store(true, ordering: .releasing)
        idle.withLock { $0 = [] }
    }

    func ask(_ request: WebDAVRequest) throws(MailboxError) -> WebDAVAnswer {
        guard !hasEnded else { throw .ended }
        guard let handle = idle.withLock({ $0.popLast() }) ?? CurlHandle(library) else {
            throw MailboxError(.unreachable, "there is no memory for a request to \(url.host); close other programs")
        }
        let transfer = CurlTransfer(bytesMax: request.answerBytesMax ?? limits.answerBytes, ending: ending)
        let code = perform(request, handle, transfer)
        let status = handle.status
        let location = handle.redirection
        // As many as calls were ever made at once. A handle keeps its connection.
        if !hasEnded { idle.withLock { $0.append(handle) } }
        if let clockAhead = transfer.clockAhead { lastClock.withLock { $0 = clockAhead } }
        let isTooLong = code == CURLE_FILESIZE_EXCEEDED || code == CURLE_WRITE_ERROR
        guard code == CURLE_OK || isTooLong && !hasEnded else { throw problem(code) }
        return WebDAVAnswer(
            status: status, body: isTooLong ? nil : transfer.body, location: location,
            retryAfter: transfer.retryAfterSeconds.map { min(.seconds($0), limits.retryAfterMost) })
    }

    private func perform(_ request: WebDAVRequest, _ handle: CurlHandle, _ transfer: CurlTransfer) -> CURLcode {
        handle.reset()
        handle.set(CURLOPT_URL, "\(url.withoutUser)/\(request.path)")
        handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
        handle.set(CURLOPT_NOSIGNAL, 1)
        handle.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if let certificates { handle.set(CURLOPT_CAINFO, certificates) }
        // Without one, libcurl takes it from the environment (https_proxy, no_proxy).
        if let proxy { handle.set(CURLOPT_PROXY, proxy) }
        if let user = url.user {
            handle.set(CURLOPT_HTTPAUTH, 1)  // Basic: apps' passwords need no more, and TLS seals them.
            handle.set(CURLOPT_USERNAME, user)
            handle.set(CURLOPT_PASSWORD, url.password ?? "")
        }
        handle.set(CURLOPT_USERAGENT, "caravan")
        handle.set(CURLOPT_CONNECTTIMEOUT_MS, limits.connectTimeout.milliseconds)
        let timeout = request.carriesBlock ? limits.blockTimeout : limits.callTimeout
        handle.set(CURLOPT_TIMEOUT_MS, timeout.milliseconds)
        handle.set(CURLOPT_LOW_SPEED_LIMIT, limits.silentBytesPerSecond)
        handle.set(CURLOPT_LOW_SPEED_TIME, max(1, limits.silenceTimeout.milliseconds / 1_000))
        // A server that says how long its answer is need not send it.
        handle.setSize(CURLOPT_MAXFILESIZE_LARGE, transfer.bytesMax)
        if let body = request.body {
            // As a POST by another name. libcurl copies the body, whose size must be known first.
            handle.setSize(CURLOPT_POSTFIELDSIZE_LARGE, body.count)
            handle.set(copiedBody: body)
        } else {
            handle.set(CURLOPT_HTTPGET, 1)
        }
        handle.set(CURLOPT_CUSTOMREQUEST, request.method)
        var headers = request.headers + ["Expect:"]
        if request.body != nil, !headers.contains(where: { $0.hasPrefix("Content-Type:") }) {
            headers.append("Content-Type: application/octet-stream")
        }
        return handle.perform(transfer, headers: headers)
    }

    /// What a code of libcurl means for a person.
    private func problem(_ code: CURLcode) -> MailboxError {
        if hasEnded { return .ended }
        let host = url.host
        let words = library.functions.easy_strerror(code).map { String(cString: $0) } ?? "no reason"
        switch code {
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_ISSUER_ERROR:
            return MailboxError(
                .refused,
                "the certificate of \(host) isn't trusted; check the address, or give the file with its certificate")
        case CURLE_SSL_CACERT_BADFILE:
            return MailboxError(
                .refused, "cannot read the certificates in \(certificates ?? "the system's folder"); check the file")
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL:
            return MailboxError(.refused, "\(url.shown) can't be used; check the address")
        default:
            return MailboxError(
                .unreachable, "cannot reach \(host) (\(words)); check the address and the network")
        }
    }

    /// What an answer that nobody wanted means for a person.
    func problem(_ answer: WebDAVAnswer) -> MailboxError {
        let host = url.host
        switch answer.status {
        case 401 where url.user == nil:
            return MailboxError(
                .refused,
                "\(host) asks for a password (401); give the address with a user and an app password: "
                    + "\(url.scheme)://USER:PASSWORD@\(url.place)\(url.path)")
        case 401:
            return MailboxError(
                .refused, "\(host) doesn't let this user in (401); check user name and app password")
        case 403:
            return MailboxError(
                .refused, "\(host) refuses (403); check user, app password, and whether you may write there")
        case 300..<400:
            let place = answer.location.map { String($0.prefix(200)) } ?? "another address"
            return MailboxError(.refused, "\(host) redirects to \(place); if you trust that address, use it instead")
        case 413, 507:
            return MailboxError(.full, "\(host) has no space left for this user; free some, or choose another mailbox")
        case 429, 503:
            return MailboxError(
                .unreachable, "\(host) asks to be left alone for now (\(answer.status)); wait",
                retryAfter: answer.retryAfter)
        case 500...: return MailboxError(.unreachable, "\(host) has a problem (\(answer.status)); try again later")
        default:
            return MailboxError(
                .refused,
                "\(host) has no WebDAV folder at \(url.path.isEmpty ? "/" : url.path) (\(answer.status)); "
                    + "check the address")
        }
    }

    func isCrowded(most: Int) -> MailboxError { .crowded("the mailbox at \(url.host)", most: most) }

    func hasLongList(_ most: Int) -> MailboxError {
        MailboxError(
            .full, "the list of \(url.host) has more than \(most) bytes; delete files there that are no blocks")
    }

    var isNoWebDAV: MailboxError {
        MailboxError(.refused, "the list of \(url.host) is not WebDAV; check the address")
    }
}

/// Whether the mailbox is closed: asked from libcurl's callbacks.
final class Ending: Sendable {
    let hasCome = Atomic(false)
}

extension Duration {
    var milliseconds: Int { Int(self / .milliseconds(1)) }
}
