package import ChangeLog
import SyncEngine

/// The configuration of a nats-server that stores the blocks of one trip, for a machine at home.
package struct NATSConfiguration: Sendable {
    let port: UInt16
    let prefix: Bytes16
    let user: String
    let password: String
    /// The folder with the store, `certificate.pem` and `key.pem`.
    let folder: String

    /// - Parameters:
    ///   - password: letters and digits.
    ///   - folder: a path without quotes and backslashes.
    package init(port: UInt16, prefix: Bytes16, user: String, password: String, folder: String) {
        self.port = port
        self.prefix = prefix
        self.user = user
        self.password = password
        self.folder = folder
    }

    /// The user makes the stream, and does nothing else beyond the trip's prefix.
    package var text: String {
        """
        # A mailbox for one trip, written by `caravan mailbox serve`. Its user may use the prefix of this trip only.
        # A second trip needs a user of its own: see Documentation/Mailbox.md.
        listen: "0.0.0.0:\(port)"
        max_payload: 4MB
        jetstream { store_dir: "\(folder)/store", max_file_store: 1GB }
        tls { cert_file: "\(folder)/certificate.pem", key_file: "\(folder)/key.pem" }
        authorization { users: [
          { user: "\(user)", password: "\(password)", permissions: {
              publish: ["\(MailboxSlot.root(of: prefix)).*", "$JS.API.STREAM.CREATE.CV",
                "$JS.API.CONSUMER.CREATE.CV.*.\(MailboxSlot.root(of: prefix)).*",
                "$JS.API.CONSUMER.MSG.NEXT.CV.*", "$JS.API.CONSUMER.DELETE.CV.*"]
              subscribe: ["\(MailboxSlot.root(of: prefix)).*", "_INBOX.\(prefix).>"] } }
        ] }

        """
    }

    /// A configuration that was written earlier, with another password and all else as it is.
    package struct Renewed: Sendable {
        package let text: String
        package let prefix: Bytes16
        package let port: UInt16
    }

    /// - Returns: nil if the text is none that `text` wrote.
    package static func renewed(_ text: String, user: String, password: String) -> Renewed? {
        func part(after start: String, until end: Character) -> Range<String.Index>? {
            guard let start = text.firstRange(of: start)?.upperBound, let end = text[start...].firstIndex(of: end)
            else { return nil }
            return start..<end
        }
        guard let old = part(after: "{ user: \"\(user)\", password: \"", until: "\""),
            let prefix = part(after: "publish: [\"cv.", until: "."),
            let prefix = [UInt8](hexadecimal: String(text[prefix])).flatMap({ Bytes16($0) }),
            let port = part(after: "listen: \"0.0.0.0:", until: "\"").flatMap({ UInt16(text[$0]) })
        else { return nil }
        return Renewed(text: text.replacingCharacters(old, with: password), prefix: prefix, port: port)
    }
}

extension String {
    fileprivate func replacingCharacters(_ range: Range<String.Index>, with other: String) -> String {
        self[..<range.lowerBound] + other + self[range.upperBound...]
    }
}
