import ChangeLog
import DeltaCRDT

// What lies in a mailbox enters by the same door as what a session brings: the desk opens a letter, the log judges its changes, and then
// the desk notes what it holds and says.
extension MailboxDesk {
    /// Opens a block that was asked for.
    mutating func take(_ bytes: [UInt8]?, _ key: BlockCatalogue.Key, in context: MailboxContext) -> MailboxNews {
        switch open(bytes, key, in: context) {
        case nil: .nothing
        case .chunks(let chunks, let have): take(chunks, boxedAt: have, key, in: context)
        case .notForThisDevice: noted(key, .closed)
        case .some(let content):
            if let letter = MailboxLetter(of: content) { judge(letter, key, in: context) } else { noted(key, .useless) }
        }
    }

    /// Judges the author of a letter.
    mutating func judge(
        _ letter: MailboxLetter, _ key: BlockCatalogue.Key, in context: MailboxContext
    ) -> MailboxNews {
        let (log, cryptography) = (context.log, context.cryptography)
        let author = log.device(letter.author)
        if let author {
            guard letter.isSigned(by: author, in: key.slot, using: cryptography) else { return noted(key, .useless) }
            guard counts(letter, in: context) else { return noted(key, .unproven(letter.author)) }
        }
        // A letter that waited was counted before.
        let isFirst = if case .waiting = catalogue.states[key] { false } else { true }
        if author == nil, log.device(context.own) != nil, isFirst,
            !probation.take(letter.records, under: context.limits)
        {
            passOver(key)
            return .reached(.unprovenChanges)
        }
        let changes = letter.records.map { try? SignedChange(record: $0, using: cryptography) }
        let ready = ready(changes, in: log.graph).map { letter.records[$0] }
        return .letter(OpenedLetter(letter: letter, key: key, author: author, changes: changes, ready: ready))
    }

    /// Whether a letter's author is in, or is this device, which may have left.
    private func counts(_ letter: MailboxLetter, in context: MailboxContext) -> Bool {
        context.log.isIn(letter.author) || letter.author == context.own
    }

    /// The records of a letter whose past is here, or before them in the letter. Others wait, and hold back none of these: of two
    /// letters, each may hold what the other stands on.
    private func ready(_ changes: [SignedChange?], in graph: ChangeGraph) -> [Int] {
        var there: Set<Bytes32> = []
        return changes.indices.filter { index in
            guard let signed = changes[index] else { return true }
            let isReady = signed.change.links.allSatisfy { there.contains($0) || graph.index(of: $0) != nil }
            if isReady { there.insert(signed.hash) }
            return isReady
        }
    }

    /// Notes what a letter holds whose changes the log took, as far as none was refused, and what it says of its author.
    mutating func accepted(
        _ opened: OpenedLetter, _ refusal: Refusal?, _ said: inout Correspondence, in context: MailboxContext
    ) -> MailboxNews {
        let (letter, key, log) = (opened.letter, opened.key, context.log)
        if refusal == nil || refusal == .missingPast, wait(for: opened, in: context) { return .nothing }
        guard counts(letter, in: context), let device = log.device(letter.author),
            letter.isSigned(by: device, in: key.slot, using: context.cryptography)
        else { return noted(key, .unproven(letter.author)) }
        let isOwn = letter.author == context.own
        var contents = BlockCatalogue.Contents(isOwn: isOwn, boxedAt: [], author: letter.author)
        if let told = letter.told {
            // The last change of the letter.
            contents.told = opened.changes.last?.map { BlockCatalogue.Telling(device: told, removal: $0.hash) }
            return noted(key, .read(contents))
        }
        contents.boxedAt = letter.isBoxed ? letter.have : nil
        (contents.time, contents.isRefused) = (letter.time, refusal != nil)
        for signed in opened.changes.compactMap(\.self) {
            guard let index = log.graph.index(of: signed.hash) else { continue }
            contents.indices.append(index)
            if !signed.isWhole { contents.bodiless.insert(index) }
        }
        let isNews = catalogue.note(key, .read(contents))
        let epoch = slots[key.slot]?.keys.id
        if isOwn {
            if let epoch { outbox.noteOwn(key, letter, to: epoch) }
            return said.noteOwn(letter) ? .wants(letter.wants) : .nothing
        }
        if !letter.damaged.isEmpty { doubts[letter.author] = letter.damaged }
        if isNews { outbox.heardSomebody(at: context.now, under: context.limits.mailbox) }
        return .heard(letter.author, under: epoch, said.note(letter, in: context))
    }

    /// Keeps a letter that holds changes whose past is not here.
    /// - Returns: whether there are such changes.
    private mutating func wait(for opened: OpenedLetter, in context: MailboxContext) -> Bool {
        let log = context.log
        var missing: [[Bytes32]] = []
        var lamport: UInt64?
        for signed in opened.changes.compactMap(\.self) where log.graph.index(of: signed.hash) == nil {
            let links = signed.change.links.filter { log.graph.index(of: $0) == nil }
            // What is not here although its past is was refused.
            guard !links.isEmpty else { continue }
            missing.append(links)
            lamport = lamport ?? signed.change.lamport
        }
        guard let lamport else { return false }
        let letter = opened.letter
        let waiting = WaitingLetter(
            letter: letter, bytes: letter.records.reduce(0) { $0 + $1.count },
            author: log.isIn(letter.author) ? letter.author : nil, missing: missing, lamport: lamport)
        catalogue.note(opened.key, .waiting(waiting))
        catalogue.makeRoom(at: context.now, under: context.limits.mailbox)
        return true
    }

    /// Those who are in and cannot read some blocks are believed, each of so many in an hour.
    mutating func doubt(within doubted: inout HourlyAllowance, at now: UInt64, under limits: MailboxLimits) {
        for author in doubts.keys.sorted() {
            guard let names = doubts[author] else { continue }
            let rest = doubted.rest(of: limits.doubtsPerHour, for: author, at: now)
            doubted.charge(catalogue.doubt(Array(names.prefix(rest)), at: now, under: limits), to: author)
            doubts[author] = names.count > rest ? Array(names.dropFirst(rest)) : nil
        }
    }
}
