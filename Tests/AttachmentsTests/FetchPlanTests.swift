import Attachments
import Convergence
import TestTiers
import Testing

struct FetchPlanTests {
    @Test(
        "whatever is cut, late, forgotten or forged, every chunk that an honest peer has comes, is asked of one peer at a time, and is stored once"
    )
    func hostile() {
        for seed in 0..<60 as Range<UInt64> {
            var scene = FetchScene(seed: seed, chunks: 90, peers: 7)
            let wanted = scene.sizes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            var generator = scene.generator
            scene.perform(scene.plan.want(Array(wanted.prefix(50)), at: 0, using: &generator))
            for step in 0..<4_000 {
                if step == 100 {
                    // What is here is not wanted.
                    let rest = wanted.filter { scene.stored[$0.0] == nil }
                    scene.perform(scene.plan.want(rest, at: scene.now, using: &generator))
                }
                let peer = Int(generator.next() % 7)
                switch generator.next() % 40 {
                case 0 where scene.joined.contains(peer) && step < 2_000: scene.cut(peer)
                case 1, 2: if !scene.joined.contains(peer) { scene.join(peer) }
                case 3...8: scene.store()
                case 9: scene.wait()
                default: scene.deliver()
                }
            }
            #expect(scene.faults.isEmpty, "seed \(seed): \(scene.faults.prefix(3))")
            let reachable = Set(
                scene.kinds.indices.filter { scene.kinds[$0] == .honest }.flatMap { scene.holdings[$0] })
            #expect(Set(scene.stored.keys) == reachable, "seed \(seed)")
            #expect(scene.stored.values.allSatisfy { $0 == 1 })
            #expect(scene.plan.missingCount == wanted.count - reachable.count)
        }
    }

    @Test("among honest peers whose links hold, every chunk crosses once")
    func once() {
        var scene = FetchScene(seed: 5, chunks: 300, peers: 0)
        scene = FetchScene(honest: 4, from: scene)
        var generator = SeededGenerator(seed: 6)
        for peer in 0..<4 { scene.join(peer) }
        let wanted = scene.sizes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        scene.perform(scene.plan.want(wanted, at: 0, using: &generator))
        for _ in 0..<5_000 {
            scene.deliver()
            scene.store()
        }
        #expect(scene.faults.isEmpty && scene.stored.count == 300 && scene.sentCount == 300)
    }

    @Test("thumbnails come before what cards show, and that before the rest")
    func order() {
        var scene = FetchScene(honest: 3, from: FetchScene(seed: 8, chunks: 90, peers: 0))
        var generator = SeededGenerator(seed: 9)
        let wanted = scene.sizes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        _ = scene.plan.want(wanted, at: 0, using: &generator)
        for peer in 0..<3 {
            scene.join(peer)
            scene.perform(scene.plan.held(wanted.map(\.0), by: peer, at: 0, using: &generator))
        }
        scene.lacks = []
        var asked: [PhotoManifest.Size] = []
        while let ask = scene.asks.first {
            asked.append(scene.sizes[ask.chunk]!)
            scene.asks.removeFirst()
            scene.perform(
                scene.plan.received(
                    ask.chunk, scene.contents[ask.chunk]!, from: ask.peer, at: 0, hash: hash, using: &generator))
            scene.store()
        }
        #expect(asked == [.thumbnail, .card, .sharp].flatMap { [PhotoManifest.Size](repeating: $0, count: 30) })
    }

    @Test("a chunk that becomes urgent is requested next from a peer that has it, and is named first to a new peer")
    func sooner() throws {
        var generator = SeededGenerator(seed: 3)
        var plan = FetchPlan<Int>()
        let contents = (0..<200).map { [UInt8($0)] }
        let chunks = contents.map(hash)
        _ = plan.want(chunks.map { ($0, .sharp) }, at: 0, using: &generator)
        _ = plan.joined(0, at: 0)
        guard case .send(.ask(let first), to: 0)? = plan.held(chunks, by: 0, at: 0, using: &generator).first else {
            return _ = Issue.record("nothing is asked for")
        }
        for (place, chunk) in chunks.enumerated() where place % 50 == 7 && chunk != first {
            _ = plan.want([(chunk, .thumbnail)], at: 1, using: &generator)
        }
        let looked = Set(chunks.enumerated().filter { $0.offset % 50 == 7 && $0.element != first }.map(\.element))
        guard case .send(.lack(let told), to: 1)? = plan.joined(1, at: 1).first else {
            return _ = Issue.record("nobody is told")
        }
        #expect(Set(told.prefix(looked.count)) == looked)
        var (open, came) = ([first], [BlobHash]())
        while came.count <= looked.count, let chunk = open.popLast() {
            came.append(chunk)
            let place = try #require(chunks.firstIndex(of: chunk))
            for effect in plan.received(chunk, contents[place], from: 0, at: 2, hash: hash, using: &generator) {
                if case .send(.ask(let next), to: 0) = effect { open.append(next) }
            }
            _ = plan.forget([chunk], at: 2, using: &generator)
        }
        #expect(Set(came.dropFirst()) == looked)
    }

