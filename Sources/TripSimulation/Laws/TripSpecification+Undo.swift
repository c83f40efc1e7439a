import Convergence
import DeltaCRDT
import TripModel

// What takes an act back: its author writes what stood before, and what others wrote at the same moment stays. Nothing that
// others wrote since is looked at, for then nothing is done.
extension TripSpecification {
    func undo(_ change: Int, by undoing: Act, _ orderNow: SpecifiedOrder) -> [Deed.Kind] {
        guard let act = deeds(ofChange: change).first?.act else { return [] }
        let now = orderNow.held
        let before = act.past.intersection(now)
        let orderBefore = SpecifiedOrder(self, before, upheld: orderNow.upheld)
        var kinds: [Deed.Kind] = []
        for deed in deeds(ofChange: change) {
            switch deed.kind {
            case .makeItem(let name, _), .makeList(let name):
                if exists(name, orderNow) { kinds.append(.remove(name)) }
            case .makeComment(let comment, let item, _): if exists(item, orderNow) { kinds.append(.remove(comment)) }
            case .remove(let name):
                let isComment = deeds(ofChange: name.change).contains { $0.makesComment(name) }
                if isComment || !exists(name, orderNow) { kinds.append(.restore(name)) }
            case .restore(let name):
                if exists(name, orderNow), !exists(name, orderBefore) { kinds.append(.remove(name)) }
            case .write(let name, let field, let value, _):
                // What the same act made goes with that.
                if name?.change == change || name.map({ isOutOfReach($0, orderNow) }) ?? false { continue }
                // A hidden question is closed once and for all.
                if field == .done, name.map(hiddenQuestions.contains) ?? false { continue }
                let first = Deed.ID(change: undoing.change, index: kinds.count)
                kinds += writeBack(name, field, value, deed.id, before, now, from: first)
            case .name:
                let previous = names(before).first { $0.participant == act.participant }
                if let previous { kinds.append(.name(previous.name)) }
            case .note(let name, let edit):
                if name?.change == change || name.map({ isOutOfReach($0, orderNow) }) ?? false { continue }
                let undo = SpecifiedNote(self, name, now, upheld: orderNow.upheld).undoing(
                    edit, of: deed, before: SpecifiedNote(self, name, before, upheld: orderNow.upheld))
                if !undo.insertions.isEmpty || !undo.removals.isEmpty { kinds.append(.note(name, undo)) }
            case .vote(let item, _), .step(let item, _), .claim(let item, _), .attend(let item, _),
                .amenities(let item, _, _), .answer(let item, _), .seal(let item, _, _), .close(let item, _),
                .reveal(let item, _, _),
                .options(let item, _, _),
                .place(let item, _), .attach(let item, _), .detach(let item, _):
                if item.change == change || isOutOfReach(item, orderNow) { continue }
                kinds += invert(deed, on: item, orderBefore, orderNow)
            }
        }
        return kinds
    }

    /// Whether nothing can be done to it: its making is not shown, or it is an item that was removed.
    private func isOutOfReach(_ name: Name, _ order: SpecifiedOrder) -> Bool {
        !order.held.contains(name.change) || order.last(of: name) != nil && !exists(name, order)
    }

    /// The values that a write replaced, each written again, so that the one that stood highest stands highest again. What
    /// somebody replaced at the same moment stays replaced.
    private func writeBack(
        _ name: Name?, _ field: Field, _ value: String?, _ own: Deed.ID, _ before: EventSet, _ now: EventSet,
        from first: Deed.ID
    ) -> [Deed.Kind] {
        let standing = standing(field, of: name, now)
        let origins = standing.map { origin(of: $0.deed, $0.value, field, of: name, now) }
        let others = zip(standing, origins).filter { $1.id != own }.map(\.0)
        let isGone = others.count == standing.count
        let concurrent = isGone ? [] : origins.filter { $0.id != own }
        let replaced = self.standing(field, of: name, before).filter(\.isShown)
        let back = replaced.filter { write in !concurrent.contains { $0.replaces(write.deed) } }.map(\.value)
        let earlier = back.enumerated().filter { place, text in !back[..<place].contains(text) }.map(\.element)
        let old = earlier.filter { text in !others.contains { $0.value == text } }
        let siblings = Set(others.map(\.deed.id))
        guard !old.isEmpty else {
            if value == nil || isGone && !replaced.isEmpty { return [] }
            guard field == .title || field == .cost && !replaced.isEmpty else {
                return [.write(name, field, nil, siblings: siblings)]
            }
            // An item has a title, and so has a trip that had one, and an expense has a cost: the one that comes back, or
            // that somebody wrote at the same moment, takes the place of its own.
            guard let text = earlier.first ?? (isGone ? nil : others.first?.value) else { return [] }
            return [.write(name, field, text, siblings: Set(others.filter { $0.value != text }.map(\.deed.id)))]
        }
        return old.reversed().enumerated().map { place, text in
            let before = (0..<place).map { Deed.ID(change: first.change, index: first.index + $0) }
            return .write(name, field, text, siblings: siblings.union(before))
        }
    }

