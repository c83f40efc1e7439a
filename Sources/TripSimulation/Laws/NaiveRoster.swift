package import ChangeLog

/// Changes that somebody holds, which hold the past of each, as the rules of membership look at them.
package protocol RosterHistory {
    associatedtype Place: Hashable
    var names: RosterNames { get }
    /// The changes that say something of who is in, each after its past.
    var statements: [Place] { get }
    /// The device that wrote a change, or founded the trip by it; nil where nothing here introduces it.
    func device(of place: Place) -> Int?
    /// What a change says; nil for one that says nothing of who is in. What an end names as the last change is said by `last(of:)`.
    func kind(of place: Place) -> RosterStatement.Kind?
    /// The last change that an end lets count.
    func last(of end: Place) -> Place?
    /// The changes that a removal names as kept; nil where it names none, not even an empty list.
    func kept(of removal: Place) -> [Place]?
    /// Whether a change is in the past of another.
    func isPast(_ place: Place, of later: Place) -> Bool
    /// The changes on which one stands directly, and of those the one before it in its log.
    func links(of place: Place) -> [Place]
    func previous(of place: Place) -> Place?
    /// How many changes came before it.
    func arrival(of place: Place) -> Int
}

/// What a node could get wrong about what counts.
package enum CountingFault: CaseIterable, Sendable {
    /// What a remover had seen last does not count.
    case cutTooLow
    /// The change after what a remover had seen counts.
    case cutTooHigh
    /// People are removed by those below them, or by anybody else.
    case cutFromBelow
    /// People are removed by what somebody wrote who was out by then.
    case cutByOutcast
    /// What came before a removal counts.
    case cutByArrival
    /// A farewell cuts what its author wrote without having seen it.
    case farewellCutsBesides
    /// An admission lets somebody in by an opening that is cut.
    case openedByOutcast

    // As it was once.

    /// The first admission settles, under its author where no invite is open.
    case lowestAdmissionSettles
    /// A farewell cuts what its author admitted without having seen it.
    case farewellVoidsAdmissions
    /// Of two statements of a device on the same change, the second to come does not count.
    case secondBranchWaits
    /// Any removal ends all invites that were opened before.
    case removalEndsAllInvites
    /// An invite is closed by anybody who is in.
    case anybodyClosesInvites

    // What else comes to mind.

    /// Who admitted somebody is above them too.
    case hostIsAbove
    /// Who is admitted again after a removal is not removed any more.
    case admissionUndoesRemoval
    /// A closing, or a removal by those above, ends no invite.
    case nothingEndsInvites
    /// Nobody is kept by those above without an open invite.
    case nobodyAboveLetsIn
    /// A guest is not cut with the host.
    case guestsStay
    /// Who left goes on.
    case farewellsCutNothing
    /// Who left by a stolen device cannot end it any more.
    case farewellCutsEnds
    /// A removal that names what it keeps keeps all that its author had seen.
    case keptIsIgnored
    /// A removal whose author had seen all statements cuts nothing that was here before.
    case removalSeenByStatements
}

