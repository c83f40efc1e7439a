extension TCPTransport {
    /// The bounds on what others can make a transport hold, and its deadlines.
    package struct Limits: Hashable, Sendable {
        /// Accepted connections open at once, from all addresses together. The overlay needs 12; the rest is for handshakes that fail.
        package var acceptedConnections = 192

        /// Accepted connections open at once from one address. There is no bound per network: on one LAN good and bad
        /// share every prefix.
        package var acceptedPerAddress = 16

        /// The same for loopback, where a whole group may run on one machine.
        package var acceptedPerLoopbackAddress = 128

        /// Dialled connections, open or being opened, at once.
        package var dialledConnections = 128

        /// Bytes handed to `send` that the system has not taken yet, on one connection. One more closes it.
        package var maximumUnsentBytes = 8 << 20

        /// Bytes read at once, the most that one `received` carries.
        package var readChunkBytes = 64 << 10

        /// The system's receive buffer for one connection, in bytes (it doubles the number for its own use). It bounds
        /// what still comes after reading was set off.
        package var receiveBufferBytes = 256 << 10

        /// Connections that the system completed and nobody accepted yet.
        package var backlog: Int = 128

        /// Ports that were listened at before and still accept.
        package var lingeringListeners = 4

        package var connectTimeout: Duration = .seconds(5)

        /// How long a closing connection may take to hand over what is queued and to see the other side's end.
        package var closeTimeout: Duration = .seconds(1)

        /// How long sent bytes may stay unacknowledged before the connection counts as dead (RFC 5482).
        package var userTimeout: Duration = .seconds(20)

        /// An idle connection is probed after this long, then every `keepaliveInterval`, and ends after
        /// `keepaliveProbes` probes without an answer.
        package var keepaliveIdle: Duration = .seconds(30)
        package var keepaliveInterval: Duration = .seconds(10)
        package var keepaliveProbes: Int = 3

        /// How long to wait before listening again when the system ended the listening socket.
        package var relistenDelay: Duration = .milliseconds(500)

        package static let `default` = Limits()
    }
}
