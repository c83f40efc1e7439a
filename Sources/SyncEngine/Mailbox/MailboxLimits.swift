/// Bounds on what a mailbox may ask of a node, and on how often a node asks a mailbox. Times are in milliseconds.
package struct MailboxLimits: Sendable {
    /// Mailboxes of one trip.
    package var mailboxesMax = 4
    /// Epochs whose slots are read: the newest ones.
    package var epochsMax = 9
    /// Weeks before this one whose blocks are read; and so many more, whose blocks are dropped.
    package var weeksRead: Int64 = 13
    package var weeksDropped: Int64 = 4
    /// Names of one listing that are read; a random choice of the unknown ones if there are more.
    package var namesOfSlotMax = 4_096
    /// Blocks of one mailbox that are remembered by name, with any content.
    package var blocksMax = 16_384
    /// Blocks that are fetched at the same time; blocks and bytes fetched in a minute.
    package var fetchesMax = 4
    package var fetchesPerMinute = 600
    package var fetchedBytesPerMinute = 64 << 20
    /// Blocks that are put at the same time.
    package var putsMax = 2
    /// Letters that wait for their past, and their bytes.
    package var waitingMax = 1_024
    package var waitingBytesMax = 16 << 20
    /// A fetch or put of a block fails after so long without an answer. A large block takes long on a slow line.
    package var patience: UInt64 = 150_000
    /// The same for a listing, and so much more for each of its slots.
    package var listPatience: UInt64 = 30_000
    package var listPatienceOfSlot: UInt64 = 10_000
    /// Nothing is put before the mailbox is read, or before so long has passed.
    package var firstLook: UInt64 = 60_000
    /// Between a failed attempt and the next one: the first pause, doubled up to the last.
    package var retryDelayMin: UInt64 = 5_000
    package var retryDelayMax: UInt64 = 300_000
    /// After the mailbox said that it is full.
    package var fullDelay: UInt64 = 600_000
    /// Between two listings after a change: ten times the duration of the first, within these bounds.
    package var changePause: ClosedRange<UInt64> = 50...1_000
    /// Between two listings of the present weeks without a known change.
    package var listInterval: ClosedRange<UInt64> = 30_000...60_000
    /// Between two listings of all weeks.
    package var wholeListInterval: UInt64 = 86_400_000
    /// Own changes leave after so long without another one, or at once if another member's letter came within `liveDuration`; and
    /// after so long in any case.
    package var quiet: ClosedRange<UInt64> = 2_000...10_000
    package var unquietMax: UInt64 = 30_000
    package var liveDuration: UInt64 = 60_000
    /// How long blocks that others may put too are left to them. The time doubles for each block of this node that the mailbox
    /// lost, up to `lossesMax` times.
    package var relayDelay: ClosedRange<UInt64> = 10_000...120_000
    package var lossesMax = 5
    /// Chunks of photos whose names are remembered as present in blocks.
    package var chunkNamesMax = 65_536
    /// Chunks that arrived before the change that names them. If there are more, the first are read again later.
    package var unclaimedMax = 64
    /// Bytes of previews, and of other pictures, in the blocks read from a mailbox. Above that, none is put.
    package var previewBytesMax = 32 << 20
    package var pictureBytesMax = 64 << 20
    /// Chunks that this node puts in a minute, of at most 64 KiB each.
    package var chunksPerMinute = 128
    /// Chunks put in an hour for one device that wants them; and damaged blocks that it is believed about.
    package var wantedPerHour = 512
    package var doubtsPerHour = 64
    /// Chunks that others may put too are left to them for so long, doubled as `relayDelay` is.
    package var chunkDelay: ClosedRange<UInt64> = 2_000...30_000
    /// Devices that are out and get their removal at the same time, each in a letter of its own.
    package var toldMax = 16
    /// A receipt follows after so long, if nothing else is put before.
    package var haveDelay: ClosedRange<UInt64> = 60_000...1_800_000

    /// For one invite in one mailbox, whose slots everybody with the link can fill: names of one listing that are read, blocks that
    /// are remembered, blocks and bytes fetched in a minute, and requests that prove their claims.
    package var joinNamesMax = 256
    package var joinBlocksMax = 1_024
    package var joinFetchesPerMinute = 60
    package var joinBytesPerMinute = 256 << 10
    package var joinRequestsMax = 256
    /// Admissions and answers of one invite in one mailbox and a minute.
    package var joinTasksPerMinute = 16
    /// After so many members' answers to a device, this node puts none, unless it invited or admitted that device.
    package var joinAnswersMax = 3
    /// Answers that a joiner tries in one run. All but one may be false.
    package var joinAnswersTriedMax = 8
    /// The device that opened the invite, or wrote the admission, acts after so long; another one admits a joiner after so long.
    package var joinOwnDelay: ClosedRange<UInt64> = 0...2_000
    package var joinDelay: ClosedRange<UInt64> = 5_000...20_000
    /// Between two listings by a joiner.
    package var joinListInterval: ClosedRange<UInt64> = 5_000...10_000
    /// A request that the mailbox lost is put again after so long.
    package var joinRepeatDelay: UInt64 = 60_000

    /// The bounds on the slots of an invite.
    var ofJoins: MailboxLimits {
        var limits = self
        (limits.namesOfSlotMax, limits.blocksMax, limits.fetchesMax) = (joinNamesMax, joinBlocksMax, 1)
        (limits.fetchesPerMinute, limits.fetchedBytesPerMinute) = (joinFetchesPerMinute, joinBytesPerMinute)
        return limits
    }

    /// The same for a joiner.
    var ofJoiner: MailboxLimits {
        var limits = ofJoins
        limits.listInterval = joinListInterval
        return limits
    }

    package init() {}

    /// How long the next attempt waits after so many failures before the last one.
    func retryDelay(after failures: Int) -> UInt64 { min(retryDelayMax, retryDelayMin << UInt64(min(failures, 16))) }
}

extension ClosedRange<UInt64> {
    /// A random one of them.
    func draw(using generator: inout some RandomNumberGenerator) -> UInt64 {
        lowerBound + generator.next(upperBound: upperBound - lowerBound + 1)
    }
}
