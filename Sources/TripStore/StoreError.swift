/// Why a trip's folder cannot be used as asked. Nothing was done, unless the call's documentation says otherwise.
package struct StoreError: Error, Sendable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// This user may not read or write there.
        case noPermission
        /// Its file system is read-only.
        case readOnly
        /// There is no trip in the folder.
        case notATrip
        /// There is a trip in the folder already.
        case alreadyExists
        /// A newer caravan wrote it.
        case newerVersion
        /// An older caravan wrote it, in a form that this one does not read.
        case olderVersion
        /// Bytes on the disk are not those that were written.
        case damaged
        /// The secrets are under a passphrase.
        case sealed
        /// Another process has the trip open.
        case owned
        /// The disk, or the user's share of it, is full.
        case full
        /// More, or longer, than the store takes.
        case tooLarge
        /// The store was closed.
        case closed
        /// Anything else that the system says.
        case system
    }

    package let code: Code
    /// One line: what is wrong, and what to do.
    package let message: String
    package let cause: (any Error)?

    init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        // What SQLite says may have several lines.
        self.message = message.split(separator: "\n").joined(separator: " ")
        self.cause = cause
    }

    package var description: String { message }

    /// Whether what cannot be opened to be written may still be read (`TripStore.init(reading:because:)`).
    package var mayStillRead: Bool { [.readOnly, .full, .noPermission].contains(code) }
}

extension StoreError {
    static func noPermission(_ path: String, cause: (any Error)?) -> StoreError {
        StoreError(
            .noPermission, "cannot read and write \(path); check its permissions, or set CARAVAN_HOME",
            cause: cause)
    }

    static func readOnly(_ path: String, cause: (any Error)?) -> StoreError {
        StoreError(
            .readOnly,
            "cannot write to \(path): read-only file system; make it writable, or set CARAVAN_HOME to another folder",
            cause: cause)
    }

    static func notATrip(_ folder: String, cause: (any Error)? = nil) -> StoreError {
        StoreError(
            .notATrip, "there is no trip in \(folder); check the name, or create one with `caravan new`", cause: cause)
    }

    static func damaged(_ path: String, _ what: String, cause: (any Error)? = nil) -> StoreError {
        StoreError(
            .damaged,
            "\(path) is damaged (\(what)); recover what is intact with `caravan salvage`",
            cause: cause)
    }

    static func missingKeys(_ path: String) -> StoreError {
        StoreError(
            .damaged,
            "\(path) is missing, and nothing here can be read without it; delete this copy with `caravan delete`, then "
                + "restore a backup, or join again with a new invite")
    }

    /// For a store, its keys, and changes that their author's version could read.
    package static let newerVersion = StoreError(
        .newerVersion, "this trip was last opened by a newer version of caravan; update this one")

    static func olderVersion(_ folder: String) -> StoreError {
        StoreError(
            .olderVersion,
            "\(folder) was written by an older version of caravan, and can no longer be read; join again with a new invite"
        )
    }

    static func full(_ folder: String, cause: (any Error)?) -> StoreError {
        StoreError(
            .full, "the disk is full, so nothing can be written to \(folder); free some space, then try again",
            cause: cause
        )
    }

    static func sealed(_ path: String) -> StoreError {
        StoreError(.sealed, "\(path) has a passphrase; give it, or remove it with `caravan passphrase remove`")
    }

    /// Of what is looked at, and not written to.
    package static func onlyRead(_ folder: String) -> StoreError {
        StoreError(.owned, "\(folder) is open only for reading")
    }

    static let tooManySecrets = StoreError(
        .tooLarge, "there are more secrets, or a longer invite, than fit in a key file")

    package static let noPicture = StoreError(
        .tooLarge, "this is not a picture, or it is too large; choose a smaller one")

    static let closed = StoreError(.closed, "the trip was closed; open it again")
}
