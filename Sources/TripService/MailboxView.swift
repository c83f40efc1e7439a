import TripModel

/// What is done with a trip's mailboxes, which this device keeps to itself.
package enum MailboxAct: Codable, Hashable, Sendable {
    case list
    /// Adds a mailbox once a block was written there and read back.
    case add(MailboxPlace)
    /// Forgets a mailbox, by its number or address. What is in it stays there.
    case remove(String)
    /// Lists each mailbox, and writes nothing.
    case check
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
    /// How long each part of a test took, in milliseconds; nil for what was left out.
    package struct Trial: Codable, Hashable, Sendable {
        package let list: Int64
        package let put: Int64?
        package let get: Int64?

        package init(list: Int64, put: Int64?, get: Int64?) {
            self.list = list
            self.put = put
            self.get = get
        }

        /// "written in 3 ms, listed in 1 ms, read in 2 ms".
        package var words: String {
            [("written", put), ("listed", list), ("read", get)]
                .compactMap { name, time in time.map { "\(name) in \($0) ms" } }.joined(separator: ", ")
        }
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
    /// Whether it has as much of photos as nodes put there.
    package let hasNoRoomForPhotos: Bool
    package let trial: Trial?
    /// As a test found it; nil if it found none.
    package let clutter: Clutter?

    package init(
        number: Int, address: String, code: String, problem: String?, lastReached: Int64?,
        hasNoRoomForPhotos: Bool = false, trial: Trial? = nil, clutter: Clutter? = nil
    ) {
        self.number = number
        self.address = address
        self.code = code
        self.problem = problem
        self.lastReached = lastReached
        self.hasNoRoomForPhotos = hasNoRoomForPhotos
        self.trial = trial
        self.clutter = clutter
    }
}
