import CCurl

/// libcurl, loaded once a WebDAV mailbox is opened. Its functions are never changed.
struct CurlLibrary: @unchecked Sendable {
    let functions: caravan_curl

    /// Nil if it isn't installed. libcurl must be started once, before any thread uses it.
    static let loaded: CurlLibrary? = {
        var functions = caravan_curl()
        // 3 starts all of it.
        guard let library = SystemLibrary(["libcurl.so.4", "libcurl-gnutls.so.4"]),
            caravan_curl_load(&functions, library.handle), functions.global_init(3) == CURLE_OK
        else { return nil }
        return CurlLibrary(functions: functions)
    }()

    static let isMissing = MailboxError(
        .missingLibrary, "a WebDAV mailbox needs libcurl, which is missing; install it (Debian: apt install libcurl4)")
}
