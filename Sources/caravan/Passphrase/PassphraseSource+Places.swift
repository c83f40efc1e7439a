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
                    "there is no terminal to ask for the passphrase; give a file with --passphrase-file"
                )
            }
    }

    private static func reading(_ path: String) -> PassphraseSource {
        PassphraseSource(triesMax: 1) { _, _ throws(ServiceError) in try Passphrase(readingFile: path).noted }
    }

    private static let typed = PassphraseSource(triesMax: 3) { purpose, attempt throws(ServiceError) in
        guard let terminal = Terminal() else { throw ServiceError("the terminal was closed; nothing was changed") }
        return try terminal.passphrase(attempt == 0 ? "Passphrase of \(purpose)" : "Wrong passphrase, try again").noted
    }
}

extension Passphrase {
    /// Asks for a passphrase to be set: from a file, or else twice at the terminal.
    static func new(_ what: String, file: String?, option: String) throws(ServiceError) -> Passphrase {
        if let file { return try Passphrase(readingFile: file).longEnough.noted }
        guard let terminal = Terminal() else {
            throw ServiceError(
                "there is no terminal to ask for a passphrase; give a file with \(option)")
        }
        let passphrase = try terminal.passphrase(what).longEnough
        guard try terminal.passphrase("Repeat the passphrase").isSame(as: passphrase) else {
            throw ServiceError("the two passphrases differ; nothing was changed")
        }
        return passphrase.noted
    }

    /// Reads the first line of a file, a pipe, or an open descriptor (/dev/fd/N).
    init(readingFile path: String) throws(ServiceError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else {
            throw ServiceError("cannot read the passphrase file \(path): \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
            throw ServiceError("\(path) is not a file; give one whose first line is the passphrase")
        }
        guard status.st_mode & S_IFMT != S_IFREG || status.st_mode & 0o077 == 0 else {
            throw ServiceError("other users can read the passphrase in \(path); run `chmod 600` on it")
        }
        try self.init { (memory) throws(ServiceError) in
            var count = 0
            while true {
                var byte: UInt8 = 0
                let size = read(descriptor, &byte, 1)
                if size < 0, errno == EINTR { continue }
                guard size >= 0 else {
                    throw ServiceError(
                        "cannot read the passphrase file \(path): \(String(cString: strerror(errno)))")
                }
                if size == 0 || byte == 0x0A { return count }
                guard count < memory.count else {
                    throw ServiceError(
                        "the first line of \(path) is longer than \(Passphrase.lengthMax) bytes; give the file with the passphrase"
                    )
                }
                memory[count] = byte
                count += 1
            }
        }
    }

    /// This passphrase, after a warning if it may reach the swap.
    fileprivate var noted: Passphrase {
        if !isLocked {
            Output.note(
                "Warning: memory cannot be locked (see `ulimit -l`), so the passphrase may be written to swap."
            )
        }
        return self
    }
}
