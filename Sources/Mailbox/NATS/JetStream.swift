import Foundation

/// What JetStream's services are asked, and answer, in JSON. Only what a mailbox needs.
enum JetStream {
    /// One stream holds all trips of a server.
    static let stream = "CV"
    /// 90 days.
    private static let ageMaxNanoseconds = 90 * 86_400 * 1_000_000_000
    /// A repeated put is one put for this long; later, the list shows it once anyway.
    private static let duplicateNanoseconds = 3_600 * 1_000_000_000

    struct StreamConfiguration: Encodable {
        let name = JetStream.stream
        let subjects = ["cv.*.*"]
        let retention = "limits"
        let storage = "file"
        let discard = "new"
        let numReplicas: Int
        let maxAge = JetStream.ageMaxNanoseconds
        let duplicateWindow = JetStream.duplicateNanoseconds
        let maxMsgsPerSubject: Int
        let discardNewPerSubject = true
    }

    struct ConsumerRequest: Encodable {
        let streamName = JetStream.stream
        let config: ConsumerConfiguration
    }

    struct ConsumerConfiguration: Encodable {
        let name: String
        let filterSubject: String
        let deliverPolicy: String
        let optStartSeq: UInt64?
        let ackPolicy = "none"
        let replayPolicy = "instant"
        let headersOnly: Bool
        let memStorage = true
        let numReplicas = 1
        let inactiveThreshold = 30 * 1_000_000_000

        /// - Parameter start: the first message to deliver; nil for all.
        init(_ name: String, of subject: String, from start: UInt64? = nil, headersOnly: Bool) {
            self.name = name
            filterSubject = subject
            deliverPolicy = start == nil ? "all" : "by_start_sequence"
            optStartSeq = start
            self.headersOnly = headersOnly
        }
    }

    struct NextRequest: Encodable {
        let batch: Int
        let noWait = true
    }

    /// An answer of any service. An acknowledgement with an error has a sequence too, so the error counts first.
    struct Answer: Decodable {
        struct Problem: Decodable {
            let code: Int
            let errCode: Int?
            let description: String?
        }

        let error: Problem?
        let numPending: UInt64?
        let seq: UInt64?
        /// When a consumer was made, by the server's clock.
        let created: String?
    }

    /// What a cluster keeps of each block. One server may fail.
    static let replicas = 3

    /// Numbers of JetStream's errors.
    enum Code {
        static let isNoCluster = 10_074
        static let tooFewServers = 10_005
        static let streamNotFound = 10_059
        static let streamNameInUse = 10_058
        static let notEnabled = [10_039, 10_076]
        static let full = [10_023, 10_047, 10_077, 10_122]
    }

    static func encoded(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return (try? encoder.encode(value)).map(Array.init) ?? []
    }

    /// Nil if it is no answer of a service.
    static func decoded(_ bytes: [UInt8]) -> Answer? {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try? decoder.decode(Answer.self, from: Data(bytes))
    }

    /// What the subject that acknowledges a message says of it.
    struct Acknowledgement {
        /// The message's place in the stream.
        let sequence: UInt64
        /// How many more there are for its consumer.
        let pending: UInt64

        /// Nil if it is of no known form.
        init?(_ reply: String) {
            let parts = reply.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count >= 9, parts.prefix(2) == ["$JS", "ACK"] else { return nil }
            // Since version 2 of the form, a domain and an account come before the stream.
            let first = parts.count >= 11 ? 4 : 2
            guard let sequence = UInt64(parts[first + 3]), let pending = UInt64(parts[first + 6]) else { return nil }
            (self.sequence, self.pending) = (sequence, pending)
        }
    }
}
