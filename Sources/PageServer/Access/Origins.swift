import NIOHTTP1

/// By which names a listener may be addressed. A page elsewhere whose name is made to lead here (DNS rebinding) addresses
/// it by that name, and is refused; so is a form that another page posts.
struct Origins: Sendable {
    /// As the Host header has them: "127.0.0.1:41234".
    let hosts: Set<String>

    /// - Parameter addresses: numeric addresses and names, IPv6 without brackets.
    init(_ addresses: [String], port: UInt16) {
        hosts = Set(
            addresses.flatMap { address in
                let host = address.contains(":") ? "[\(address)]" : address
                return port == 80 ? [host, "\(host):80"] : ["\(host):\(port)"]
            })
    }

    /// Why a request is refused before anything of it is looked at; nil where it is not.
    func refusal(of request: HTTPRequest) -> HTTPResponse? {
        guard let host = request.header("host"), hosts.contains(host.lowercased()) else {
            return .line(
                HTTPResponseStatus(statusCode: 421, reasonPhrase: "Misdirected Request"),
                "this page has another address: use the link that `caravan open` prints")
        }
        guard request.method == .POST else { return nil }
        return isOwn(request)
            ? nil : .line(.forbidden, "this form came from another page: open the trip’s own page and do it there")
    }

    /// Whether a page of ours sent the form. Browsers say so on every post (Fetch, section 3.2): whoever says nothing at
    /// all is no browser, or hides it.
    private func isOwn(_ request: HTTPRequest) -> Bool {
        if !request.headers["origin"].isEmpty {
            guard let origin = request.header("origin"), origin.hasPrefix("http://") else { return false }
            return hosts.contains(origin.dropFirst("http://".count).lowercased())
        }
        return request.header("sec-fetch-site").map { $0 == "same-origin" || $0 == "none" } ?? false
    }
}
