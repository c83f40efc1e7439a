extension BlockCatalogue {
    /// Traps where it contradicts itself. O(blocks).
    func checkInvariants(under limits: MailboxLimits) {
        precondition(states.count <= limits.blocksMax + limits.putsMax, "\(states.count) blocks are known")
        let bytes = waiting.reduce(0) { $0 + $1.letter.bytes }
        precondition(
            waitingBytes == bytes && bytes <= limits.waitingBytesMax,
            "\(waitingKeys.count) letters of \(bytes) bytes wait, and \(waitingBytes) are counted")
        var chunks = 0
        for case .read(let contents) in states.values { chunks += contents.chunks.count }
        let own = limits.putsMax * MailboxBlock.chunksMax
        precondition(
            chunkCount == chunks && chunks <= limits.chunkNamesMax + own,
            "\(chunks) chunks are named, and \(chunkCount) are counted")
        precondition(fetching.count <= limits.fetchesMax, "\(fetching.count) blocks are being fetched")
        precondition(
            news.allSatisfy { states[$0] != nil }, "of \(news.count) new blocks one is not among \(states.count) blocks"
        )
        checkKeys()
    }

    /// Each block is where blocks of its state are looked for.
    private func checkKeys() {
        let queued = Set(queue)
        for (key, state) in states {
            let isInPlace =
                switch state {
                case .unread: queued.contains(key)
                case .fetching: fetching.contains(key)
                case .waiting: waitingKeys.contains(key)
                case .read: readKeys.contains(key)
                case .useless, .closed, .forgotten, .unproven: true
                }
            precondition(
                isInPlace && damagedKeys.contains(key) == Self.isDamaged(state),
                "of \(states.count) blocks, one is not found by its state")
        }
        let counts = (
            fetching: states.values.count { if case .fetching = $0 { true } else { false } },
            waiting: states.values.count { if case .waiting = $0 { true } else { false } },
            read: states.values.count { if case .read = $0 { true } else { false } }
        )
        precondition(
            fetching.count == counts.fetching && waitingKeys.count == counts.waiting && readKeys.count == counts.read,
            """
            \(counts.fetching) blocks are being fetched, \(counts.waiting) wait and \(counts.read) are read; \
            \(fetching.count), \(waitingKeys.count) and \(readKeys.count) are looked for
            """)
    }
}
