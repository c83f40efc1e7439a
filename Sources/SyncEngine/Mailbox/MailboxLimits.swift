/// What a mailbox may ask of a node, and how often a node asks a mailbox. Times in milliseconds.
package struct MailboxLimits: Sendable {
    /// Mailboxes of one trip.
    package var mailboxesMax = 4
    /// Weeks before this one whose blocks are read; and so many more, whose blocks are dropped.
    package var weeksRead: Int64 = 13
    package var weeksDropped: Int64 = 4
    /// Names of one listing that are looked at: of more, a random choice of those that are unknown.
    package var namesOfSlotMax = 4_096
    /// Blocks of one mailbox that are remembered by name, whatever they hold.
    package var blocksMax = 16_384
    /// Blocks that are fetched at once; and in a minute, with their bytes.
    package var fetchesMax = 4
    package var fetchesPerMinute = 600
    package var fetchedBytesPerMinute = 64 << 20
    /// Blocks that are put at once.
    package var putsMax = 2
    /// Letters that wait for their past, and their bytes.
    package var waitingMax = 1_024
    package var waitingBytesMax = 16 << 20
    /// Changes that are taken from devices that are not known to be in, and their bytes, before this device hears that they are.
    package var unprovenChangesMax = 10_000
    package var unprovenBytesMax = 64 << 20
    /// A block that is fetched or put, and has no answer for so long, is taken to have failed: a great one on a slow line takes long.
    package var patience: UInt64 = 150_000
    /// The same for a listing, and so much more for each of its slots.
    package var listPatience: UInt64 = 30_000
    package var listPatienceOfSlot: UInt64 = 10_000
    /// Nothing is put before what lies there is read, or for so long.
    package var firstLook: UInt64 = 60_000
    /// Between an attempt that failed and the next: the first pause, doubled up to the last.
    package var retryDelayMin: UInt64 = 5_000
    package var retryDelayMax: UInt64 = 300_000
    /// After the mailbox said that it is full.
    package var fullDelay: UInt64 = 600_000
    /// Between a listing and the next, where something changed: ten times as long as the first took, within these bounds.
    package var changePause: ClosedRange<UInt64> = 50...1_000
    /// Between two listings of the present weeks, where nothing is known to have changed.
    package var listInterval: ClosedRange<UInt64> = 30_000...60_000
    /// Between two listings of all weeks.
    package var wholeListInterval: UInt64 = 86_400_000
    /// Own changes wait for so long a quiet before they leave, unless somebody else was heard within `liveDuration`; and after so long in
    /// any case.
    package var quiet: ClosedRange<UInt64> = 2_000...10_000
    package var unquietMax: UInt64 = 30_000
    package var liveDuration: UInt64 = 60_000
    /// What others may put too is left to them for so long; twice as long for each block of this node's that the mailbox lost, up to
    /// `lossesMax` times.
    package var relayDelay: ClosedRange<UInt64> = 10_000...120_000
    package var lossesMax = 5
    /// Chunks of photos whose names are remembered as those that lie in blocks.
    package var chunkNamesMax = 65_536
    /// Chunks that came before the change that names them: of more, the first are read again later.
    package var unclaimedMax = 64
    /// Bytes of previews, and of other pictures, in what is read of a mailbox: while there are more, none is put.
    package var previewBytesMax = 32 << 20
    package var pictureBytesMax = 64 << 20
    /// Chunks that this node puts in a minute, of at most 64 KiB each.
    package var chunksPerMinute = 128
    /// Chunks that are put for one device that wants them, in an hour; and damaged blocks of which it is believed.
    package var wantedPerHour = 512
    package var doubtsPerHour = 64
    /// Chunks that others may put too are left to them for so long, doubled as `relayDelay` is.
    package var chunkDelay: ClosedRange<UInt64> = 2_000...30_000
    /// Devices that are out and are told so at once, each in a letter of its own.
    package var toldMax = 16
    /// What is durable here is told after so long, if nothing else is put before that.
    package var haveDelay: ClosedRange<UInt64> = 60_000...1_800_000

    /// Of one invite in one mailbox, whose slots all holders of its link can fill: names of one listing that are looked at, blocks that
    /// are remembered, those that are fetched in a minute, with their bytes, and requests that prove what they claim.
    package var joinNamesMax = 256
    package var joinBlocksMax = 1_024
    package var joinFetchesPerMinute = 60
    package var joinBytesPerMinute = 256 << 10
    package var joinRequestsMax = 256
    /// Admissions and answers of one invite in one mailbox and a minute.
    package var joinTasksPerMinute = 16
    /// Members' answers to a device beside which this node puts none, unless it brought or admitted that device.
    package var joinAnswersMax = 3
    /// Answers that a joiner tries in one run: all but one may lead nowhere.
    package var joinAnswersTriedMax = 8
    /// Whoever opened the invite, or wrote the admission, acts after so long; another lets somebody in after so long.
    package var joinOwnDelay: ClosedRange<UInt64> = 0...2_000
    package var joinDelay: ClosedRange<UInt64> = 5_000...20_000
    /// Between two listings by somebody who waits to be let in.
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

    /// The same for somebody who waits to be let in.
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
