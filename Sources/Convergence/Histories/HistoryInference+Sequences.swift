extension HistoryInference {
    // MARK: - Lists and texts

    func inferSequence(_ shown: [String], _ read: Int, _ visibility: inout Visibility) throws(Anomaly) {
        var seen: Set<String> = []
        if let twice = shown.first(where: { !seen.insert($0).inserted }) {
            throw visibility.anomaly(.shownOnce, "\(visibility.name(read)) shows \(twice) twice", because: [])
        }
        var (inserts, erases): ([String: Int], [String: [Int]]) = ([:], [:])
        for place in visibility.operations {
            switch visibility.operation(place) {
            case .insert(let value, _, _, _): for element in type.elements(of: value) { inserts[element] = place }
            case .erase(let element, _): erases[element, default: []].append(place)
            default: break
            }
        }
        if let strange = shown.first(where: { inserts[$0] == nil }) {
            throw visibility.anomaly(
                .nothingInvented, "\(visibility.name(read)) shows \(strange), which nobody inserted", because: [])
        }
        // Nobody erases, or types beside, what they do not see.
        for place in visibility.operations {
            let near: [String?] =
                switch visibility.operation(place) {
                case .erase(let element, _): [element]
                case .insert(_, _, let after, let before): [after, before]
                default: []
                }
            for case let element? in near {
                guard let insert = inserts[element] else { continue }
                try visibility.learn(
                    insert, at: place, true, law: .nothingInvented, "“\(visibility.name(place))” saw \(element)")
            }
        }
        for (element, insert) in inserts.sorted(by: { $0.value < $1.value }) {
            try infer(element, isShown: seen.contains(element), insert, erases[element] ?? [], read, &visibility)
        }
    }

    private func infer(
        _ element: String, isShown: Bool, _ insert: Int, _ erases: [Int], _ read: Int, _ visibility: inout Visibility
    ) throws(Anomaly) {
        if isShown {
            let said = "\(visibility.name(read)) shows \(element)"
            try visibility.learn(
                insert, at: read, true, law: .nothingInvented, "\(said), so it knows of “\(visibility.name(insert))”")
            for erase in erases {
                try visibility.learn(
                    erase, at: read, false, law: .observedRemoves,
                    "\(said), so it does not know of “\(visibility.name(erase))”")
            }
            return
        }
        let possible = erases.filter { !visibility.isHidden($0, at: read) }
        let impossible = erases.filter { visibility.isHidden($0, at: read) }.map { visibility.fact($0, at: read) }
        let said = "\(visibility.name(read)) does not show \(element)"
        if possible.isEmpty {
            let wasShown = visibility.earlierReading(read)?.elements?.contains(element) ?? false
            try visibility.learn(
                insert, at: read, false, law: wasShown ? .nothingVanishes : .nothingLost,
                "\(said), and nothing can have erased it, so it does not know of “\(visibility.name(insert))”",
                because: impossible)
        } else if possible.count == 1, visibility.isVisible(insert, at: read) {
            try visibility.learn(
                possible[0], at: read, true, law: .nothingLost,
                "\(said), so it knows of “\(visibility.name(possible[0]))”",
                because: impossible + [visibility.fact(insert, at: read)])
        }
    }

    /// There is one order of all elements, removed ones included.
    func checkPlaces(_ visibility: Visibility) throws(Anomaly) {
        var order = Order<String>()
        for place in visibility.operations {
            guard case .insert(let value, _, let after, let before)? = visibility.operation(place) else { continue }
            let elements = type.elements(of: value)
            let words = "“\(visibility.name(place))”"
            for (one, other) in zip(elements, elements.dropFirst()) {
                order.add(one, other, "\(words): \(one) before \(other)")
            }
            if let after, let first = elements.first { order.add(after, first, "\(words) put \(first) after \(after)") }
            if let before, let last = elements.last { order.add(last, before, "\(words) put \(last) before \(before)") }
        }
        for read in visibility.readings {
            guard case .sequence(let shown)? = visibility.reading(read) else { continue }
            for (one, other) in zip(shown, shown.dropFirst()) {
                order.add(one, other, "\(visibility.name(read)): \(one) before \(other)")
            }
        }
        if let circle = order.circle() {
            throw Anomaly(
                law: .inPlace,
                finding: "\(circle.count) reasons that each element is behind the one before, in a circle",
                witness: circle)
        }
    }

    // MARK: - Counters

    /// Sums that are looked at of one reading at most.
    static var sumsMax: Int { 1 << 14 }

    /// The known increments have a sum: one that is needed for it is known, one that spoils it is not.
    func inferCounter(_ sum: Int64, _ read: Int, _ visibility: inout Visibility) throws(Anomaly) {
        var (known, open): (Int64, [(place: Int, amount: Int64)]) = (0, [])
        for place in visibility.operations {
            guard case .increment(let amount)? = visibility.operation(place), !visibility.isHidden(place, at: read)
            else { continue }
            if visibility.isVisible(place, at: read) { known &+= amount } else { open.append((place, amount)) }
        }
        let facts = visibility.operations.filter { !open.map { $0.place }.contains($0) }.map {
            visibility.fact($0, at: read)
        }
        guard let reachable = sums(open.map { $0.amount }), !reachable.contains(sum &- known) else {
            guard let all = sums(open.map { $0.amount }), open.count > 0, all.contains(sum &- known) else { return }
            for (index, candidate) in open.enumerated() {
                var others = open.map { $0.amount }
                others.remove(at: index)
                guard let without = sums(others) else { return }
                let isNeeded = !without.contains(sum &- known)
                let isSpoiling = !without.contains(sum &- known &- candidate.amount)
                guard isNeeded != isSpoiling else { continue }
                let words = isNeeded ? "it knows" : "it does not know"
                try visibility.learn(
                    candidate.place, at: read, isNeeded, law: .everyActCounts,
                    "\(visibility.name(read)), so \(words) of “\(visibility.name(candidate.place))”", because: facts)
            }
            return
        }
        throw visibility.anomaly(
            .everyActCounts, "\(visibility.name(read)), which no sum of what it may know is", because: facts,
            also: open.map { "it may know of “\(visibility.name($0.place))”" }
                + visibility.operations.filter { visibility.isVisible($0, at: read) }.map {
                    "it knows of “\(visibility.name($0))”"
                })
    }

    /// All sums of some of the amounts; nil where there are too many.
    private func sums(_ amounts: [Int64]) -> Set<Int64>? {
        var sums: Set<Int64> = [0]
        for amount in amounts {
            for sum in sums { sums.insert(sum &+ amount) }
            if sums.count > Self.sumsMax { return nil }
        }
        return sums
    }
}
