import CaravanNode
import Console
import Foundation
import TripService

// Never the command line: every process of the machine can read that.
extension PassphraseSource {
    /// For the keys of a trip: the file that CARAVAN_PASSPHRASE_FILE names, or else the terminal.
    static var ofKeys: PassphraseSource {
        fromEnvironment ?? (Terminal.isThere ? .typed : .none)
    }

    /// For what would otherwise ask again and again.
    static var ofKeysUnlessTyped: PassphraseSource { fromEnvironment ?? .none }

    private static var fromEnvironment: PassphraseSource? {
        guard let path = ProcessInfo.processInfo.environment["CARAVAN_PASSPHRASE_FILE"], !path.isEmpty else {
            return nil
        }
        return reading(path)
    }

    /// For a backup: the named file, or else the terminal.
    static func ofBackup(_ file: String?) -> PassphraseSource {
        if let file { return reading(file) }
        return Terminal.isThere
            ? .typed
            : PassphraseSource(triesMax: 1) { _, _ throws(ServiceError) in
                throw ServiceError(
                    "there is no terminal to ask for the passphrase at: name a file that holds it with --passphrase-file"
                )
            }
    }

    private static func reading(_ path: String) -> PassphraseSource {
        PassphraseSource(triesMax: 1) { _, _ throws(ServiceError) in try Passphrase(readingFile: path).noted }
    }

    private static let typed = PassphraseSource(triesMax: 3) { purpose, attempt throws(ServiceError) in
        guard let terminal = Terminal() else { throw ServiceError("there is no terminal any more") }
        return try terminal.passphrase(attempt == 0 ? "Passphrase of \(purpose)" : "That is not it. Passphrase").noted
    }
}

extension Passphrase {
    /// Asks for a passphrase to be set: from a file, or else twice at the terminal.
    static func new(_ what: String, file: String?, option: String) throws(ServiceError) -> Passphrase {
        if let file { return try Passphrase(readingFile: file).longEnough.noted }
        guard let terminal = Terminal() else {
            throw ServiceError(
                "there is no terminal to ask for a passphrase at: name a file that holds it with \(option)")
        }
        let passphrase = try terminal.passphrase(what).longEnough
        guard try terminal.passphrase("Once more").isSame(as: passphrase) else {
            throw ServiceError("the two are not the same: nothing was done")
        }
        return passphrase.noted
    }

    /// Reads the first line of a file, a pipe, or an open descriptor (/dev/fd/N).
    init(readingFile path: String) throws(ServiceError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else {
            throw ServiceError("the passphrase's file \(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
            throw ServiceError("\(path) is no file: name one whose first line is the passphrase")
        }
        guard status.st_mode & S_IFMT != S_IFREG || status.st_mode & 0o077 == 0 else {
            throw ServiceError("others may read the passphrase in \(path): take that from them with `chmod 600`")
        }
        try self.init { (memory) throws(ServiceError) in
            var count = 0
            while true {
                var byte: UInt8 = 0
                let size = read(descriptor, &byte, 1)
                if size < 0, errno == EINTR { continue }
                guard size >= 0 else {
                    throw ServiceError(
                        "the passphrase's file \(path) cannot be read: \(String(cString: strerror(errno)))")
                }
                if size == 0 || byte == 0x0A { return count }
                guard count < memory.count else {
                    throw ServiceError(
                        "the first line of \(path) is longer than \(Passphrase.lengthMax) bytes: that is no passphrase")
                }
                memory[count] = byte
                count += 1
            }
        }
    }

    /// This one, where it is no guess of a few tries.
    private var longEnough: Passphrase {
        get throws(ServiceError) {
            guard characterCount >= Passphrase.newLengthMin else {
                throw ServiceError(
                    "a passphrase has at least \(Passphrase.newLengthMin) characters, better four words: choose a longer one"
                )
            }
            return self
        }
    }

    /// This one, after a word to whoever should know that it may reach the swap.
    fileprivate var noted: Passphrase {
        if !isLocked {
            Output.note(
                "note: this system lets no memory be locked (see `ulimit -l`): secrets may reach the swap, if it has one"
            )
        }
        return self
    }
}
