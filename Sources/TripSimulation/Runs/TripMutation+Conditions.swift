// The runs in which a mutant is looked for.
extension TripMutation {
    /// Runs in which it is found soon.
    package var conditions: TripConditions {
        let faults: Set<TripFault> =
            switch self {
            case .earlyAcknowledgement, .earlyForwarding, .reversedBatch, .skippedRemoves, .partialSight, .plaintext,
                .presentNumbers, .buriedEdit, .guestAsHost, .lastWriterWins, .removalWins, .clearingWins,
                .tornPlan, .amenityRemovalWins, .loneClaim, .firstAnswer, .takenAnswer, .lateAnswerCounts,
                .lateAnswerTakesAway, .lateByArrival, .lateSealCounts, .optionRemovalWins, .takenReply, .takenComment,
                .takenPayment,
                .countedVersions, .lostCents, .lostNote, .noteRemovalWins,
                .ifNeedBeAsFor, .listWithItems, .interleavedBlocks, .overwritingUndo:
                [.reset, .partition]
            // What is kept of two steps hangs on how long each travels: two who are parted make it plain.
            case .lostStep: [.partition]
            case .shownOutcasts, .keptSessions, .cutTooLow, .cutTooHigh, .cutFromBelow, .cutByOutcast, .cutByArrival:
                [.removal, .partition]
            case .forgottenWrite: [.crash, .reset]
            case .forgottenGift: [.crash, .backup]
            case .believedTornWrite: [.tornWrite]
            case .uncheckedDisk: [.bitFlip]
            case .ignoredRebuild, .goneWithMaker: [.removal, .partition]
            case .droppedNeighbours, .unfoldedUpdate: [.update, .partition]
            case .refusedUnknown, .withheldUnknown: [.reset, .partition]
            case .acceptedSignatures, .skippedSignatures: [.forgery]
            case .answeredStrangers, .unboundedHandshakes: [.garbage]
            case .unreportedFailure: [.fullDisk]
            case .unjudgedFile: [.alteredFile]
            case .sharedNotes: [.reset, .partition]
            case .sharedWisher: [.copiedHome, .backup]
            case .untoldForks, .inventedForks: [.backup]
            case .acknowledgedHeaders: [.withheldBody]
            case .believedBox: [.boxForgets, .leave]
            case .firstListing: [.boxRepeats]
            case .sharedMailboxKey: [.removal, .leave]
            case .believedReceipts: [.boxForgery, .boxFull]
            // Rules of membership.
            default: [.craftedChange, .retoldChange, .removal, .partition]
            }
        var conditions = TripConditions(
            replicas: nodeCount, steps: stepCount, profile: isOfVersions ? .mixed : isOfMailboxes ? .apart : .hostile,
            faults: faults,
            mutation: self)
        conditions.faultInterval = isOfAuthors ? 2 : 8
        conditions.hasGuests = self == .guestAsHost
        return conditions
    }

    private var stepCount: Int {
        switch self {
        // Three things must come together.
        case .tornPlan, .amenityRemovalWins, .loneClaim, .overwritingUndo, .interleavedBlocks,
            .sharedWisher:
            400
        case _ where isOfMailboxes: 80
        default: 200
        }
    }

    /// The fewer nodes, the sooner it shows that one of them fails.
    private var nodeCount: Int {
        switch self {
        case .forgottenGift, .sharedWisher, .buriedEdit: 3
        // The fewer people, the more of what they do is to the same things.
        case _ where isOfContent || isOfMailboxes: 3
        case _ where isOfAuthors: 3
        default: 5
        }
    }

    /// Whether it is one of a group in which not everybody has updated.
    private var isOfVersions: Bool {
        switch self {
        case .droppedNeighbours, .unfoldedUpdate, .refusedUnknown, .withheldUnknown: true
        default: false
        }
    }
}
