/// What a server answered at the end of all redirects.
package struct FetchedFile: Hashable, Sendable {
    package let bytes: [UInt8]
    /// As the server names it; nil where it names none.
    package let contentType: String?
    /// Where it was, after all redirects.
    package let address: String
}

extension Desktop {
    /// The most bytes of what is fetched.
    package static let fetchBytesMax = 5 << 20
    /// For all of it: names, redirects and the answer.
    private static let fetchSeconds = 10
    private static let lookUpSeconds = 5
    private static let redirectsMax = 5
    /// Of a name, those that are tried.
    private static let addressesMax = 8
    private static let fetches = BoundedTurns(atOnce: 2, waitingMax: 16, of: "pages")

    /// What an address of http or https leads to, by `getent` and `curl` within walls (`Sandbox`). Without walls nothing is fetched.
    ///
    /// Each hop takes two children. One finds the addresses of the name, which are checked here. The other one asks one of these addresses,
    /// and can find no other: it has no resolver. So a name that means something else a moment later gains nothing. No cookies, no
    /// passwords, no proxies and no settings of this person or machine are used.
    ///
    /// - Parameter accepting: what the server is asked for, as in HTTP's field `Accept`.
    /// - Throws: one line that says why nothing was fetched.
    package static func fetch(
        _ address: String, accepting: String = "text/html", rules: FetchRules = .internet
    ) async throws(DesktopError) -> FetchedFile {
        try await fetches.begin()
        let outcome: Result<FetchedFile, DesktopError>
        do throws(DesktopError) {
            outcome = .success(try await follow(SiteAddress(address), accepting, rules))
        } catch { outcome = .failure(error) }
        await fetches.end()
        return try outcome.get()
    }

    private static func follow(
        _ first: SiteAddress, _ accepting: String, _ rules: FetchRules
    ) async throws(DesktopError) -> FetchedFile {
        let deadline = ContinuousClock.now + .seconds(fetchSeconds)
        var site = first
        for _ in 0...redirectsMax {
            guard rules.ports.contains(site.port) else {
                throw DesktopError("port \(site.port) of \(site.host) is not one of web pages; nothing was fetched")
            }
            let addresses = try await lookUp(site, until: deadline)
            guard addresses.allSatisfy(rules.isAllowed) else {
                throw DesktopError("\(site.host) is not on the public internet; only pages there are fetched")
            }
            let answer = try await ask(site, at: addresses, accepting, until: deadline)
            switch answer.status {
            case 200..<300:
                return FetchedFile(bytes: answer.bytes, contentType: answer.contentType, address: site.text)
            case 301, 302, 303, 307, 308:
                site = try site.leading(to: answer.redirect)
            case 401, 403, 407, 429: throw DesktopError("\(site.host) does not let programs read this page")
            case 404, 410: throw DesktopError("\(site.host) has no such page")
            default: throw DesktopError("\(site.host) answered with status \(answer.status)")
            }
        }
        throw DesktopError("\(first.host) leads to more than \(redirectsMax) other addresses")
    }

