import ChangeLog

// What faults of counting ask of a history.
extension NaiveRoster {
    /// Whether no other statement of its device on the same change came before it, or before one in its chain.
    func isOnFirstBranch(_ name: Name) -> Bool {
        var next: Name? = name
        while let change = next {
            let previous = history.previous(of: change)
            let isSecond = history.statements.contains { other in
                other != change && history.device(of: other) == history.device(of: change)
                    && history.previous(of: other) == previous
                    && history.arrival(of: other) < history.arrival(of: change)
            }
            if isSecond { return false }
            next = previous
        }
        return true
    }

    /// Whether a change was here when a removal came that had seen all statements.
    func isHereBefore(_ name: Name, _ removal: Name) -> Bool {
        let arrival = history.arrival(of: removal)
        return history.arrival(of: name) < arrival
            && history.statements.allSatisfy { history.arrival(of: $0) >= arrival || history.isPast($0, of: removal) }
    }

    /// Whether somebody else admits a person again who has seen their removal.
    func isAdmittedAgain(_ removed: Int, after removal: Name) -> Bool {
        admissions(of: removed).contains { history.isPast(removal, of: $0) && person($0) != removed }
    }

    /// Whether a farewell of its author is in the past of a change.
    func followsFarewell(_ name: Name) -> Bool {
        history.statements.contains { farewell in
            guard case .remove(let leaver, _) = history.kind(of: farewell), person(farewell) == leaver else {
                return false
            }
            return person(name) == leaver && history.isPast(farewell, of: name)
        }
    }

    /// Who is above somebody, or admitted them, or is above or admitted one of those.
    func isAboveOrHost(_ elder: Int, _ person: Int) -> Bool {
        var (seen, next) = (Set([person]), [person])
        while let one = next.popLast() {
            let hosts = admissions(of: one).compactMap { self.person($0) }
            for other in hosts + [names.persons[one].parent].compactMap({ $0 }) where seen.insert(other).inserted {
                if other == elder { return true }
                next.append(other)
            }
        }
        return false
    }

    /// Everybody is under who wrote the first admission of them, where that had no open invite.
    func putUnderHosts() {
        for someone in names.persons.indices where names.persons[someone].parent != nil {
            guard !names.persons[someone].isGuest, let first = admissions(of: someone).first,
                let host = person(first), host < someone,
                !openings(of: someone, before: first).contains(where: { opening in
                    isOpen(opening, for: someone) { history.isPast($0, of: first) }
                })
            else { continue }
            names.persons[someone] = RosterNames.Person(parent: host, invite: names.persons[someone].invite)
        }
    }
}