/// Who is in and what counts, as Documentation/Protocol.md says it in section 5: sentence by sentence, with no thought of speed, and
/// without a look at what any node derived.
package final class NaiveRoster<History: RosterHistory> {
    package typealias Place = History.Place

    let history: History
    /// What names say, or a fault makes of that.
    package internal(set) var names: RosterNames
    private let isAnythingCut: Bool
    private let fault: CountingFault?
    package private(set) var settled: Set<Int> = []
    /// What was found of people whose parent is settled, which never changes.
    private var knownRemovals: [Int: [Place]] = [:]
    private var knownFarewells: [Int: [Place]] = [:]
    private var knownDevices: [Int: Bool] = [:]
    private var isSettling = true

    /// - Parameter fault: what it gets wrong, to see that histories come to where it shows; nil for what the page says.
    package init(_ history: History, isAnythingCut: Bool = true, fault: CountingFault? = nil) {
        self.history = history
        names = history.names
        self.isAnythingCut = isAnythingCut
        self.fault = fault
        if fault == .lowestAdmissionSettles { putUnderHosts() }
        while let person = names.persons.indices.first(where: { !settled.contains($0) && isToSettle($0) }) {
            settled.insert(person)
            (knownDevices, knownFarewells) = ([:], [:])
        }
        isSettling = false
        (knownDevices, knownFarewells, knownRemovals) = ([:], [:], [:])
    }

    func person(_ place: Place) -> Int? { history.device(of: place).map { names.devices[$0].person } }

    private func isAbove(_ elder: Int, _ person: Int) -> Bool {
        if fault == .hostIsAbove { return isAboveOrHost(elder, person) }
        guard let parent = names.persons[person].parent else { return false }
        return parent == elder || isAbove(elder, parent)
    }

    // MARK: - Cut, and count

    package func counts(_ place: Place) -> Bool {
        guard let device = history.device(of: place) else { return false }
        if fault == .secondBranchWaits, !isOnFirstBranch(place) { return false }
        return settled.contains(names.devices[device].person) && belongs(device) && !isCut(place)
    }

    package func belongs(_ device: Int) -> Bool {
        if let known = knownDevices[device] { return known }
        let belongs = belongs(device, asked: [])
        knownDevices[device] = belongs
        return belongs
    }

    /// - Parameter asked: further devices of which it is asked already: what two say of each other alone says nothing.
    private func belongs(_ device: Int, asked: Set<Int>) -> Bool {
        guard !names.devices[device].isFirst, !asked.contains(device) else { return !asked.contains(device) }
        return history.statements.contains { place in
            guard case .admit(device) = history.kind(of: place), let author = history.device(of: place) else {
                return false
            }
            return person(place) == names.devices[device].person
                && belongs(author, asked: asked.union([device])) && !isCutByRemoval(place)
                && !isCutByEnd(place)
        }
    }

    private func isCut(_ place: Place) -> Bool {
        isCutByRemoval(place) || isCutByEnd(place) || isCutByFarewell(place)
    }

    private func isCutByRemoval(_ place: Place) -> Bool {
        guard isAnythingCut, let person = person(place) else { return false }
        let removals = removals(of: person) + (host(of: person).map { self.removals(of: $0) } ?? [])
        return removals.contains { !isWithin(place, $0) }
    }

    private func isWithin(_ place: Place, _ removal: Place) -> Bool {
        let isWithin =
            history.kept(of: removal)?.contains { $0 == place || history.isPast(place, of: $0) }
            ?? history.isPast(place, of: removal)
        switch fault {
        case .cutTooLow: return isWithin && !history.links(of: removal).contains(place)
        case .cutTooHigh:
            return isWithin || history.previous(of: place).map { history.isPast($0, of: removal) } ?? false
        case .cutByArrival: return history.arrival(of: place) <= history.arrival(of: removal)
        case .keptIsIgnored: return history.isPast(place, of: removal)
        case .removalSeenByStatements: return isWithin || isHereBefore(place, removal)
        default: return isWithin
        }
    }

    private func host(of person: Int) -> Int? {
        names.persons[person].isGuest && fault != .guestsStay ? names.persons[person].parent : nil
    }

    /// The removals of somebody that count.
    package func removals(of removed: Int) -> [Place] {
        if let known = knownRemovals[removed] { return known }
        let removals = history.statements.filter { place in
            guard case .remove(removed, _) = history.kind(of: place), let author = person(place), author != removed
            else {
                return false
            }
            guard isAbove(author, removed) || fault == .cutFromBelow else { return false }
            if fault == .admissionUndoesRemoval, isAdmittedAgain(removed, after: place) { return false }
            return counts(place) || fault == .cutByOutcast && settled.contains(author)
        }
        // Everybody above is settled, or nobody will be any more: what they wrote counts for good, or doesn't.
        if !isSettling || names.persons[removed].parent.map(settled.contains) ?? true, fault != .cutFromBelow {
            knownRemovals[removed] = removals
        }
        return removals
    }

    private func isCutByEnd(_ place: Place) -> Bool {
        isAnythingCut
            && history.statements.contains { end in
                guard case .end(let device, _) = history.kind(of: end), device == history.device(of: place),
                    !isCutByRemoval(end), fault != .farewellCutsEnds || !followsFarewell(end)
                else { return false }
                return !(history.last(of: end).map { $0 == place || history.isPast(place, of: $0) } ?? false)
            }
    }

    private func isCutByFarewell(_ place: Place) -> Bool {
        guard isAnythingCut, let person = person(place) else { return false }
        switch history.kind(of: place) {
        case .end: return fault == .farewellCutsEnds && followsFarewell(place)
        case .admit(let device) where !names.devices[device].isFirst: return false
        default: break
        }
        if fault == .farewellsCutNothing { return false }
        let farewells = farewells(of: person) + (host(of: person).map { self.farewells(of: $0) } ?? [])
        if fault == .farewellVoidsAdmissions, case .admit = history.kind(of: place) {
            return farewells.contains { !history.isPast(place, of: $0) }
        }
        guard fault != .farewellCutsBesides else {
            return farewells.contains { $0 != place && !history.isPast(place, of: $0) }
        }
        return farewells.contains { history.isPast($0, of: place) }
    }

    /// Whether an earlier one cuts a farewell makes no difference: that one counts.
    package func farewells(of leaver: Int) -> [Place] {
        if let known = knownFarewells[leaver] { return known }
        let farewells = history.statements.filter { place in
            guard case .remove(leaver, _) = history.kind(of: place), person(place) == leaver, settled.contains(leaver),
                let device = history.device(of: place)
            else { return false }
            return belongs(device) && !isCutByRemoval(place) && !isCutByEnd(place)
        }
        knownFarewells[leaver] = farewells
        return farewells
    }

    // MARK: - Settled

    func admissions(of admitted: Int) -> [Place] {
        history.statements.filter { place in
            guard case .admit(let device) = history.kind(of: place) else { return false }
            return names.devices[device].person == admitted && names.devices[device].isFirst
        }
    }

    private func isToSettle(_ someone: Int) -> Bool {
        guard let parent = names.persons[someone].parent else { return true }
        return settled.contains(parent)
            && admissions(of: someone).contains { lets(in: someone, by: $0) }
    }

    private func lets(in admitted: Int, by place: Place) -> Bool {
        guard counts(place), let author = person(place) else { return false }
        if names.persons[admitted].isGuest || isAbove(author, admitted) && fault != .nobodyAboveLetsIn { return true }
        let isLetIn = openings(of: admitted, before: place).contains {
            (counts($0) || fault == .openedByOutcast) && isOpen($0, for: admitted) { history.isPast($0, of: place) }
        }
        guard fault != .nobodyAboveLetsIn else { return isLetIn }
        return isLetIn
            || admissions(of: admitted).contains { earlier in
                guard history.isPast(earlier, of: place), let host = person(earlier), isAbove(author, host) else {
                    return false
                }
                return openings(of: admitted, before: earlier).contains {
                    isOpen($0, for: admitted) { history.isPast($0, of: earlier) }
                }
            }
    }

    func openings(of admitted: Int, before place: Place) -> [Place] {
        history.statements.filter { opening in
            guard case .open(let invite, _) = history.kind(of: opening) else { return false }
            return invite == names.persons[admitted].invite && history.isPast(opening, of: place)
        }
    }

    /// Whether an invite is open by an opening for somebody, in a set of changes: by names alone.
    package func isOpen(_ opening: Place, for admitted: Int?, isSeen: (Place) -> Bool) -> Bool {
        guard case .open(let invite, let uses) = history.kind(of: opening) else { return false }
        let opener = names.openers[invite]
        var came: Set<Int> = []
        for other in history.statements where isSeen(other) {
            guard let author = person(other) else { continue }
            let isByOpenerOrAbove = author == opener || isAbove(author, opener)
            switch history.kind(of: other) {
            case .close(invite) where fault == .anybodyClosesInvites: return false
            case .close(invite) where isByOpenerOrAbove && fault != .nothingEndsInvites: return false
            case .remove where fault == .nothingEndsInvites: break
            case .remove(let removed, _) where !history.isPast(other, of: opening):
                if fault == .removalEndsAllInvites, removed != author { return false }
                if removed == author ? removed == opener : isByOpenerOrAbove && isAbove(author, removed) {
                    return false
                }
            case .admit(let device) where names.devices[device].isFirst:
                let someone = names.devices[device].person
                if names.persons[someone].invite == invite { came.insert(someone) }
            default: break
            }
        }
        if let admitted { came.remove(admitted) }
        return came.count < uses
    }

    // MARK: - Membership states

    package var states: [Roster.MembershipState] {
        let lifted = isAnythingCut ? NaiveRoster(history, isAnythingCut: false) : self
        return names.persons.indices.map { state(of: $0, lifted) }
    }

    private func state(of someone: Int, _ lifted: NaiveRoster) -> Roster.MembershipState {
        if !removals(of: someone).isEmpty { return .removed }
        if let host = host(of: someone) {
            let hosts = state(of: host, lifted)
            if hosts != .isIn { return hosts }
        }
        if settled.contains(someone) { return farewells(of: someone).isEmpty ? .isIn : .left }
        return lifted.settled.contains(someone) ? .waits : .neverIn
    }
}