    /// What is left until a deadline, in seconds.
    private static func left(until deadline: ContinuousClock.Instant) -> Double {
        let (seconds, attoseconds) = (deadline - ContinuousClock.now).components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    /// Runs a program within walls and with the network.
    private static func run(
        _ name: String, _ arguments: [String], _ openings: Sandbox.Openings, output: Int, within seconds: Double
    ) async throws(DesktopError) -> Child.Outcome {
        let package = name == "getent" ? "libc-bin" : name
        guard let program = Program(name) else {
            throw DesktopError("\(name) is not installed; install the package \(package)")
        }
        guard Program("bwrap") != nil else {
            throw DesktopError("pages are only fetched in a sandbox; install the package bubblewrap")
        }
        guard program.path.hasPrefix("/usr/") else {
            throw DesktopError("\(program.path) is not in /usr, so it is not used; install the package \(package)")
        }
        let limits = Child.Limits(
            seconds: max(1, Int(seconds.rounded(.up))), mebibytes: 1_024, outputBytesMax: output,
            errorBytesMax: 16 << 10)
        guard
            let outcome = try await Sandbox.run(
                program, arguments, environment: ["LC_ALL=C"], limits, openings: openings)
        else {
            throw DesktopError(
                "pages are only fetched in a sandbox, and bubblewrap cannot make one here; `caravan doctor` says more")
        }
        return outcome
    }

    /// Why nothing can be fetched here; nil where it can.
    package static func fetchProblem() async -> String? {
        do throws(DesktopError) {
            for (name, arguments) in [("getent", ["--version"]), ("curl", ["-q", "--version"])] {
                let outcome = try await run(name, arguments, client, output: 64 << 10, within: Double(lookUpSeconds))
                guard outcome.status == 0 else { return "\(name) does not run" }
            }
            return nil
        } catch { return error.message }
    }

    // MARK: - Names

    private static let resolver = Sandbox.Openings(
        sharesNetwork: true,
        files: ["/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/gai.conf", "/etc/host.conf"])

    /// The addresses of a host, one at least.
    private static func lookUp(
        _ site: SiteAddress, until deadline: ContinuousClock.Instant
    ) async throws(DesktopError) -> [NetworkAddress] {
        if let literal = site.literal { return [literal] }
        let unknown = DesktopError("cannot find \(site.host); check that you are online and that the link is right")
        let seconds = min(Double(lookUpSeconds), left(until: deadline))
        guard seconds > 0 else { throw tooSlow(site) }
        let began = ContinuousClock.now
        let outcome: Child.Outcome
        do throws(DesktopError) {
            outcome = try await run("getent", ["ahosts", "--", site.host], resolver, output: 64 << 10, within: seconds)
        } catch { throw ContinuousClock.now - began >= .seconds(seconds) ? unknown : error }
        guard outcome.status == 0, let addresses = addresses(in: String(decoding: outcome.output, as: UTF8.self)) else {
            throw unknown
        }
        return addresses
    }

    /// The first word of each line, once each. Nil where there is none, and where one is no address: what cannot be read cannot be
    /// checked.
    static func addresses(in output: String) -> [NetworkAddress]? {
        var found: [NetworkAddress] = []
        for line in output.split(separator: "\n") {
            guard let word = line.split(whereSeparator: \.isWhitespace).first,
                let address = NetworkAddress(String(word))
            else { return nil }
            if !found.contains(address) { found.append(address) }
        }
        return found.isEmpty ? nil : found
    }

    // MARK: - Answers

    private struct Answer {
        let status: Int
        let contentType: String?
        let redirect: String
        let bytes: [UInt8]
    }

    /// It has certificates, and neither a resolver nor a table of hosts. Without a file that says so, the C library would ask this machine's
    /// loopback.
    static let client = Sandbox.Openings(
        sharesNetwork: true,
        files: [
            "/etc/ssl/certs", "/etc/pki/tls/certs", "/etc/pki/ca-trust/extracted", "/etc/ca-certificates/extracted",
        ],
        before: "mkdir -p /etc && echo 'hosts: files' >/etc/nsswitch.conf || exit 9")

    /// As one line of text tells a server who asks.
    private static let userAgent = "Mozilla/5.0 (compatible; Caravan link preview)"

    private static func ask(
        _ site: SiteAddress, at addresses: [NetworkAddress], _ accepting: String,
        until deadline: ContinuousClock.Instant
    ) async throws(DesktopError) -> Answer {
        let seconds = left(until: deadline)
        guard seconds > 0 else { throw tooSlow(site) }
        let known = addresses.prefix(addressesMax).map(\.hostText).joined(separator: ",")
        let arguments = [
            // No file of settings: it must be the first one.
            "-q", "--silent", "--globoff", "--proto", "=http,https", "--max-redirs", "0", "--noproxy", "*", "--http1.1",
            "--disallow-username-in-url", "--resolve", "\(site.host):\(site.port):\(known)",
            "--max-time", "\((seconds * 10).rounded(.up) / 10)", "--max-filesize", "\(fetchBytesMax)",
            "--user-agent", userAgent, "--header", "Accept: \(accepting)", "--header", "Accept-Encoding: identity",
            "--output", "-",
            "--write-out", "%{stderr}%{http_code}\\n%{remote_ip}\\n%{content_type}\\n%{redirect_url}\\n",
            "--url", site.text,
        ]
        let outcome: Child.Outcome
        do throws(DesktopError) {
            outcome = try await run("curl", arguments, client, output: fetchBytesMax + 1_024, within: seconds)
        } catch { throw left(until: deadline) <= 0 ? tooSlow(site) : error }
        guard outcome.output.count <= fetchBytesMax, outcome.status != 63 else {
            throw DesktopError(
                "what \(site.host) sends is larger than \(fetchBytesMax >> 20) MB; nothing was taken of it")
        }
        guard outcome.status == 0 else { throw failure(outcome.status, site) }
        let told = outcome.errors.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard told.count >= 5, let status = Int(told[0]), let asked = NetworkAddress(told[1]) else {
            throw DesktopError("curl does not say what it did; nothing was fetched")
        }
        guard addresses.contains(asked) else {
            throw DesktopError("curl asked an address that was not checked; nothing was taken of it")
        }
        return Answer(
            status: status, contentType: told[2].isEmpty ? nil : told[2], redirect: told[3], bytes: outcome.output)
    }

    /// By the statuses that curl ends with (curl(1)).
    private static func failure(_ status: Int32?, _ site: SiteAddress) -> DesktopError {
        switch status {
        case 7: DesktopError("cannot connect to \(site.host); check that you are online")
        case 28: tooSlow(site)
        case 35, 51, 53, 54, 58, 59, 60, 66, 77, 80, 82, 83, 90, 91:
            DesktopError("\(site.host) has no valid certificate; nothing was fetched")
        default: DesktopError("\(site.host) does not answer as web servers do")
        }
    }

    private static func tooSlow(_ site: SiteAddress) -> DesktopError {
        DesktopError("\(site.host) did not answer within \(fetchSeconds) s; try again later")
    }
}
