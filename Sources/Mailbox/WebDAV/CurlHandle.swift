import CCurl
import Synchronization

/// One of libcurl's easy handles, with the connection that it keeps open. One thread uses it at a time: it is out of the
/// client's list of idle ones meanwhile.
final class CurlHandle: @unchecked Sendable {
    private let handle: UnsafeMutableRawPointer
    private var curl: caravan_curl

    init?(_ library: CurlLibrary) {
        curl = library.functions
        guard let handle = curl.easy_init() else { return nil }
        self.handle = handle
    }

    deinit { curl.easy_cleanup(handle) }

    /// Forgets all options, but no connection.
    func reset() { curl.easy_reset(handle) }

    func set(_ option: CURLoption, _ value: Int) { _ = caravan_curl_set_long(&curl, handle, option, value) }
    func set(_ option: CURLoption, _ value: String) { _ = caravan_curl_set_text(&curl, handle, option, value) }
    func setSize(_ option: CURLoption, _ value: Int) {
        _ = caravan_curl_set_size(&curl, handle, option, curl_off_t(value))
    }

    func set(copiedBody body: [UInt8]) {
        var body = body
        body.withUnsafeMutableBytes {
            _ = caravan_curl_set_pointer(&curl, handle, CURLOPT_COPYPOSTFIELDS, $0.baseAddress)
        }
    }

    func perform(_ transfer: CurlTransfer, headers: [String]) -> CURLcode {
        var list: UnsafeMutablePointer<curl_slist>?
        for header in headers { list = curl.slist_append(list, header) }
        defer { curl.slist_free_all(list) }
        return withExtendedLifetime(transfer) {
            let context = Unmanaged.passUnretained(transfer).toOpaque()
            _ = caravan_curl_set_pointer(&curl, handle, CURLOPT_HTTPHEADER, list)
            _ = caravan_curl_set_transfer(&curl, handle, CURLOPT_WRITEFUNCTION, curlReceivedBody)
            _ = caravan_curl_set_pointer(&curl, handle, CURLOPT_WRITEDATA, context)
            _ = caravan_curl_set_transfer(&curl, handle, CURLOPT_HEADERFUNCTION, curlReceivedHeader)
            _ = caravan_curl_set_pointer(&curl, handle, CURLOPT_HEADERDATA, context)
            _ = caravan_curl_set_progress(&curl, handle, curlAsksToGoOn)
            _ = caravan_curl_set_pointer(&curl, handle, CURLOPT_XFERINFODATA, context)
            _ = caravan_curl_set_long(&curl, handle, CURLOPT_NOPROGRESS, 0)
            return curl.easy_perform(handle)
        }
    }

    var status: Int {
        var status = 0
        return caravan_curl_get_long(&curl, handle, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0
    }

    var redirection: String? {
        var text: UnsafePointer<CChar>?
        guard caravan_curl_get_text(&curl, handle, CURLINFO_REDIRECT_URL, &text) == CURLE_OK, let text else {
            return nil
        }
        return String(cString: text)
    }
}

/// What arrives of one answer: of the thread that performs the request alone.
final class CurlTransfer {
    let bytesMax: Int
    fileprivate let ending: Ending
    fileprivate(set) var body: [UInt8] = []
    fileprivate(set) var retryAfterSeconds: Int?
    fileprivate(set) var clockAhead: Duration?

    init(bytesMax: Int, ending: Ending) {
        self.bytesMax = bytesMax
        self.ending = ending
    }

    fileprivate func takeHeader(_ line: some StringProtocol) {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { return }
        if parts[0].lowercased() == "date" {
            let text = String(parts[1].drop { $0 == " " })
            clockAhead = MailboxClock.seconds(ofHTTP: text).map(MailboxClock.ahead)
        }
        guard parts[0].lowercased() == "retry-after" else { return }
        // A date, which is rare, is as good as nothing: the node waits longer each time anyway.
        let digits = parts[1].utf8.filter { $0 != 32 && $0 != 13 && $0 != 10 }
        retryAfterSeconds = Int(String(decoding: digits, as: UTF8.self)).flatMap {
            (0...1_000_000).contains($0) ? $0 : nil
        }
    }
}

private func transfer(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
    context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
}

private func curlReceivedBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let transfer = transfer(context), let bytes else { return 0 }
    let length = size * count
    // Anything but all bytes ends the request.
    guard length <= transfer.bytesMax - transfer.body.count else { return 0 }
    transfer.body += UnsafeRawBufferPointer(start: bytes, count: length)
    return length
}

private func curlReceivedHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let transfer = transfer(context), let bytes else { return 0 }
    transfer.takeHeader(String(decoding: UnsafeRawBufferPointer(start: bytes, count: size * count), as: UTF8.self))
    return size * count
}

/// Called at least once a second.
private func curlAsksToGoOn(
    _ context: UnsafeMutableRawPointer?, _ inAll: curl_off_t, _ isIn: curl_off_t, _ outAll: curl_off_t,
    _ out: curl_off_t
) -> Int32 {
    transfer(context)?.ending.hasCome.load(ordering: .acquiring) == false ? 0 : 1
}