    @Test("what a peer is too slow for is asked of another one, and taken if it comes after all")
    func slow() {
        var generator = SeededGenerator(seed: 1)
        var plan = FetchPlan<Int>()
        let chunk = hash([1])
        _ = plan.want([(chunk, .card)], at: 0, using: &generator)
        for peer in 0..<2 { _ = plan.joined(peer, at: 0) }
        #expect(asks(plan.held([chunk], by: 0, at: 0, using: &generator)) == [0])
        #expect(asks(plan.held([chunk], by: 1, at: 5, using: &generator)) == [])
        #expect(plan.deadline == ChunkExchangeLimits.askTime)
        #expect(asks(plan.woke(at: ChunkExchangeLimits.askTime - 1, using: &generator)) == [])
        #expect(asks(plan.woke(at: ChunkExchangeLimits.askTime, using: &generator)) == [1])
        let late = plan.received(chunk, [1], from: 0, at: 30_000, hash: hash, using: &generator)
        guard case .store(chunk, [1])? = late.first else {
            Issue.record("a late chunk is not taken")
            return
        }
        #expect(plan.received(chunk, [1], from: 1, at: 30_000, hash: hash, using: &generator).isEmpty)
        _ = plan.forget([chunk], at: 30_000, using: &generator)
        #expect(plan.missingCount == 0 && plan.deadline == nil)
    }

    @Test("a peer that had a chunk no more is asked for it once it says that it has it again, and not without end")
    func hasItAgain() {
        var generator = SeededGenerator(seed: 1)
        var plan = FetchPlan<Int>()
        let chunk = hash([1])
        _ = plan.want([(chunk, .card)], at: 0, using: &generator)
        _ = plan.joined(0, at: 0)
        var count = 0
        for _ in 0..<10 {
            count += asks(plan.held([chunk], by: 0, at: 0, using: &generator)).count
            _ = plan.received(chunk, [], from: 0, at: 0, hash: hash, using: &generator)
            plan.checkInvariants()
        }
        #expect(count == ChunkExchangeLimits.failuresMax)
    }

    @Test("where the disk takes nothing, nothing is asked for a while, and then again")
    func fullDisk() {
        var generator = SeededGenerator(seed: 1)
        var plan = FetchPlan<Int>()
        let chunk = hash([1])
        _ = plan.want([(chunk, .card)], at: 0, using: &generator)
        _ = plan.joined(0, at: 0)
        _ = plan.held([chunk], by: 0, at: 0, using: &generator)
        _ = plan.received(chunk, [1], from: 0, at: 0, hash: hash, using: &generator)
        plan.notStored(chunk, at: 10)
        #expect(plan.deadline == 10 + ChunkExchangeLimits.pauseTime)
        #expect(asks(plan.woke(at: 9 + ChunkExchangeLimits.pauseTime, using: &generator)) == [])
        #expect(asks(plan.woke(at: 10 + ChunkExchangeLimits.pauseTime, using: &generator)) == [0])
    }

    @Test("what somebody looks at is asked for while a disk without room is let rest")
    func pauseEnds() {
        var generator = SeededGenerator(seed: 1)
        var plan = FetchPlan<Int>()
        let (full, other, looked) = (hash([1]), hash([2]), hash([3]))
        _ = plan.want([(full, .sharp)], at: 0, using: &generator)
        _ = plan.joined(0, at: 0)
        _ = plan.held([full, other, looked], by: 0, at: 0, using: &generator)
        _ = plan.received(full, [1], from: 0, at: 0, hash: hash, using: &generator)
        plan.notStored(full, at: 10)
        #expect(asks(plan.want([(other, .sharp)], at: 20, using: &generator)) == [])
        _ = plan.want([(looked, .thumbnail)], at: 30, using: &generator)
        #expect(asks(plan.held([other, looked], by: 0, at: 30, using: &generator)) == [0])
        let came = plan.received(looked, [3], from: 0, at: 35, hash: hash, using: &generator)
        #expect(asks(came) == [], "the others wait on")
        plan.notStored(looked, at: 40)
        #expect(asks(plan.want([(looked, .thumbnail)], at: 50, using: &generator)) == [])
        #expect(asks(plan.woke(at: 40 + ChunkExchangeLimits.pauseTime, using: &generator)) == [0])
        plan.checkInvariants()
    }

