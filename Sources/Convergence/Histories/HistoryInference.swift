/// What follows from a reading, by the type of the data, for who knew of what when it was read.
struct HistoryInference {
    let type: DataType

    init(_ type: DataType) { self.type = type }

    mutating func infer(_ visibility: inout Visibility) throws(Anomaly) {
        for read in visibility.readings {
            switch visibility.reading(read) {
            case .counter(let sum): try inferCounter(sum, read, &visibility)
            case .set(let elements): try inferSet(elements, read, &visibility)
            case .register(let values): try inferWrites(values, key: nil, read, &visibility)
            case .map(let values):
                for key in keys(visibility, values) { try inferWrites(values[key] ?? [], key: key, read, &visibility) }
            case .sequence(let elements): try inferSequence(elements, read, &visibility)
            case nil: break
            }
        }
    }

    mutating func finish(_ visibility: inout Visibility) throws(Anomaly) {
        switch type.kind {
        case .list, .text: try checkPlaces(visibility)
        case .register, .map: if !type.keepsAll { try checkOneOrder(visibility) }
        case .counter, .set: break
        }
    }

    // MARK: - Sets

    private func inferSet(_ shown: [String], _ read: Int, _ visibility: inout Visibility) throws(Anomaly) {
        let all = Set(shown)
        var adds: [String: [Int]] = [:]
        var removes: [String: [Int]] = [:]
        for place in visibility.operations {
            switch visibility.operation(place) {
            case .add(let element): adds[element, default: []].append(place)
            case .remove(let element): removes[element, default: []].append(place)
            default: break
            }
        }
        for element in Set(adds.keys).union(all).sorted() {
            let (own, against) = (adds[element] ?? [], removes[element] ?? [])
            if all.contains(element) {
                try inferPresence(of: element, by: own, against, read, &visibility)
            } else {
                try inferAbsence(of: own, against, "\(element) is not shown", read, &visibility)
            }
        }
    }

    /// Something is shown: one of the operations that may have brought it is known, and outlives every known removal.
    private func inferPresence(
        of name: String, by sources: [Int], _ removals: [Int], _ read: Int, _ visibility: inout Visibility
    ) throws(Anomaly) {
        let said = "\(visibility.name(read)) shows \(name)"
        var dead: [Visibility.Fact] = []
        let alive = sources.filter { source in
            if visibility.isHidden(source, at: read) {
                dead.append(visibility.fact(source, at: read))
                return false
            }
            let killer = removals.first {
                visibility.isVisible($0, at: read) && visibility.isVisible(source, at: $0)
            }
            if let killer { dead += [visibility.fact(killer, at: read), visibility.fact(source, at: killer)] }
            return killer == nil
        }
        guard let only = alive.first else {
            let law: Law = sources.contains { !visibility.isHidden($0, at: read) } ? .observedRemoves : .nothingInvented
            let reason = sources.isEmpty ? "nobody put it in" : "whatever put it in was removed, or had not happened"
            throw visibility.anomaly(
                law, "\(said), and \(reason)", because: dead,
                also: sources.map(visibility.name) + removals.map(visibility.name))
        }
        guard alive.count == 1 else { return }
        try visibility.learn(
            only, at: read, true, law: .nothingInvented, "\(said), so it knows of “\(visibility.name(only))”",
            because: dead)
        for removal in removals where visibility.isVisible(removal, at: read) {
            try visibility.learn(
                only, at: removal, false, law: .observedRemoves,
                "\(said), so “\(visibility.name(removal))” did not know of “\(visibility.name(only))”",
                because: dead + [visibility.fact(removal, at: read)])
        }
    }

    /// Something is not shown: each operation that brought it and is known was undone by a known removal.
    private func inferAbsence(
        of sources: [Int], _ removals: [Int], _ words: String, _ read: Int, _ visibility: inout Visibility
    ) throws(Anomaly) {
        for source in sources {
            var innocent: [Visibility.Fact] = []
            let killers = removals.filter { removal in
                if visibility.isHidden(removal, at: read) {
                    innocent.append(visibility.fact(removal, at: read))
                    return false
                }
                let isBefore = visibility.isVisible(removal, at: source)
                let isConcurrent = visibility.isHidden(source, at: removal)
                guard isBefore || isConcurrent && type.policy == .addWins else { return true }
                innocent.append(isBefore ? visibility.fact(removal, at: source) : visibility.fact(source, at: removal))
                return false
            }
            let said = "\(visibility.name(read)): \(words)"
            if killers.isEmpty {
                let isVanishing =
                    visibility.earlierReading(read).map { shows($0, visibility.operation(source)) } ?? false
                let law: Law =
                    !removals.isEmpty && !innocent.isEmpty ? .addWins : isVanishing ? .nothingVanishes : .nothingLost
                try visibility.learn(
                    source, at: read, false, law: law,
                    "\(said), and nothing can have undone “\(visibility.name(source))”, so it does not know of it",
                    because: innocent)
            } else if killers.count == 1, visibility.isVisible(source, at: read) {
                let premises = innocent + [visibility.fact(source, at: read)]
                let text = "\(said), so it knows of “\(visibility.name(killers[0]))”"
                try visibility.learn(killers[0], at: read, true, law: .nothingLost, text, because: premises)
                if type.policy == .addWins {
                    try visibility.learn(
                        source, at: killers[0], true, law: .addWins, text + ", which knew of it", because: premises)
                }
            }
        }
    }

