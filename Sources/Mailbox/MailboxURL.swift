import LibC
import SyncEngine

/// The parts of `scheme://user:password@host:port/path`.
struct MailboxURL: Hashable, Sendable {
    let scheme: String
    let user: String?
    let password: String?
    /// An IPv6 address is in brackets.
    let host: String
    let port: String?
    /// With a slash at its beginning and none at its end; as it was entered.
    let path: String

    init(_ text: String) throws(MailboxError) {
        // Every URL is in ASCII, and blanks, quotes and the like are written as %20.
        guard text.utf8.allSatisfy({ (33...126).contains($0) && !Array("\"<>\\^`{|}".utf8).contains($0) }),
            let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://")
        else { throw .notAnAddress }
        scheme = text[..<colon].lowercased()
        let rest = text[text.index(colon, offsetBy: 3)...]
        let authority = rest.prefix { $0 != "/" }
        var path = rest.dropFirst(authority.count)
        while path.hasSuffix("/") { path.removeLast() }
        self.path = String(path)
        let at = authority.lastIndex(of: "@")
        if let at {
            let parts = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard let user = Self.decoded(parts[0]), let password = Self.decoded(parts.dropFirst().first ?? "") else {
                throw .notAnAddress
            }
            (self.user, self.password) = (user, parts.count > 1 ? password : nil)
        } else {
            (user, password) = (nil, nil)
        }
        let place = at.map { authority[authority.index(after: $0)...] } ?? authority
        let afterBrackets = place.lastIndex(of: "]") ?? place.startIndex
        if let colon = place[afterBrackets...].firstIndex(of: ":") {
            host = place[..<colon].lowercased()
            let port = place[place.index(after: colon)...]
            guard let number = UInt16(port), number > 0, !port.hasPrefix("+") else { throw .notAnAddress }
            self.port = "\(number)"
        } else {
            (host, port) = (place.lowercased(), nil)
        }
        let isAddress = host.hasPrefix("[") && host.hasSuffix("]")
        guard !host.isEmpty, isAddress || host.allSatisfy({ $0.isLetter || $0.isNumber || "-._".contains($0) }),
            !text.contains("?"), !text.contains("#")
        else { throw .notAnAddress }
    }

    /// The servers of a cluster, which have one user: `tls://user:password@a,b:4223,c`. Most addresses have one server.
    static func servers(_ text: String) throws(MailboxError) -> [MailboxURL] {
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { throw .notAnAddress }
        let authority = text[text.index(colon, offsetBy: 3)...].prefix { $0 != "/" }
        let start = authority.lastIndex(of: "@").map(text.index(after:)) ?? authority.startIndex
        let places = authority[start...].split(separator: ",", omittingEmptySubsequences: false)
        guard places.count > 1 else { return [try MailboxURL(text)] }
        guard places.count <= serversMax else {
            throw MailboxError(.refused, "an address has at most \(serversMax) servers; leave some out")
        }
        var servers: [MailboxURL] = []
        for place in places { servers.append(try MailboxURL("\(text[..<start])\(place)")) }
        return servers
    }

    static let serversMax = 5

    /// The server, and where on it, without a user.
    var withoutUser: String { "\(scheme)://\(place)\(path)" }
    var shown: String { "\(shownUser)\(place)\(path)" }
    /// What precedes the place in what is shown. A user without a password is a secret itself: a token of NATS, or of a
    /// share of Nextcloud.
    var shownUser: String {
        let name = password.flatMap { $0.isEmpty ? nil : user }
        return "\(scheme)://\(name.map { "\($0)@" } ?? "")"
    }
    var place: String { "\(host)\(port.map { ":\($0)" } ?? "")" }
    var isSealed: Bool { scheme == "https" || scheme == "tls" }
    /// Whether it names the machine that uses it.
    var isThisMachine: Bool {
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        return name == "localhost" || name.hasSuffix(".localhost") || Self.isThisMachine(name)
    }

    private static func isThisMachine(_ text: String) -> Bool {
        // As the system's resolver reads it: 127.1 is 127.0.0.1.
        var four = in_addr()
        if inet_aton(text, &four) != 0 { return [0, 127].contains(UInt32(bigEndian: four.s_addr) >> 24) }
        guard text.hasPrefix("["), text.hasSuffix("]") else { return false }
        var six = in6_addr()
        guard inet_pton(AF_INET6, String(text.dropFirst().dropLast()), &six) == 1 else { return false }
        let bytes = withUnsafeBytes(of: six) { Array($0) }
        let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10...11].allSatisfy { $0 == 255 }
        if isMapped { return [0, 127].contains(bytes[12]) }
        return bytes[..<15].allSatisfy { $0 == 0 } && bytes[15] <= 1
    }

    /// Whether what is sent there is sealed anyway, or stays on this machine.
    var isLocal: Bool {
        isThisMachine || host.hasSuffix(".onion")
    }

    /// Nil if a `%` isn't followed by two hexadecimal digits, or if what they say is no text.
    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Substring(text).utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            // A number may have a sign, which is no digit.
            guard let value = [UInt8](hexadecimal: String(Substring(rest.prefix(2))).lowercased()), value.count == 1
            else { return nil }
            bytes += value
            rest.removeFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension MailboxError {
    // Without the text, which may hold a password.
    static let notAnAddress = MailboxError(
        .refused,
        "this is not the address of a mailbox; give a folder, https://USER:PASSWORD@HOST/FOLDER, or tls://HOST")
}
