import CNATS

/// libnats, loaded once a NATS mailbox is opened. Its functions are never changed.
struct NATSLibrary: @unchecked Sendable {
    let functions: caravan_nats

    /// Nil if it isn't installed.
    static let loaded: NATSLibrary? = {
        var functions = caravan_nats()
        // Each version 3.x has a file name of its own.
        let names = ["libnats.so"] + (4...30).reversed().map { "libnats.so.3.\($0)" }
        guard let library = SystemLibrary(names), caravan_nats_load(&functions, library.handle) else { return nil }
        return NATSLibrary(functions: functions)
    }()

    static let isMissing = MailboxError(
        .missingLibrary, "a NATS mailbox needs libnats, which is missing; install it (Debian: apt install libnats-dev)")
}

/// Values of libnats' `natsStatus` and `natsConnStatus`.
enum NATSStatus {
    static let ok: Int32 = 0
    static let authenticationFailed: Int32 = 11
    static let maximumPayload: Int32 = 21
    static let sslError: Int32 = 29
    static let noResponders: Int32 = 34
    static let isConnected: Int32 = 2
}
