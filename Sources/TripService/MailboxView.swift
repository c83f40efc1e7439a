import TripModel

/// What is done with a trip's mailboxes, which this device keeps to itself.
package enum MailboxAct: Codable, Hashable, Sendable {
    case list
    /// Adds a mailbox once a block was written there and read back.
    case add(MailboxPlace)
    /// Forgets a mailbox, by its number or address. What is in it stays there.
    case remove(String)
    /// Writes a block to each mailbox, reads it back and deletes it.
    case test
}

/// Where a mailbox is.
package struct MailboxPlace: Codable, Hashable, Sendable {
    /// A folder's whole path, or an address, with the password if there is one.
    package let address: String
    package let proxy: String?
    /// The whole path of a file of certificates.
    package let certificates: String?
    /// What the members of the trip enter alike: 32 lowercase hexadecimal digits; nil for a new one.
    package let code: String?

    package init(address: String, proxy: String? = nil, certificates: String? = nil, code: String? = nil) {
        self.address = address
        self.proxy = proxy
        self.certificates = certificates
        self.code = code
    }
}

/// A mailbox of a trip, as this device has it.
package struct MailboxView: Codable, Hashable, Sendable {
    /// What a test found. Times are in milliseconds.
    package struct Trial: Codable, Hashable, Sendable {
        package let list: Int64
        package let put: Int64
        package let get: Int64
        /// Whether nothing lay there under the code before.
        package let wasEmpty: Bool
        /// Whether somebody without the password can list it, as far as that was tried.
        package let isOpen: Bool
        /// What it still stores; nil if it doesn't tell.
        package let freeBytes: Int64?

        /// With less than this, a mailbox is called nearly full: a tenth of what a trip may put there.
        package static let freeBytesLeast: Int64 = 10 << 20

        package init(
            list: Int64, put: Int64, get: Int64, wasEmpty: Bool = false, isOpen: Bool = false, freeBytes: Int64? = nil
        ) {
            self.list = list
            self.put = put
            self.get = get
            self.wasEmpty = wasEmpty
            self.isOpen = isOpen
            self.freeBytes = freeBytes
        }

        /// "written in 3 ms, listed in 1 ms, read in 2 ms".
        package var words: String { "written in \(put) ms, listed in \(list) ms, read in \(get) ms" }
    }

    /// Files in it that are no blocks.
    package struct Clutter: Codable, Hashable, Sendable {
        package let count: Int
        /// The name of one of them.
        package let example: String

        package init(count: Int, example: String) {
            self.count = count
            self.example = example
        }

        /// "2 files that are no blocks, such as “IMG_1.jpg”".
        package var words: String {
            // Others choose the names of files.
            let name = example.displayed(limit: 80, marksIdle: true)
            return count == 1
                ? "1 file that is no block, “\(name)”" : "\(count) files that are no blocks, such as “\(name)”"
        }

        package var advice: String {
            count == 1 ? "it does no harm, and you may delete it" : "they do no harm, and you may delete them"
        }
    }

    /// From 1; it changes when another one is removed.
    package let number: Int
    /// Without the password.
    package let address: String
    package let code: String
    /// Why it can't be used; nil if it can, or if nobody has tried.
    package let problem: String?
    /// When it answered last while this node has run: milliseconds since 1970.
    package let lastReached: Int64?
    /// Whether a node runs, and so uses it.
    package let isInUse: Bool
    /// Whether it has as much of photos as nodes put there.
    package let hasNoRoomForPhotos: Bool
    package var trial: Trial?
    /// As a test found it; nil if it found none.
    package let clutter: Clutter?

    package init(
        number: Int, address: String, code: String, problem: String?, lastReached: Int64?, isInUse: Bool = true,
        hasNoRoomForPhotos: Bool = false, trial: Trial? = nil, clutter: Clutter? = nil
    ) {
        self.number = number
        self.address = address
        self.code = code
        self.problem = problem
        self.lastReached = lastReached
        self.isInUse = isInUse
        self.hasNoRoomForPhotos = hasNoRoomForPhotos
        self.trial = trial
        self.clutter = clutter
    }
}