    /// The write that one by an undo brings back, or writes again; itself where no undo wrote it.
    private func origin(of write: Deed, _ value: String, _ field: Field, of name: Name?, _ now: EventSet) -> Deed {
        func last(_ held: EventSet) -> Deed? {
            standing(field, of: name, held.intersection(now)).first { $0.value == value }?.deed
        }
        var write = write
        while case .undo(let undone) = write.act.meaning, let act = deeds(ofChange: undone).first?.act,
            act.participant == write.act.participant,
            let earlier = last(act.past) ?? last(write.act.past)
        {
            write = earlier
        }
        return write
    }

    private func invert(
        _ deed: Deed, on item: Name, _ before: SpecifiedOrder, _ now: SpecifiedOrder
    ) -> [Deed.Kind] {
        let author = deed.act.participant
        switch deed.kind {
        case .vote: return [.vote(item, votes(on: item, before.held)[author]?.word ?? nil)]
        case .step(_, let step): return [.step(item, -step)]
        case .claim: return [.claim(item, claims(of: item, before.held)[author]?.word ?? nil)]
        case .attend: return [.attend(item, attendance(of: item, before.held)[author]?.word ?? nil)]
        case .answer where hiddenQuestions.contains(item), .seal:
            guard closings(of: item, now.held).isEmpty else { return [] }
            return [lastSeal(of: author, to: item, before.held) ?? .answer(item, nil)]
        case .answer: return [.answer(item, lastAnswer(of: author, to: item, before.held))]
        case .options(_, let added, let removed):
            let (had, has) = (options(of: item, before.held), options(of: item, now.held))
            let back = removed.filter { had.contains($0) && !has.contains($0) }
            let gone = added.filter { !had.contains($0) && has.contains($0) }
            return back.isEmpty && gone.isEmpty ? [] : [.options(item, added: back, removed: gone)]
        case .amenities(_, let added, let removed):
            let (had, has) = (amenities(of: item, before.held), amenities(of: item, now.held))
            let back = removed.filter { had.contains($0) && !has.contains($0) }
            let gone = added.filter { !had.contains($0) && has.contains($0) }
            return back.isEmpty && gone.isEmpty ? [] : [.amenities(item, added: back, removed: gone)]
        case .place:
            guard let last = before.last(of: item) else { return [] }
            let anchor = now.node(last.deed.id)?.position.list == last.position.list ? last.deed.id : nil
            return [.place(item, Position(list: last.position.list, anchor: anchor))]
        case .attach:
            return photos(of: item, now.held).contains { $0.deed.id == deed.id } ? [.detach(item, [deed.id])] : []
        case .detach(_, let attached):
            let gone = photos(of: item, before.held).filter { attached.contains($0.deed.id) }.map(\.photo)
            guard let photo = gone.first, !photos(of: item, now.held).contains(where: { $0.photo == photo }) else {
                return []
            }
            return [.attach(item, photo: photo)]
        default: return []
        }
    }
}

extension TripSpecification.Deed {
    /// Whether it took the place of a write of another act.
    fileprivate func replaces(_ earlier: TripSpecification.Deed) -> Bool {
        guard case .write(_, _, _, let siblings) = kind else { return false }
        return act.past.contains(earlier.act.change) && !siblings.contains(earlier.id)
    }

    fileprivate func makesComment(_ name: TripSpecification.Name) -> Bool {
        if case .makeComment(name, _, _) = kind { true } else { false }
    }
}
