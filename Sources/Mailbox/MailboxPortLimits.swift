/// The bounds on what a mailbox can make a node hold and wait for.
package struct MailboxPortLimits: Hashable, Sendable {
    /// The largest block that is put or read, in bytes.
    package var blockBytes = 2 << 20

    /// The most names in one list. A slot with as many is full, and one with more can't be listed.
    package var namesPerListing = 8_192

    /// The most entries of a folder, or messages of a prefix, that are looked at for one list. With more, it can't be listed.
    package var entriesPerListing = 65_536

    /// How long a NATS consumer shows only what is new. Then another one lists everything.
    package var wholeListInterval = Duration.seconds(60)

    /// The most bytes of a server's list.
    package var listingBytes = 16 << 20

    /// The most bytes of any other answer of a server that is no block.
    package var answerBytes = 64 << 10

    /// How long a connection may take to open.
    package var connectTimeout = Duration.seconds(10)

    /// How long a NATS server may take to answer before the call is made again, to the next server if there are several. Twice
    /// as long each time, and a second more for each `bytesPerSecondLeast` that are being put.
    package var attemptTimeout = Duration.seconds(2)

    /// What a slow line is expected to carry.
    package var bytesPerSecondLeast = 64 << 10

    /// The pause before the next attempt of a call.
    package var attemptPause = Duration.milliseconds(200)

    /// How often a NATS server is asked whether it is there. After two questions without an answer it is left.
    package var pingInterval = Duration.seconds(10)

    /// How long a request may take, unless it carries a block.
    package var callTimeout = Duration.seconds(25)

    /// How long a request that carries a block may take: the largest one passes at 20 kB/s.
    package var blockTimeout = Duration.seconds(110)

    /// If fewer bytes a second than `silentBytesPerSecond` pass for this time, a request ends.
    package var silenceTimeout = Duration.seconds(15)

    /// What counts as silence.
    package var silentBytesPerSecond = 100

    /// How long a server may ask to be left alone.
    package var retryAfterMost = Duration.seconds(3_600)

    /// How many slots of one prefix a folder's watch observes.
    package var watchedSlots = 64

    /// How long a look at what is no block may take. The slots that are left then are not looked at.
    package var clutterTimeout = Duration.seconds(10)

    /// Changes arrive in bursts: a hint follows after this time.
    package var watchCalm = Duration.milliseconds(100)

    /// How often a folder's watch looks for slots that appeared unseen.
    package var watchRound = Duration.seconds(10)

    /// Drafts in a folder that are older than this were left by a process that was ended.
    package var draftAge = Duration.seconds(86_400)

    package static let `default` = MailboxPortLimits()
}
