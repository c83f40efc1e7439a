/// An address of a page, in parts that mean the same to everybody who reads them.
///
/// Stricter than browsers: programs that read one address differently are how a check of one host becomes a request to another.
struct SiteAddress: Hashable, Sendable {
    let isSecure: Bool
    /// A name in lower case, or an address of IPv4, or of IPv6 between brackets.
    let host: String
    let port: UInt16
    /// With its query, percent-encoded.
    private let path: String

    /// - Throws: why nothing is fetched from there, in a line.
    init(_ text: String) throws(DesktopError) {
        guard let scheme = ["http://", "https://"].first(where: { text.lowercased().hasPrefix($0) }) else {
            throw DesktopError("only addresses of http and https are fetched")
        }
        isSecure = scheme == "https://"
        guard text.utf8.count <= Self.bytesMax else { throw DesktopError("the address is too long to fetch") }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { !"/?#\\".contains($0) }
        guard !authority.contains("@") else {
            throw DesktopError("an address with a user name or a password is not fetched")
        }
        let host = authority.first == "[" ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
        guard authority.hasPrefix(host) else { throw Self.malformed }
        let afterHost = authority.dropFirst(host.count)
        guard afterHost.isEmpty || afterHost.first == ":" else { throw Self.malformed }
        let digits = afterHost.dropFirst()
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = digits.isEmpty ? (isSecure ? 443 : 80) : UInt16(digits)
        else { throw Self.malformed }
        self.port = port
        self.host = try Self.host(String(host).lowercased())
        path = Self.path(rest.dropFirst(authority.count))
    }

    private static let bytesMax = 4_000
    private static let malformed = DesktopError("the address is malformed; check the link")

    var text: String {
        (isSecure ? "https://" : "http://") + host + (port == (isSecure ? 443 : 80) ? "" : ":\(port)") + path
    }

    /// The address that the host itself is; nil for a name.
    var literal: NetworkAddress? { NetworkAddress(host.first == "[" ? String(host.dropFirst().dropLast()) : host) }

    /// Where a redirect leads.
    ///
    /// - Throws: for one that is not fetched from, and for one that leads from https to http.
    func leading(to redirect: String) throws(DesktopError) -> SiteAddress {
        let next = try SiteAddress(redirect)
        guard next.isSecure || !isSecure else {
            throw DesktopError("\(host) leads from https to http; nothing was fetched")
        }
        return next
    }

    private static func host(_ host: String) throws(DesktopError) -> String {
        if host.first == "[" {
            guard let address = NetworkAddress(String(host.dropFirst().dropLast())), address.bytes.count == 16 else {
                throw malformed
            }
            return address.hostText
        }
        if NetworkAddress(host) != nil { return host }
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        guard name.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw DesktopError(
                "a host with other letters than a to z is not fetched; write it as xn--…, as browsers do")
        }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.first != "-"
                && label.utf8.allSatisfy {
                    (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D || $0 == 0x5F
                }
        }
        // "0x7f.1", "2130706433" and "127.1" are addresses to some programs and names to others (URL Standard, section 3.5).
        guard isName, name.utf8.count <= 253, let last = labels.last, last.first?.isNumber == false else {
            throw malformed
        }
        return name
    }

    /// A path and query without what would end them early, or be read as something else.
    private static func path(_ rest: Substring) -> String {
        var path: [UInt8] = rest.first == "/" ? [] : [0x2F]
        for byte in rest.prefix(while: { $0 != "#" }).utf8 {
            switch byte {
            case 0x21, 0x23...0x3B, 0x3D, 0x3F...0x5B, 0x5D, 0x5F, 0x61...0x7A, 0x7E: path.append(byte)
            default: path += [0x25] + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: path, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
}