    private func shows(_ reading: Reading, _ operation: Operation?) -> Bool {
        switch (reading, operation) {
        case (.set(let elements), .add(let element)): elements.contains(element)
        case (.register(let values), .write(let value)): values.contains(value)
        case (.map(let values), .set(let key, let value)): values[key]?.contains(value) ?? false
        case (.sequence(let elements), .insert(let value, _, _, _)):
            !Set(elements).isDisjoint(with: type.elements(of: value))
        default: false
        }
    }

    // MARK: - Registers and maps

    private func keys(_ visibility: Visibility, _ values: [String: [String]]) -> [String] {
        var keys = Set(values.keys)
        for place in visibility.operations {
            switch visibility.operation(place) {
            case .set(let key, _), .delete(let key): keys.insert(key)
            default: break
            }
        }
        return keys.sorted()
    }

    /// What writes a register, or a key of a map, and what removes it.
    private func writes(_ key: String?, _ visibility: Visibility) -> (
        sets: [(place: Int, value: String)], deletes: [Int]
    ) {
        var sets: [(place: Int, value: String)] = []
        var deletes: [Int] = []
        for place in visibility.operations {
            switch visibility.operation(place) {
            case .write(let value): sets.append((place, value))
            case .set(key, let value): sets.append((place, value))
            case .delete(key): deletes.append(place)
            default: break
            }
        }
        return (sets, deletes)
    }

    private func inferWrites(
        _ shown: [String], key: String?, _ read: Int, _ visibility: inout Visibility
    ) throws(Anomaly) {
        let (sets, deletes) = writes(key, visibility)
        let place = key.map { "\($0) = " } ?? ""
        guard !shown.isEmpty else {
            return try inferAbsence(of: sets.map { $0.place }, deletes, "\(place)nothing", read, &visibility)
        }
        var sources: [Int] = []
        for value in shown {
            let own = sets.filter { $0.value == value }.map { $0.place }
            try inferPresence(of: place + value, by: own, deletes, read, &visibility)
            if own.count == 1 { sources.append(own[0]) } else { return }
        }
        for source in sources {
            // What followed it would have replaced it.
            for (other, _) in sets where other != source && visibility.isVisible(source, at: other) {
                try visibility.learn(
                    other, at: read, false, law: .observedRemoves,
                    "\(visibility.name(read)): “\(visibility.name(other))” would have replaced what is shown",
                    because: [visibility.fact(source, at: other)])
            }
        }
        guard type.keepsAll else { return }
        for (other, _) in sets where !sources.contains(other) {
            let above = sources.filter { !visibility.isHidden(other, at: $0) }
            let removers = deletes.filter {
                !visibility.isHidden($0, at: read) && !visibility.isVisible($0, at: other)
                    && (type.policy == .either || !visibility.isHidden(other, at: $0))
            }
            let innocent = sources.filter { visibility.isHidden(other, at: $0) }.map { visibility.fact(other, at: $0) }
            guard removers.isEmpty else { continue }
            let text = "\(visibility.name(read)) shows all that nothing replaced, and not “\(visibility.name(other))”"
            if above.isEmpty {
                try visibility.learn(other, at: read, false, law: .nothingLost, text, because: innocent)
            } else if above.count == 1, visibility.isVisible(other, at: read) {
                try visibility.learn(
                    other, at: above[0], true, law: .nothingLost, text,
                    because: innocent + [visibility.fact(other, at: read)])
            }
        }
    }

    /// Of two writes that do not know of each other one wins, everywhere the same: which is the later one of what is known?
    private func checkOneOrder(_ visibility: Visibility) throws(Anomaly) {
        let keys: [String?] = type.kind == .register ? [nil] : self.keys(visibility, [:]).map { $0 }
        for key in keys {
            let (sets, deletes) = writes(key, visibility)
            var order = Order<Int>()
            for (one, _) in sets {
                for (other, _) in sets where one != other && visibility.isVisible(one, at: other) {
                    order.add(one, other, "“\(visibility.name(other))” knew of “\(visibility.name(one))”")
                }
            }
            for read in visibility.readings {
                let shown: [String]? =
                    switch visibility.reading(read) {
                    case .register(let values): values
                    case .map(let values): key.flatMap { values[$0] }
                    default: nil
                    }
                let sources = sets.filter { shown?.first == $0.value }.map { $0.place }
                guard sources.count == 1, !deletes.contains(where: { !visibility.isHidden($0, at: read) }) else {
                    continue
                }
                for (other, _) in sets where other != sources[0] && visibility.isVisible(other, at: read) {
                    order.add(
                        other, sources[0],
                        "\(visibility.name(read)): it knows of “\(visibility.name(other))” too, so that came earlier")
                }
            }
            if let circle = order.circle() {
                throw Anomaly(
                    law: .oneOrder,
                    finding: "\(circle.count) reasons that each write is later than the one before, in a circle",
                    witness: circle)
            }
        }
    }
}
