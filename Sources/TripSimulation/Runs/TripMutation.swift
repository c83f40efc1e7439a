package import Convergence

/// A fault put between the world and its real nodes, by name: each breaks one law, and shows that the law is checked.
package enum TripMutation: String, CaseIterable, Sendable {
    // Disks.

    /// A write is said to be done before it is durable.
    case earlyAcknowledgement = "early-node-acknowledgement"
    /// What came from others is passed on before it is durable.
    case earlyForwarding = "early-forwarding"
    /// The disk forgets, in a crash, a write that it said was durable.
    case forgottenWrite = "forgotten-write"
    /// The disk forgets, in a crash, a change of another's that it said was durable.
    case forgottenGift = "forgotten-gift"
    /// A write that power cut in the middle is taken for a whole one.
    case believedTornWrite = "believed-torn-write"
    /// A disk's bytes are believed without a look at their checksums.
    case uncheckedDisk = "unchecked-disk"
    /// A batch is written from its end: for a while the disk's log has a hole.
    case reversedBatch = "reversed-batch"

    // What is shown.

    /// The view is not derived again after something in it stopped counting.
    case ignoredRebuild = "ignored-rebuild"
    /// Nobody ever sees that something was removed.
    case skippedRemoves = "skipped-removes"
    /// One machine never sees that something was removed.
    case partialSight = "partial-sight"

    /// A number means what it means at present, whatever it was shown with.
    case presentNumbers = "present-numbers"
    /// An edit replaces all that stands, whatever its writer was shown.
    case buriedEdit = "buried-edit"
    /// Of a change that says something which is not known, nothing has an effect.
    case droppedNeighbours = "dropped-neighbours"
    /// A node that was updated goes on from what it showed before.
    case unfoldedUpdate = "unfolded-update"
    /// People are shown what somebody wrote who was out by then.
    case shownOutcasts = "shown-outcasts"
    /// What others act on goes with its maker.
    case goneWithMaker = "gone-with-maker"

    // What happens when two do it at once.

    /// Of several values that were written at the same time one is shown.
    case lastWriterWins = "last-writer-wins"
    /// A removal takes away what somebody did to the item at the same time.
    case removalWins = "removal-wins"
    /// To clear a field wins over writing it at the same time.
    case clearingWins = "clearing-wins"
    /// Of two plans of an item at the same time, the day of the one is shown with the time of the other.
    case tornPlan = "torn-plan"
    /// An amenity that is taken away is gone, though somebody added it at the same time.
    case amenityRemovalWins = "amenity-removal-wins"
    /// Of two steps of a quantity at the same time the second to come is lost.
    case lostStep = "lost-step"
    /// Of those who say that they bring something the last is believed.
    case loneClaim = "lone-claim"
    /// Of what somebody answers, one after the other, the first stays.
    case firstAnswer = "first-answer"
    /// Who answers for an item answers in the name of the person who added it.
    case takenAnswer = "taken-answer"
    /// What somebody answers when they know that a question is closed counts.
    case lateAnswerCounts = "late-answer-counts"
    /// What somebody answers then takes away what they answered in time.
    case lateAnswerTakesAway = "late-answer-takes-away"
    /// An answer is late if it comes after the closing, though its author did not know of that.
    case lateByArrival = "late-by-arrival"
    /// The closing of a hidden question counts what came before it, whatever it names.
    case lateSealCounts = "late-seal-counts"
    /// An option that is taken away is gone, though somebody added it at the same time.
    case optionRemovalWins = "option-removal-wins"
    /// Of two edits of a note at the same time the second to arrive is lost.
    case lostNote = "lost-note"
    /// What somebody writes into words of a note goes with them, where another removes them at the same time.
    case noteRemovalWins = "note-removal-wins"
    /// Who answers a question answers in the name of the person who asked it.
    case takenReply = "taken-reply"
    /// Comments are taken away by anybody.
    case takenComment = "taken-comment"
    /// Payments are removed by anybody.
    case takenPayment = "taken-payment"
    /// Of a cost that two wrote at the same time both versions count.
    case countedVersions = "counted-versions"
    /// The units that are left when a cost is shared out are lost.
    case lostCents = "lost-cents"
    /// An "OK if need be" counts as a vote for.
    case ifNeedBeAsFor = "if-need-be-as-for"
    /// What is in a list goes with it.
    case listWithItems = "list-with-items"
    /// Lists stand in the order in which things were put there, so that what two people put there at once is mixed.
    case interleavedBlocks = "interleaved-blocks"
    /// To take an edit back writes over what others wrote at the same time.
    case overwritingUndo = "overwriting-undo"

    // What counts.

    /// What a remover had seen last of somebody does not count.
    case cutTooLow = "cut-too-low"
    /// The change after what a remover had seen counts.
    case cutTooHigh = "cut-too-high"
    /// Members below a person, or anybody else, can remove them.
    case cutFromBelow = "cut-from-below"
    /// A removal counts although its author was removed before.
    case cutByOutcast = "cut-by-outcast"
    /// What was written before a removal counts, whether or not its author had seen it.
    case cutByArrival = "cut-by-arrival"

    // Rules of membership, which members in league make use of.

    /// The first admission of somebody makes its author their parent, where no invite is open.
    case lowestAdmissionSettles = "lowest-admission-settles"
    /// Who admitted somebody is above them, as the opener of their invite is.
    case hostIsAbove = "host-is-above"
    /// A person who leaves takes along the people they admitted.
    case farewellVoidsAdmissions = "farewell-voids-admissions"
    /// A farewell cuts what its author wrote elsewhere.
    case farewellCutsBesides = "farewell-cuts-besides"
    /// Of two statements of one device on one change, the second to come does not count.
    case secondBranchWaits = "second-branch-waits"
    /// Any removal ends everybody's invites.
    case removalEndsAllInvites = "removal-ends-all-invites"
    /// Anybody closes anybody's invites.
    case anybodyClosesInvites = "anybody-closes-invites"
    /// Who is admitted again is not removed any more.
    case admissionUndoesRemoval = "admission-undoes-removal"
    /// People come by an invite that a removed person opened.
    case openedByOutcast = "opened-by-outcast"
    /// An invite stays open, no matter who closes it.
    case nothingEndsInvites = "nothing-ends-invites"
    /// Nobody who waits can be kept.
    case nobodyAboveLetsIn = "nobody-above-lets-in"
    /// A guest goes on when the host is removed.
    case guestsStay = "guests-stay"
    /// Who left goes on.
    case farewellsCutNothing = "farewells-cut-nothing"
    /// A stolen device says farewell, and cannot be ended any more.
    case farewellCutsEnds = "farewell-cuts-ends"
    /// A removal that names what it keeps keeps all that its author had seen.
    case keptIsIgnored = "kept-is-ignored"
    /// A removal causes no new derivation if its author had seen all statements, though not all other changes.
    case removalSeenByStatements = "removal-seen-by-statements"
    /// Anybody who is in removes anybody.
    case removedByAnybody = "removed-by-anybody"
    /// What stands on a change that is cut is cut with it.
    case cutSpreads = "cut-spreads"
    /// What somebody wrote who waits is passed on as if it counted.
    case waitingIsRetained = "waiting-is-retained"
    /// The body of what anybody's removal cuts goes at once.
    case bodiesGoAtOnce = "bodies-go-at-once"

    // Files and notes.

    /// Of a sealed file all is taken that can be, with no look at it as a whole.
    case unjudgedFile = "unjudged-file"
    /// What people note for themselves is sealed to everybody's devices.
    case sharedNotes = "shared-notes"
    /// Wishes are added in the name of a device, which a copy of its disk has too.
    case sharedWisher = "shared-wisher"

    // Mailboxes.

    /// What a mailbox was given once is taken to be there for ever.
    case believedBox = "believed-box"
    /// A mailbox's later listings are not looked at.
    case firstListing = "first-listing"
    /// What seals blocks is the same for all epochs.
    case sharedMailboxKey = "shared-mailbox-key"
    /// Every letter is taken for its author's.
    case believedReceipts = "believed-receipts"

    // What an older version does with what it does not know.

    /// It ends the session in which somebody says that.
    case refusedUnknown = "refused-unknown"
    /// It passes on all but that.
    case withheldUnknown = "withheld-unknown"

    // Who may say what.

    /// What a guest does is written in the log of their host.
    case guestAsHost = "guest-as-host"

    /// Nobody is told that a device writes in two places.
    case untoldForks = "untold-forks"
    /// People are told of each device that they meet that it writes in two places.
    case inventedForks = "invented-forks"
    /// A session with somebody who is out is not ended.
    case keptSessions = "kept-sessions"
    /// Every signature is taken for its author's.
    case acceptedSignatures = "accepted-signatures"
    /// Of the signatures every other one is taken for its author's.
    case skippedSignatures = "skipped-signatures"
    /// A handshake is answered for any peer.
    case answeredStrangers = "answered-strangers"
    /// What is sealed can be read.
    case plaintext = "plaintext"
    /// A node holds any number of connections whose other side says nothing.
    case unboundedHandshakes = "unbounded-handshakes"

    /// A write that failed is reported to nobody.
    case unreportedFailure = "unreported-failure"

    // What an attack does to others.

    /// What a node wrote waits for seconds before it is sent.
    case lateSending = "late-sending"
    /// A node says that another has everything that holds the headers alone.
    case acknowledgedHeaders = "acknowledged-headers"

    /// What it gets wrong about what is effective.
    var countingFault: CountingFault? {
        switch self {
        case .cutTooLow: .cutTooLow
        case .cutTooHigh: .cutTooHigh
        case .cutFromBelow, .removedByAnybody: .cutFromBelow
        case .cutByOutcast: .cutByOutcast
        case .cutByArrival: .cutByArrival
        case .lowestAdmissionSettles: .lowestAdmissionSettles
        case .hostIsAbove: .hostIsAbove
        case .farewellVoidsAdmissions: .farewellVoidsAdmissions
        case .farewellCutsBesides: .farewellCutsBesides
        case .secondBranchWaits: .secondBranchWaits
        case .removalEndsAllInvites: .removalEndsAllInvites
        case .anybodyClosesInvites: .anybodyClosesInvites
        case .admissionUndoesRemoval: .admissionUndoesRemoval
        case .openedByOutcast: .openedByOutcast
        case .nothingEndsInvites: .nothingEndsInvites
        case .nobodyAboveLetsIn: .nobodyAboveLetsIn
        case .guestsStay: .guestsStay
        case .farewellsCutNothing: .farewellsCutNothing
        case .farewellCutsEnds: .farewellCutsEnds
        case .keptIsIgnored: .keptIsIgnored
        case .removalSeenByStatements: .removalSeenByStatements
        default: nil
        }
    }

    /// Whether it breaks a rule of membership that shows where members in league write what they like.
    package var isOfAuthors: Bool {
        switch self {
        case .cutTooLow, .cutTooHigh, .cutFromBelow, .cutByOutcast, .cutByArrival: false
        case .waitingIsRetained, .bodiesGoAtOnce, .cutSpreads, .lateSending: true
        default: countingFault != nil
        }
    }

    /// Whether it is one of costs.
    var isOfCosts: Bool {
        switch self {
        case .takenPayment, .countedVersions, .lostCents: true
        default: false
        }
    }

    /// Whether it is one of questions.
    var isOfQuestions: Bool {
        switch self {
        case .lateAnswerCounts, .lateAnswerTakesAway, .lateByArrival, .lateSealCounts, .optionRemovalWins, .takenReply:
            true
        default: false
        }
    }

    /// Whether it is one of people who are apart.
    package var isOfMailboxes: Bool {
        switch self {
        case .believedBox, .firstListing, .sharedMailboxKey, .believedReceipts: true
        default: false
        }
    }

    /// Whether it breaks a rule of what happens when two do something at once.
    var isOfContent: Bool {
        switch self {
        case .lastWriterWins, .removalWins, .clearingWins, .tornPlan, .amenityRemovalWins, .lostStep,
            .loneClaim, .firstAnswer, .takenAnswer, .lateAnswerCounts, .lateAnswerTakesAway, .lateByArrival,
            .lateSealCounts, .optionRemovalWins, .takenReply, .takenComment, .takenPayment, .countedVersions,
            .lostCents,
            .ifNeedBeAsFor, .listWithItems, .interleavedBlocks, .overwritingUndo:
            true
        default: isOfNotes
        }
    }

    /// Whether it breaks a rule of notes that several write.
    var isOfNotes: Bool { self == .lostNote || self == .noteRemovalWins }

    /// The law that it breaks, and by which it must be found.
    package var law: Law {
        switch self {
        case .earlyAcknowledgement, .forgottenWrite: .durability
        case .earlyForwarding: .persistBeforeSend
        case .forgottenGift: .acknowledgedStays
        case .believedTornWrite, .uncheckedDisk: .damageIsNoticed
        case .reversedBatch: .wholeIntervals
        case .partialSight: .convergence
        case .skippedRemoves, .guestAsHost, .droppedNeighbours, .lastWriterWins, .removalWins, .clearingWins, .tornPlan,
            .amenityRemovalWins, .loneClaim, .firstAnswer, .takenAnswer, .lateAnswerCounts, .lateAnswerTakesAway,
            .optionRemovalWins, .takenReply, .takenComment, .takenPayment, .ifNeedBeAsFor,
            .listWithItems, .interleavedBlocks, .overwritingUndo, .goneWithMaker:
            .specification
        case .countedVersions, .lostCents: .balances
        // What is left depends on what came first.
        case .lostStep, .lateByArrival, .lateSealCounts, .lostNote, .noteRemovalWins: .convergence
        case .presentNumbers: .numbers
        case .cutTooLow, .cutTooHigh, .cutFromBelow, .cutByOutcast, .cutByArrival, .waitingIsRetained: .effective
        case .lowestAdmissionSettles: .parentByName
        case .hostIsAbove, .removalEndsAllInvites, .anybodyClosesInvites, .admissionUndoesRemoval, .openedByOutcast,
            .nothingEndsInvites,
            .nobodyAboveLetsIn, .guestsStay:
            .outForAReason
        case .farewellCutsBesides, .farewellVoidsAdmissions, .secondBranchWaits, .farewellsCutNothing,
            .farewellCutsEnds,
            .keptIsIgnored, .removalSeenByStatements:
            .cutForAReason
        case .bodiesGoAtOnce: .bodiesStay
        case .removedByAnybody: .statementsReach
        case .cutSpreads: .effectStays
        case .lateSending: .prompt
        case .buriedEdit: .nothingUnseenIsBuried
        case .ignoredRebuild, .shownOutcasts, .keptSessions, .sharedMailboxKey: .outMeansOut
        case .untoldForks, .inventedForks: .forksAreTold
        case .acceptedSignatures: .ownHand
        case .skippedSignatures: .refusal
        case .answeredStrangers: .silence
        case .plaintext: .nothingInTheClear
        case .unboundedHandshakes: .bounds
        case .refusedUnknown: .unknownIsTaken
        case .unfoldedUpdate: .update
        case .unjudgedFile: .sealedFile
        case .sharedNotes, .sharedWisher: .ownNotes
        case .unreportedFailure, .withheldUnknown, .believedBox, .firstListing: .liveness
        case .acknowledgedHeaders, .believedReceipts: .everyoneHasThis
        }
    }

    /// Laws that the same fault breaks first in some runs, which are passed over.
    package var otherLaws: [Law] {
        switch self {
        // What a rule decides shows in several ways, and which is seen first depends on what was written.
        case _ where isOfAuthors: (Law.ofAuthors + [.effective]).filter { $0 != law }
        // What one machine shows otherwise than the others, it shows otherwise than an observer would.
        case .ignoredRebuild: [.specification, .convergence]
        case .partialSight, .lostStep, .lateByArrival, .lateSealCounts, .lostNote, .noteRemovalWins: [.specification]
        // What loses leaves what else it did, if it came first.
        case .clearingWins, .amenityRemovalWins, .optionRemovalWins: [.convergence]
        // With what came from others goes what was written here before.
        case .earlyForwarding: [.durability]
        // Both take what is said in another's name, and what nobody signed.
        case .acceptedSignatures: [.refusal]
        case .skippedSignatures: [.ownHand]
        default: []
        }
    }

    /// Tries seeds until the law breaks before every other, and makes the run small; nil where it survives. Its own
    /// conditions are taken where there are no others.
    package func find(
        _ conditions: TripConditions? = nil, seeds: ClosedRange<UInt64>, isInterrupted: @escaping () -> Bool = { false }
    ) -> TripFailure? {
        TripSimulator(conditions ?? self.conditions)
            .counterexample(among: seeds, passingOver: otherLaws, isInterrupted: { _ in isInterrupted() })
    }
}