    @Test("what frees a peer has it asked for something else at once")
    func freed() {
        var generator = SeededGenerator(seed: 1)
        var plan = FetchPlan<Int>()
        let chunks = (0..<3 as Range<UInt8>).map { hash([$0]) }
        _ = plan.want(chunks.map { ($0, .sharp) }, at: 0, using: &generator)
        _ = plan.joined(0, at: 0)
        guard case .send(.ask(let first), to: 0)? = plan.held(chunks, by: 0, at: 0, using: &generator).first else {
            return _ = Issue.record("nothing is asked for")
        }
        let effects = plan.forget([first], at: 1, using: &generator)
        guard case .send(.ask(let second), to: 0)? = effects.first else {
            return _ = Issue.record("a photo that was removed leaves the peer idle")
        }
        let place = chunks.firstIndex(of: second).map(UInt8.init) ?? 0
        #expect(
            asks(plan.came(second, [place], at: 2, using: &generator)) == [0],
            "a chunk that came another way leaves the peer idle")
        plan.checkInvariants()
    }

    @Test("a peer is asked for what it has, whatever else of it has come or is being stored")
    func drawing() {
        for seed in 0..<300 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var plan = FetchPlan<Int>()
            let contents = (0..<6 as Range<UInt8>).map { [$0] }
            let chunks = contents.map(hash)
            _ = plan.want(chunks.map { ($0, .sharp) }, at: 0, using: &generator)
            _ = plan.joined(0, at: 0)
            var effects = plan.held(chunks, by: 0, at: 0, using: &generator)
            var (came, storing) = ([BlobHash](), [BlobHash]())
            while let next = effects.compactMap({ if case .send(.ask(let chunk), _) = $0 { chunk } else { nil } }).first
            {
                came.append(next)
                let place = chunks.firstIndex(of: next)!
                effects = plan.received(next, contents[place], from: 0, at: 0, hash: hash, using: &generator)
                storing.append(next)
                if storing.count > 2 || generator.next() % 2 == 0 {
                    _ = plan.forget([storing.removeFirst()], at: 0, using: &generator)
                }
            }
            #expect(came.count == 6, "seed \(seed)")
        }
    }

    @Test("a plan wants, and knows, no more than its bounds say", .tags(.slow))
    func bounds() {
        var generator = SeededGenerator(seed: 1)
        var plan = FetchPlan<Int>()
        for peer in 0..<100 { _ = plan.joined(peer, at: 0) }
        let names = (0..<ChunkExchangeLimits.wantedMax + 10).map { number in
            BlobHash(bytes: (0..<32).map { UInt8(truncatingIfNeeded: number >> (8 * min($0, 3))) })!
        }
        let effects = plan.want(names.map { ($0, .card) }, at: 0, using: &generator)
        #expect(plan.missingCount == ChunkExchangeLimits.wantedMax)
        #expect(effects.count == ChunkExchangeLimits.peersMax)
        _ = plan.forget(names, at: 0, using: &generator)
        #expect(plan.missingCount == 0)
    }

    @Test("a long list of what is wanted is told bit by bit, the smallest pictures first, each name once")
    func names() {
        var generator = SeededGenerator(seed: 1)
        var plan = FetchPlan<Int>()
        let chunks = (0..<5_000).map { number in
            (hash([UInt8(number & 0xFF), UInt8(number >> 8)]), PhotoManifest.Size.allCases[number % 3])
        }
        _ = plan.want(chunks, at: 0, using: &generator)
        var told: [BlobHash] = []
        func hear(_ effects: [FetchPlan<Int>.Effect]) {
            for case .send(.lack(let names), 0) in effects {
                #expect(names.count <= ChunkExchangeLimits.namesAtOnce)
                told += names
            }
        }
        hear(plan.joined(0, at: 0))
        #expect(told.count == ChunkExchangeLimits.namesAtOnce)
        hear(plan.woke(at: 1, using: &generator))
        #expect(told.count == ChunkExchangeLimits.namesAtOnce, "not so soon")
        // What is wanted no more is not told, however much of it there is.
        let gone = Set(chunks.suffix(3_000).map(\.0)).subtracting(told)
        _ = plan.forget(Array(gone), at: 1, using: &generator)
        while let next = plan.deadline { hear(plan.woke(at: next, using: &generator)) }
        let sizes = Dictionary(uniqueKeysWithValues: chunks)
        let places = told.compactMap { sizes[$0].flatMap(PhotoManifest.Size.allCases.firstIndex) }
        #expect(places == places.sorted())
        #expect(Set(told) == Set(chunks.map(\.0)).subtracting(gone) && told.count == Set(told).count)
        let more = hash([7, 7, 7])
        hear(plan.want([(more, .sharp)], at: 100_000, using: &generator))
        #expect(told.last == more)
    }

    private func asks(_ effects: [FetchPlan<Int>.Effect]) -> [Int] {
        effects.compactMap { if case .send(.ask, let peer) = $0 { peer } else { nil } }
    }
}
