import Foundation

/// An answer as a browser reads it.
struct Answer {
    let status: Int
    let headers: [String: String]
    let body: String

    /// Nil before all of it is there.
    init?(_ text: String) {
        guard let end = text.range(of: "\r\n\r\n") else { return nil }
        var lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
        let first = lines.removeFirst().split(separator: " ")
        guard first.count >= 2, let status = Int(first[1]) else { return nil }
        var headers: [String: String] = [:]
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        let body = String(text[end.upperBound...])
        if let length = headers["content-length"].flatMap({ Int($0) }), body.utf8.count < length { return nil }
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// A browser: it keeps its cookie, and says where its forms come from.
struct Browser {
    let port: UInt16
    var cookie: String?

    init(port: UInt16) { self.port = port }

    func get(_ path: String, _ headers: [String: String] = [:]) async throws -> Answer {
        try await ask("GET", path, headers: headers)
    }

    func post(_ path: String, _ form: [(String, String)], _ headers: [String: String] = [:]) async throws -> Answer {
        var headers = headers
        if headers["Origin"] == nil { headers["Origin"] = "http://127.0.0.1:\(port)" }
        return try await ask("POST", path, headers: headers, body: Browser.encoded(form))
    }

    /// - Parameter headers: in place of those that a browser sends; an empty one is left out.
    func ask(_ method: String, _ path: String, headers: [String: String] = [:], body: String? = nil) async throws
        -> Answer
    {
        let connection = try await RawConnection(port: port)
        try await connection.send(head(method, path, headers: headers, body: body) + (body ?? ""))
        let isHead = method == "HEAD"
        let text = try await connection.received {
            isHead ? $0.contains("\r\n\r\n") : Answer($0) != nil
        }
        await connection.close()
        return try Answer(
            isHead ? text.replacingOccurrences(of: "content-length", with: "x", options: .caseInsensitive) : text)
            ?? { throw RawConnection.Timeout(text: text) }()
    }

    func head(_ method: String, _ path: String, headers: [String: String] = [:], body: String? = nil) -> String {
        var all = ["Host": "127.0.0.1:\(port)"]
        if let cookie { all["Cookie"] = cookie }
        if let body {
            all["Content-Length"] = String(body.utf8.count)
            all["Content-Type"] = "application/x-www-form-urlencoded"
        }
        for (name, value) in headers { all[name] = value.isEmpty ? nil : value }
        return "\(method) \(path) HTTP/1.1\r\n"
            + all.map { "\($0): \($1)\r\n" }.sorted().joined() + "\r\n"
    }

    static func encoded(_ form: [(String, String)]) -> String {
        let plain = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
        return form.map { name, value in
            (name.addingPercentEncoding(withAllowedCharacters: plain) ?? "") + "="
                + (value.addingPercentEncoding(withAllowedCharacters: plain) ?? "")
        }.joined(separator: "&")
    }

    /// Opens a link that lets this browser in, and keeps the cookie.
    mutating func enter(_ link: String) async throws -> Answer {
        guard let path = link.range(of: "/enter/").map({ String(link[$0.lowerBound...]) }) else {
            throw RawConnection.Timeout(text: link)
        }
        let answer = try await get(path)
        if let set = answer.headers["set-cookie"] { cookie = String(set.prefix { $0 != ";" }) }
        return answer
    }
}
