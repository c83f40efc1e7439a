import Convergence

/// What goes wrong in a run of real nodes. Each can be chosen or left out by name, and is counted when it happens.
package enum TripFault: String, SimulatedFault {
    // Links and networks.

    /// A segment is lost, and all behind it on its connection waits until it is sent again.
    case stall
    /// A connection breaks with bytes under way.
    case reset
    /// A link passes nothing for a while, and then all that was sent.
    case clog
    /// A link becomes narrow for a while.
    case throttle
    /// Some nodes are cut off from the others, both ways.
    case partition
    /// Some nodes are heard by nobody, and hear.
    case oneWay = "one-way"
    /// A node gets another address; others may find somebody else at the old one.
    case move
    /// A node says goodbye and goes, and comes back later.
    case leave
    /// Somebody new comes by an invite.
    case join
    /// A node of an older version is updated, and restarts.
    case update

    // Clocks.

    /// A node's wall clock jumps.
    case clockJump = "clock-jump"
    /// Both clocks of a node run too fast or too slow.
    case clockDrift = "clock-drift"

    // Disks.

    /// Power fails: what was not yet durable is gone.
    case crash
    /// Power fails in the middle of a write, which is half on the disk.
    case tornWrite = "torn-write"
    /// Power fails after a write is durable, and before anybody was told.
    case lateCrash = "late-crash"
    /// A bit of what was written comes back otherwise.
    case bitFlip = "bit-flip"
    /// There is no room to write.
    case fullDisk = "full-disk"
    /// A node comes back from an old copy of its disk.
    case backup
    /// A copy of a node's disk starts on another machine, and both live on.
    case copiedHome = "copied-home"

    // Discovery.

    /// Names are seen much later than they were published.
    case lateName = "late-name"
    /// A name is never seen by some.
    case missedName = "missed-name"
    /// A name resolves to addresses of others, or of nobody.
    case falseAddress = "false-address"
    /// Somebody publishes many names, some of which look like ours.
    case nameFlood = "name-flood"
    /// A name that left is published again by somebody else.
    case repeatedName = "repeated-name"

    // Sealed files.

    /// A node is cut off, and takes in a file that another one sealed.
    case carriedFile = "carried-file"
    /// Such a file was altered or cut, is of another trip, or holds a change that nobody signed.
    case alteredFile = "altered-file"

    // Mailboxes.

    /// A mailbox loses blocks that it said it stored.
    case boxForgets = "box-forgets"
    /// It says everything twice.
    case boxRepeats = "box-repeats"
    /// Its answers come late, and in any order.
    case boxReorders = "box-reorders"
    /// It serves a listing that it served before.
    case boxServesOld = "box-serves-old"
    /// It lists blocks of other slots and trips, and serves one for another.
    case boxServesOthers = "box-serves-others"
    /// It has no room.
    case boxFull = "box-full"
    /// It serves the beginnings of blocks, as while a folder is synced.
    case boxPartialFile = "box-partial-file"
    /// It can't be reached.
    case boxUnreachable = "box-unreachable"
    /// A member puts letters in others' names, which say that they have everything.
    case boxForgery = "box-forgery"

    // Strangers and members who mean ill.

    /// Bytes of earlier connections are sent again.
    case replay
    /// Connections on which nothing, or nonsense, is said.
    case garbage
    /// Bytes of a running session are altered on their way.
    case alteration
    /// Frames and messages of a member that are too long, cut short, or none.
    case malformed
    /// A member writes two or many changes with one predecessor.
    case fork
    /// A member signs what is in another's name.
    case forgery
    /// A member writes changes from the past or the future, or with a past that nobody has.
    case backdate
    /// A member leaves out changes, or numbers.
    case gap
    /// A member is removed from the trip, and goes on writing and talking.
    case removal
    /// A member, or three in league, write any statement or content on any past, and choose who hears of it.
    case craftedChange = "crafted-change"
    /// The same, who tell some nodes the header alone.
    case withheldBody = "withheld-body"
    /// The same, who tell again what anybody wrote, to others.
    case retoldChange = "retold-change"

    package static func < (left: TripFault, right: TripFault) -> Bool { left.rawValue < right.rawValue }

    /// A node of the run means ill, or somebody outside does.
    package var isHostile: Bool {
        switch self {
        case .replay, .garbage, .alteration, .malformed, .fork, .forgery, .backdate, .gap, .removal,
            .alteredFile, .craftedChange, .withheldBody, .retoldChange, .boxForgery:
            true
        default: false
        }
    }

    /// Whether it needs a mailbox.
    package var isOfMailbox: Bool {
        switch self {
        case .boxForgets, .boxRepeats, .boxReorders, .boxServesOld, .boxServesOthers, .boxFull, .boxPartialFile,
            .boxUnreachable, .boxForgery:
            true
        default: false
        }
    }

    /// Whether it needs members in league.
    var isOfLeague: Bool { self == .craftedChange || self == .withheldBody || self == .retoldChange }
}
