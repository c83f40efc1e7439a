import DeltaCRDT
import TestTiers
import Testing

/// What turns one version into another, and the versions that a history keeps.
@Suite struct VersionTests {
    static let names = (1...3).map { ReplicaID(high: 7, low: $0) }

    /// Versions that three writers reach, each by acts and merges of their own, also without what others had seen.
    static func versions<S: Specimen>(_ subject: S.Type, _ seed: UInt64) -> [S.State] {
        var random = SplitMix64(seed: seed)
        var states = names.map { _ in S.State() }
        var (deltas, versions): ([S.State], [S.State]) = ([], [S.State()])
        for _ in 0..<24 {
            let index = random.below(3)
            switch random.below(6) {
            case 0: states[index].merge(states[random.below(3)])
            case 1 where !deltas.isEmpty: states[index].merge(deltas[random.below(deltas.count)])
            default: deltas.append(S.perform(S.operation(&random), on: &states[index], by: names[index]))
            }
            if random.below(3) == 0 { versions.append(states[index]) }
        }
        return versions + states
    }

    private func check<S: Specimen>(_ subject: S.Type, _ seed: UInt64, changes: (S.State, S.State) -> [S.State.Change])
    {
        let versions = Self.versions(subject, seed)
        for one in versions {
            #expect(changes(one, one).isEmpty)
            for other in versions {
                let view = changes(one, other).reduce(S.view(one)) { S.follow($0, $1, S.view(other)) }
                #expect(view == S.view(other), "seed \(seed)")
            }
        }
    }

    private func checkAll(_ seeds: Range<UInt64>) {
        for seed in seeds {
            check(TextSpecimen.self, seed) { $0.changes(to: $1) }
            check(ListSpecimen.self, seed) { $0.changes(to: $1) }
            check(FormattingSpecimen<RichText>.self, seed) { $0.changes(to: $1) }
        }
    }

    @Test("changes turn any version into any other, also on two branches") func changesLead() { checkAll(0..<3) }

    @Test("so they do in many histories", .tags(.slow)) func changesLeadOften() { checkAll(3..<60) }

    @Test("what both show is not among the changes", arguments: 0..<20 as Range<UInt64>)
    func changesAreFew(seed: UInt64) {
        let versions = Self.versions(TextSpecimen.self, seed)
        for one in versions {
            for other in versions {
                // Each scalar that one shows and the other doesn't, once.
                let (mine, theirs) = (shown(one), shown(other))
                let gone = mine.filter { !theirs.contains($0) }.count
                let came = theirs.filter { !mine.contains($0) }.count
                var (removed, inserted, bytes) = (0, 0, Array(one.string.utf8))
                for change in one.changes(to: other) {
                    switch change {
                    case .removed(let range):
                        removed += String(decoding: bytes[range], as: UTF8.self).unicodeScalars.count
                        bytes.removeSubrange(range)
                    case .inserted(let part, let position):
                        inserted += part.unicodeScalars.count
                        bytes.insert(contentsOf: Array(part.utf8), at: position)
                    }
                }
                #expect(removed == gone && inserted == came && bytes == Array(other.string.utf8))
            }
        }
    }

    /// The events of the scalars that a text shows.
    private func shown(_ text: Text) -> Set<Dot> {
        var shown: Set<Dot> = []
        text.context.forEachRange { replica, counters in
            for counter in counters {
                let dot = Dot(replica: replica, counter: counter)
                if let width = text.width(of: dot), width > 0 { shown.insert(dot) }
            }
        }
        return shown
    }

    @Test("a history gives back each version, and takes at most twice the bytes of its deltas")
    func historiesKeepVersions() throws {
        var random = SplitMix64(seed: 4)
        var (mine, theirs) = (Text(), Text())
        var history = StateHistory<Text>()
        var (versions, deltaBytes) = ([mine], 0)
        for _ in 0..<400 {
            var delta = TextSpecimen.perform(TextSpecimen.operation(&random), on: &mine, by: Self.names[0])
            if random.below(4) == 0 {
                _ = TextSpecimen.perform(TextSpecimen.operation(&random), on: &theirs, by: Self.names[1])
                delta.merge(theirs)
                mine.merge(theirs)
            }
            let before = history.version
            guard history.append(delta) > before else { continue }
            #expect(history.append(delta) == before + 1)
            versions.append(mine)
            deltaBytes += delta.encoded().count
        }
        #expect(history.version == versions.count - 1 && history.latest == mine)
        #expect(history.byteCount <= 2 * deltaBytes && history.byteCount > deltaBytes)
        for (version, state) in versions.enumerated() where version % 7 == 0 {
            #expect(try history.state(at: version) == state)
        }
        try history.forget(before: 100)
        #expect(try history.state(at: 3) == versions[100] && history.state(at: 100) == versions[100])
        #expect(try history.state(at: 101) == versions[101] && history.state(at: 301) == versions[301])
        #expect(history.version == versions.count - 1)
    }
}

extension Text {
    /// How many bytes an element takes now; nil where it has no place.
    fileprivate func width(of dot: Dot) -> Int? {
        var encoder = CanonicalEncoder()
        encoder.encode(dot)
        func anchor(_ side: UInt8) -> SequenceAnchor? { try? SequenceAnchor(decoding: [side, 1] + encoder.bytes) }
        guard let before = anchor(1), let after = anchor(0), let start = position(of: before),
            let end = position(of: after)
        else { return nil }
        return end - start
    }
}
