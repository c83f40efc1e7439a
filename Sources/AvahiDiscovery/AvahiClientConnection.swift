import CAvahi

/// A client of avahi-daemon. Lives on the discovery thread.
///
/// A client that has failed is of no further use, even with AVAHI_CLIENT_NO_FAIL: the thread closes it, outside of any
/// callback, and makes a new one.
final class AvahiClientConnection {
    enum State: Equatable {
        /// There is a bus, and no daemon on it yet.
        case waiting
        case running
        case failed(reason: String)
    }

    fileprivate(set) var state: State = .waiting
    private(set) var pointer: OpaquePointer?

    /// Connects; the reason where there is not even a bus.
    static func open(on poll: UnsafePointer<AvahiPoll>) -> Result<AvahiClientConnection, Refusal> {
        let connection = AvahiClientConnection()
        var error: Int32 = 0
        connection.pointer = avahi_client_new(
            poll, AVAHI_CLIENT_NO_FAIL, clientChanged, Unmanaged.passUnretained(connection).toOpaque(), &error)
        guard connection.pointer != nil else {
            return .failure(Refusal(reason: "the D-Bus system bus does not answer (\(Avahi.text(error)))"))
        }
        return .success(connection)
    }

    struct Refusal: Error {
        let reason: String
    }

    func close() {
        if let pointer { avahi_client_free(pointer) }
        pointer = nil
    }
}

// The first call comes before avahi_client_new has returned: the client is the argument.
private func clientChanged(client: OpaquePointer?, state: AvahiClientState, context: UnsafeMutableRawPointer?) {
    guard let client, let context else { return }
    let connection = Unmanaged<AvahiClientConnection>.fromOpaque(context).takeUnretainedValue()
    switch state {
    // Our names do not hang on the machine's: a daemon that still looks for one serves us all the same.
    case AVAHI_CLIENT_S_RUNNING, AVAHI_CLIENT_S_REGISTERING, AVAHI_CLIENT_S_COLLISION: connection.state = .running
    case AVAHI_CLIENT_FAILURE: connection.state = .failed(reason: Avahi.text(avahi_client_errno(client)))
    default: connection.state = .waiting
    }
}
