import ChangeLog
import LibC
import Mailbox
import SyncEngine
import TripService

/// A mailbox of a trip, as the file `own` keeps it: with its password.
struct KeptMailbox: Codable, Hashable {
    let address: String
    let proxy: String?
    let certificates: String?
    /// The prefix, in hexadecimal digits.
    let code: String

    /// The most mailboxes of one trip: as many as a node attaches.
    static let countMax = 4

    init(_ place: MailboxPlace, using generator: inout some RandomNumberGenerator) throws(ServiceError) {
        proxy = place.proxy
        certificates = place.certificates
        if let code = place.code {
            let digits = code.lowercased().filter { !$0.isWhitespace }
            guard [UInt8](hexadecimal: digits)?.count == 16 else {
                throw ServiceError(
                    "the code of a mailbox has 32 digits, 0 to 9 and a to f; copy it from a member's list of mailboxes")
            }
            self.code = digits
        } else {
            code = Bytes32.random(using: &generator).prefix16.description
        }
        do { address = try MailboxAddress(place.address, proxy: proxy, certificates: certificates).text } catch {
            throw ServiceError(error.message)
        }
    }

    /// The same address and way to it, with the code of another.
    init(_ mailbox: KeptMailbox, codeOf other: KeptMailbox) {
        (address, proxy, certificates) = (mailbox.address, mailbox.proxy, mailbox.certificates)
        code = other.code
    }

    /// Where it is. Another user, password, proxy or certificate is another way to the same place.
    var location: String? {
        (try? MailboxAddress(address, proxy: proxy, certificates: certificates)).map { $0.withoutUser ?? $0.text }
    }

    /// Whether both are the same folder, by whatever paths: one may lead through a symbolic link. It reads the disk.
    func isSameFolder(as other: KeptMailbox) -> Bool {
        guard let folder = Self.folder(at: address) else { return false }
        return folder == Self.folder(at: other.address)
    }

    /// The path of a folder without links, and without `.` and `..`; nil for a server, and where there is nothing.
    private static func folder(at address: String) -> String? {
        guard address.hasPrefix("/"), let path = realpath(address, nil) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    var prefix: Bytes16? { [UInt8](hexadecimal: code).flatMap { Bytes16($0) } }

    /// The address without its password.
    var shown: String {
        (try? MailboxAddress(address, proxy: proxy, certificates: certificates))?.shown ?? "an unreadable address"
    }

    /// The address that a link holds; nil for a folder, whose path is of use to nobody else.
    func linked(withPassword: Bool) -> String? {
        guard let address = try? MailboxAddress(address, proxy: proxy, certificates: certificates),
            let open = address.withoutUser
        else { return nil }
        return withPassword ? address.text : open
    }

    func port() throws(MailboxError) -> any MailboxPort {
        try MailboxAddress(address, proxy: proxy, certificates: certificates).port()
    }

    /// The way of somebody without the user and the password; nil for a folder.
    func strangersPort() -> (any MailboxPort)? {
        guard let address = linked(withPassword: false) else { return nil }
        return try? MailboxAddress(address, proxy: proxy, certificates: certificates).port()
    }
}
