import DeltaCRDT

/// What laws don't touch: writers, sessions and undoing. A digest of all messages; nil where two who talked to each other differ.
func sessionsOfMaps() -> UInt64? {
    var (mine, theirs) = (ORMap<String, AddWinsSet<String>>(), ORMap<String, AddWinsSet<String>>())
    let (jie, noah) = (ReplicaID(high: 1, low: 1), ReplicaID(high: 2, low: 2))
    for number in 0..<50 {
        mine.update(by: jie) { $0["list " + String(number % 5)].insert("tent " + String(number)) }
        theirs.update(by: noah) { $0["list " + String(number % 7)].formUnion(["boat", "rope " + String(number)]) }
    }
    let digest = talk(&mine, &theirs)
    mine.update(by: jie) { lists in
        lists["list 1"].remove("boat")
        lists.removeValue(forKey: "list 2")
    }
    theirs.update(by: noah) { $0["list 2"].insert("late") }
    guard digest != nil, let second = talk(&mine, &theirs), mine["list 2"].contains("late") else { return nil }
    return second
}

func sessionsOfTexts() -> UInt64? {
    var (mine, theirs) = (Text(), Text())
    var undoing = UndoStack(by: ReplicaID(high: 1, low: 1))
    _ = undoing.insert("a trip to \u{C9}vora", at: 0, in: &mine)
    _ = undoing.remove(0..<2, in: &mine)
    theirs.insert("in June", at: 0, by: ReplicaID(high: 2, low: 2))
    guard talk(&mine, &theirs) != nil else { return nil }
    _ = undoing.undo(in: &mine)
    guard mine.string.utf8.count == "a trip to \u{C9}vorain June".utf8.count else { return nil }
    return talk(&mine, &theirs)
}

private func talk<State: SyncableState & CanonicalCodable>(_ mine: inout State, _ theirs: inout State) -> UInt64? {
    var (here, there) = (SyncSession<State>(), SyncSession<State>())
    var digest: UInt64 = 0
    for _ in 0..<20 {
        let (question, answer) = (here.message(for: mine), there.message(for: theirs))
        if question == nil, answer == nil { return mine == theirs ? digest : nil }
        for byte in (question ?? []) + (answer ?? []) { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
        do throws(DecodingFailure) {
            if let question { try there.receive(question, into: &theirs) }
            if let answer { try here.receive(answer, into: &mine) }
        } catch {
            return nil
        }
    }
    return nil
}
