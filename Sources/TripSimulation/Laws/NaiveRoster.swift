package import ChangeLog

/// Changes that somebody holds, which hold the past of each, as the rules of membership look at them.
package protocol RosterHistory {
    associatedtype Name: Hashable
    var names: RosterNames { get }
    /// The changes that say something of who is in, each after its past.
    var statements: [Name] { get }
    /// The device that wrote a change, or founded the trip by it; nil where nothing here introduces it.
    func device(of name: Name) -> Int?
    /// What a change says; nil for one that says nothing of who is in. What an end names as the last change is said by `last(of:)`.
    func kind(of name: Name) -> RosterStatement.Kind?
    /// The last change that an end lets count.
    func last(of end: Name) -> Name?
    /// The changes that a removal names as kept; nil where it names none, not even an empty list.
    func kept(of removal: Name) -> [Name]?
    /// Whether a change is in the past of another.
    func isPast(_ name: Name, of later: Name) -> Bool
    /// The changes on which one stands directly, and of those the one before it in its log.
    func links(of name: Name) -> [Name]
    func previous(of name: Name) -> Name?
    /// How many changes came before it.
    func arrival(of name: Name) -> Int
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

    /// The first admission resolves its person, under its author where no invite is open.
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
    package typealias Name = History.Name

    let history: History
    /// What names say, or a fault makes of that.
    package internal(set) var names: RosterNames
    private let isAnythingCut: Bool
    private let fault: CountingFault?
    package private(set) var resolved: Set<Int> = []
    /// What was found of people whose parent is resolved, which never changes.
    private var knownRemovals: [Int: [Name]] = [:]
    private var knownFarewells: [Int: [Name]] = [:]
    private var knownDevices: [Int: Bool] = [:]
    private var isResolving = true

    /// - Parameter fault: what it gets wrong, to see that histories come to where it shows; nil for what the page says.
    package init(_ history: History, isAnythingCut: Bool = true, fault: CountingFault? = nil) {
        self.history = history
        names = history.names
        self.isAnythingCut = isAnythingCut
        self.fault = fault
        if fault == .lowestAdmissionSettles { putUnderHosts() }
        while let person = names.persons.indices.first(where: { !resolved.contains($0) && isResolvable($0) }) {
            resolved.insert(person)
            (knownDevices, knownFarewells) = ([:], [:])
        }
        isResolving = false
        (knownDevices, knownFarewells, knownRemovals) = ([:], [:], [:])
    }

    func person(_ name: Name) -> Int? { history.device(of: name).map { names.devices[$0].person } }

    private func isAbove(_ elder: Int, _ person: Int) -> Bool {
        if fault == .hostIsAbove { return isAboveOrHost(elder, person) }
        guard let parent = names.persons[person].parent else { return false }
        return parent == elder || isAbove(elder, parent)
    }

    // MARK: - Cut, and count

    package func counts(_ name: Name) -> Bool {
        guard let device = history.device(of: name) else { return false }
        if fault == .secondBranchWaits, !isOnFirstBranch(name) { return false }
        return resolved.contains(names.devices[device].person) && belongs(device) && !isCut(name)
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
        return history.statements.contains { name in
            guard case .admit(device) = history.kind(of: name), let author = history.device(of: name) else {
                return false
            }
            return person(name) == names.devices[device].person
                && belongs(author, asked: asked.union([device])) && !isCutByRemoval(name)
                && !isCutByEnd(name)
        }
    }

    private func isCut(_ name: Name) -> Bool {
        isCutByRemoval(name) || isCutByEnd(name) || isCutByFarewell(name)
    }

    private func isCutByRemoval(_ name: Name) -> Bool {
        guard isAnythingCut, let person = person(name) else { return false }
        let removals = removals(of: person) + (host(of: person).map { self.removals(of: $0) } ?? [])
        return removals.contains { !isWithin(name, $0) }
    }

    private func isWithin(_ name: Name, _ removal: Name) -> Bool {
        let isWithin =
            history.kept(of: removal)?.contains { $0 == name || history.isPast(name, of: $0) }
            ?? history.isPast(name, of: removal)
        switch fault {
        case .cutTooLow: return isWithin && !history.links(of: removal).contains(name)
        case .cutTooHigh:
            return isWithin || history.previous(of: name).map { history.isPast($0, of: removal) } ?? false
        case .cutByArrival: return history.arrival(of: name) <= history.arrival(of: removal)
        case .keptIsIgnored: return history.isPast(name, of: removal)
        case .removalSeenByStatements: return isWithin || isHereBefore(name, removal)
        default: return isWithin
        }
    }

    private func host(of person: Int) -> Int? {
        names.persons[person].isGuest && fault != .guestsStay ? names.persons[person].parent : nil
    }

    /// The removals of somebody that count.
    package func removals(of removed: Int) -> [Name] {
        if let known = knownRemovals[removed] { return known }
        let removals = history.statements.filter { name in
            guard case .remove(removed, _) = history.kind(of: name), let author = person(name), author != removed
            else {
                return false
            }
            guard isAbove(author, removed) || fault == .cutFromBelow else { return false }
            if fault == .admissionUndoesRemoval, isAdmittedAgain(removed, after: name) { return false }
            return counts(name) || fault == .cutByOutcast && resolved.contains(author)
        }
        // Everybody above is resolved, or nobody will be any more: what they wrote counts for good, or doesn't.
        if !isResolving || names.persons[removed].parent.map(resolved.contains) ?? true, fault != .cutFromBelow {
            knownRemovals[removed] = removals
        }
        return removals
    }

    private func isCutByEnd(_ name: Name) -> Bool {
        isAnythingCut
            && history.statements.contains { end in
                guard case .end(let device, _) = history.kind(of: end), device == history.device(of: name),
                    !isCutByRemoval(end), fault != .farewellCutsEnds || !followsFarewell(end)
                else { return false }
                return !(history.last(of: end).map { $0 == name || history.isPast(name, of: $0) } ?? false)
            }
    }

    private func isCutByFarewell(_ name: Name) -> Bool {
        guard isAnythingCut, let person = person(name) else { return false }
        switch history.kind(of: name) {
        case .end: return fault == .farewellCutsEnds && followsFarewell(name)
        case .admit(let device) where !names.devices[device].isFirst: return false
        default: break
        }
        if fault == .farewellsCutNothing { return false }
        let farewells = farewells(of: person) + (host(of: person).map { self.farewells(of: $0) } ?? [])
        if fault == .farewellVoidsAdmissions, case .admit = history.kind(of: name) {
            return farewells.contains { !history.isPast(name, of: $0) }
        }
        guard fault != .farewellCutsBesides else {
            return farewells.contains { $0 != name && !history.isPast(name, of: $0) }
        }
        return farewells.contains { history.isPast($0, of: name) }
    }

    /// Whether an earlier one cuts a farewell makes no difference: that one counts.
    package func farewells(of leaver: Int) -> [Name] {
        if let known = knownFarewells[leaver] { return known }
        let farewells = history.statements.filter { name in
            guard case .remove(leaver, _) = history.kind(of: name), person(name) == leaver, resolved.contains(leaver),
                let device = history.device(of: name)
            else { return false }
            return belongs(device) && !isCutByRemoval(name) && !isCutByEnd(name)
        }
        knownFarewells[leaver] = farewells
        return farewells
    }

    // MARK: - Resolved

    func admissions(of admitted: Int) -> [Name] {
        history.statements.filter { name in
            guard case .admit(let device) = history.kind(of: name) else { return false }
            return names.devices[device].person == admitted && names.devices[device].isFirst
        }
    }

    private func isResolvable(_ someone: Int) -> Bool {
        guard let parent = names.persons[someone].parent else { return true }
        return resolved.contains(parent)
            && admissions(of: someone).contains { lets(in: someone, by: $0) }
    }

    private func lets(in admitted: Int, by name: Name) -> Bool {
        guard counts(name), let author = person(name) else { return false }
        if names.persons[admitted].isGuest || isAbove(author, admitted) && fault != .nobodyAboveLetsIn { return true }
        let isLetIn = openings(of: admitted, before: name).contains {
            (counts($0) || fault == .openedByOutcast) && isOpen($0, for: admitted) { history.isPast($0, of: name) }
        }
        guard fault != .nobodyAboveLetsIn else { return isLetIn }
        return isLetIn
            || admissions(of: admitted).contains { earlier in
                guard history.isPast(earlier, of: name), let host = person(earlier), isAbove(author, host) else {
                    return false
                }
                return openings(of: admitted, before: earlier).contains {
                    isOpen($0, for: admitted) { history.isPast($0, of: earlier) }
                }
            }
    }

    func openings(of admitted: Int, before name: Name) -> [Name] {
        history.statements.filter { opening in
            guard case .open(let invite, _) = history.kind(of: opening) else { return false }
            return invite == names.persons[admitted].invite && history.isPast(opening, of: name)
        }
    }

    /// Whether an invite is open by an opening for somebody, in a set of changes: by names alone.
    package func isOpen(_ opening: Name, for admitted: Int?, isSeen: (Name) -> Bool) -> Bool {
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
        if resolved.contains(someone) { return farewells(of: someone).isEmpty ? .isIn : .left }
        return lifted.resolved.contains(someone) ? .waits : .neverIn
    }
}
