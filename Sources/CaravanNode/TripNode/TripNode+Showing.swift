import ChangeLog
import SyncEngine
import TripModel
import TripService

// The trip as people see it follows the log.
extension TripNode {
    /// Shows new changes, and tells listeners what the changes did.
    func show(_ changes: [AppliedChange]) {
        followMembership()
        noteRegained()
        carryOut(shown.show(changes, in: node, seen: own.seen, isWatched: !watchers.isEmpty))
    }

    /// Updates the view after these changes started or stopped counting. If they hold only statements, only those are read.
    /// Otherwise the view is rebuilt from all changes that count: at once, or soon if it was rebuilt a moment ago. Until then,
    /// new changes are shown together with the old view.
    func rebuild(for indices: [Int]) {
        let (outcomes, isEnough) = shown.follow(statementsAt: indices, in: node)
        carryOut(outcomes)
        guard !isEnough, let rest = rebuildPace.ask(at: .now) else { return }
        guard rest > .zero else { return showAnew() }
        Task { [weak self] in
            try? await Task.sleep(for: rest)
            await self?.finishRebuilding()
        }
    }

    /// Rebuilds the view if that is due.
    func finishRebuilding() {
        if rebuildPace.isDue { showAnew() }
    }

    private func showAnew() {
        let began = ContinuousClock.now
        showAll()
        revealSoon()
        noteRegained()
        lookForPhotos()
        tellWatchers(.rebuilt)
        rebuildPace.note(from: began, to: .now)
    }

    /// Builds the view from all changes of the log that count.
    func showAll() { carryOut(shown.showAll(in: node, seen: own.seen)) }

    /// Notes who was admitted and who is out.
    func followMembership() { carryOut(shown.followMembership(in: node)) }

    private func carryOut(_ outcomes: [ShownTrip.Outcome]) {
        for outcome in outcomes {
            switch outcome {
            case .tell(let event): tellWatchers(event)
            case .lookForPhotos: lookForPhotos()
            case .reveal: revealSoon()
            case .writeAllWishes: writeAllWishesSoon()
            }
        }
    }

    /// Notes that the person here saw items, or all that there is for nil.
    /// - Returns: whether fewer are new now.
    @discardableResult
    func saw(_ items: [ItemID]?) -> Bool {
        guard let seen = shown.saw(items, since: own.seen, now: node.log.graph.count) else { return false }
        own.saw(seen)
        return true
    }

    // MARK: - Reading

    /// What is known now of people and devices.
    var reader: TripReader { shown.reader(node) }

    /// How this device, or its person, was removed or left; nil while it is in.
    var ownRemoval: RemovalView? { node.ownDeparture.flatMap { _ in reader.ownRemoval } }

    /// Whether this device is out, and its person doesn't wait to be kept.
    var isOut: Bool { node.ownDeparture.map { $0.waitsFor == nil } ?? false }
}
