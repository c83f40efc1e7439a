package import Convergence

// What must hold of real nodes. The numbers are those of the design's laws.
extension Law {
    /// 2.
    package static let persistBeforeSend = Law(
        "persist-before-send", "Nothing leaves a node, and nobody is told of it, before it is durable there.")
    /// 3.
    package static let acknowledgedStays = Law(
        "acknowledged-stays", "What somebody was told is done is, after every healing, everywhere.")
    /// 3 and 4, among others.
    package static let specification = Law(
        "specification", "What is shown is what an omniscient observer of all actions would show.")
    /// Of what people type.
    package static let numbers = Law(
        "numbers", "A number means the item that it was shown with, until a list is shown again.")
    /// Of what people write while others do.
    package static let nothingUnseenIsBuried = Law(
        "nothing-unseen-is-buried", "What somebody was not shown stays beside what they write.")
    /// 5.
    package static let wholeIntervals = Law(
        "whole-intervals", "A node holds, and writes to disk, no change before its past.")
    /// 7, of what is signed for another or has another's number.
    package static let refusal = Law("refusal", "No node takes what its author may not write.")
    /// 8.
    package static let nothingInTheClear = Law(
        "nothing-in-the-clear", "No name, key or text can be read off the network.")
    /// 8, of strangers.
    package static let silence = Law("silence", "Who does not know the trip's secret gets no answer.")
    /// 9.
    package static let bounds = Law("bounds", "Queues, memory and traffic stay within their bounds.")
    /// 9, of disks.
    package static let damageIsNoticed = Law(
        "damage-is-noticed", "A node does not start from a disk that lies, and does from one that lost power.")
    /// 10.
    package static let outMeansOut = Law(
        "out-means-out",
        "Once a node has heard that somebody is out, nothing that they went on to write counts there, and it has no "
            + "session with them; they are sent nothing that stands on it.")
    /// Of devices with two homes.
    package static let forksAreTold = Law(
        "forks-are-told",
        "People are told that a device writes in two places when its second branch arrives and counts, and of no other device."
    )
    /// Of files that are carried where no network reaches.
    package static let sealedFile = Law(
        "sealed-file",
        "A sealed file is taken in whole by whoever is in, and nothing of one that was altered or is of another trip.")
    /// Of costs.
    package static let balances = Law(
        "balances",
        "Balances sum to zero in each currency, and are those of an observer: each expense counts once, with the cost that is "
            + "shown.")
    /// Of wish lists.
    package static let ownNotes = Law(
        "own-notes",
        "What people note for themselves is read by nobody else, and by them as an observer of all actions would show it."
    )
    /// Of the log's rules.
    package static let effective = Law(
        "effective", "What is effective and retained at a node is what the rules say of the changes that it holds.")
    /// Of groups in which not everybody has updated.
    package static let unknownIsTaken = Law(
        "unknown-is-taken", "What a version does not know is no reason to refuse a change or to end a session.")
    /// Of the same groups.
    package static let update = Law(
        "update",
        "After an update a node shows at once, with no network, what one that had been new all along would show.")
    /// 1, of time.
    package static let liveness = Law(
        "liveness", "Once all faults end, all nodes agree within a bound on time and steps.")

    /// The laws that a run of real nodes checks.
    package static let ofTrips =
        [
            convergence, persistBeforeSend, durability, acknowledgedStays, specification, numbers,
            nothingUnseenIsBuried,
            wholeIntervals, ownHand, refusal, nothingInTheClear, silence, bounds, damageIsNoticed, outMeansOut,
            forksAreTold, sealedFile, balances,
            ownNotes, effective,
            unknownIsTaken, update, liveness,
        ] + ofAuthors
}
