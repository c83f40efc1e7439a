import ChangeLog
import Mailbox
import SyncEngine
import TripService

// Mailboxes: where members who are apart leave sealed blocks for each other.
extension TripNode {
    /// How long a node that stops waits for what it still puts.
    private static let lastPutsTimeout = Duration.seconds(5)

    func answer(_ act: MailboxAct) async throws(ServiceError) -> TripAnswer {
        switch act {
        case .list: break
        case .add(let place): return .mailboxes(try await addMailbox(place))
        case .remove(let reference): try removeMailbox(reference)
        case .test: return .mailboxes(await testMailboxes())
        }
        return .mailboxes(mailboxViews)
    }

    var mailboxViews: [MailboxView] {
        own.mailboxes.enumerated().map { place, kept in
            let standing = standing(of: kept)
            return MailboxView(
                number: place + 1, address: kept.shown, code: kept.code, problem: standing.problem?.message,
                lastReached: standing.lastReached, isInUse: connectivity.network != nil,
                hasNoRoomForPhotos: kept.prefix.map { node.hasNoRoomForPhotos($0) } ?? false)
        }
    }

    private func standing(of kept: KeptMailbox) -> MailboxCourier.Standing {
        guard let network = connectivity.network else { return MailboxCourier.Standing() }
        if let courier = kept.prefix.flatMap({ network.couriers[$0] }) { return courier.standing }
        // It couldn't be opened when the node started: a library is missing, or a file of certificates.
        do throws(MailboxError) {
            try kept.port().end()
            return MailboxCourier.Standing()
        } catch {
            return MailboxCourier.Standing(readProblem: error)
        }
    }

    /// - Returns: all mailboxes. The last one is the new one, with what its test found.
    private func addMailbox(_ place: MailboxPlace) async throws(ServiceError) -> [MailboxView] {
        try requireMember(to: "add a mailbox")
        var kept = try KeptMailbox(place, using: &entropy)
        if let same = await Self.mailbox(among: own.mailboxes, inFolderOf: kept) {
            kept = KeptMailbox(same, codeOf: place.code == nil ? same : kept)
        }
        let old = own.mailbox(at: kept, hasCode: place.code != nil)
        if let old { kept = KeptMailbox(kept, codeOf: old) }
        try own.requireNew(kept, inPlaceOf: old)
        let trial: MailboxTrial
        switch await Self.tried(kept) {
        case .success(let found): trial = found
        case .failure(let error): throw ServiceError(error.message)
        }
        try own.add(kept, inPlaceOf: old)
        if let old {
            rememberBlocks()
            detach(old)
            recallBlocks(of: kept)
        }
        attach(kept)
        var views = mailboxViews
        if let last = views.indices.last { views[last].trial = MailboxView.Trial(trial) }
        return views
    }

    /// The mailbox that is the same folder, by whatever path.
    private static func mailbox(among all: [KeptMailbox], inFolderOf kept: KeptMailbox) async -> KeptMailbox? {
        await onAnotherThread { all.first { $0.isSameFolder(as: kept) } }
    }

    private func removeMailbox(_ reference: String) throws(ServiceError) { detach(try own.removeMailbox(reference)) }

    private func detach(_ mailbox: KeptMailbox) {
        guard let prefix = mailbox.prefix else { return }
        var courier: MailboxCourier?
        updateNetwork { courier = $0.couriers.removeValue(forKey: prefix) }
        courier?.end()
        if connectivity.network != nil { tell(.mailbox(.detached(prefix))) }
    }

    private func testMailboxes() async -> [MailboxView] {
        let tried = own.mailboxes
        var outcomes: [Result<MailboxTrial, MailboxError>] = []
        for kept in tried { outcomes.append(await Self.tried(kept, asStranger: true)) }
        return zip(tried, outcomes).enumerated().map { place, pair in
            let (kept, outcome) = pair
            var (problem, trial, clutter): (String?, MailboxView.Trial?, MailboxView.Clutter?) = (nil, nil, nil)
            switch outcome {
            case .success(let times):
                (problem, trial) = (MailboxClock.problem(ahead: times.clockAhead), MailboxView.Trial(times))
                clutter = times.clutter.map { MailboxView.Clutter(count: $0.count, example: $0.example) }
                // What waits is put at once: a full mailbox isn't asked again for minutes.
                if standing(of: kept).problem?.code == .full { attachAgain(kept) }
            case .failure(let error): problem = error.message
            }
            return MailboxView(
                number: place + 1, address: kept.shown, code: kept.code, problem: problem,
                lastReached: standing(of: kept).lastReached, trial: trial, clutter: clutter)
        }
    }

    /// Reaches a mailbox by a way of its own: by a new connection, and after no pause.
    /// - Parameter asStranger: whether to find out if somebody without the password can list it.
    static func tried(_ kept: KeptMailbox, asStranger: Bool = false) async -> Result<MailboxTrial, MailboxError> {
        await onAnotherThread {
            do throws(MailboxError) {
                guard let prefix = kept.prefix else { throw MailboxError(.refused, "its code can't be read") }
                let port = try kept.port()
                let stranger = asStranger ? kept.strangersPort() : nil
                defer {
                    port.end()
                    stranger?.end()
                }
                var generator = SystemRandomNumberGenerator()
                return .success(try MailboxTrial.run(port, prefix: prefix, stranger: stranger, using: &generator))
            } catch {
                return .failure(error)
            }
        }
    }

    // MARK: - While the node runs

    /// Tells the node of its mailboxes.
    func attachMailboxes() { own.mailboxes.forEach(attach) }

    private func attach(_ kept: KeptMailbox) {
        guard connectivity.network != nil, let prefix = kept.prefix else { return }
        let port: any MailboxPort
        do { port = try kept.port() } catch { return tellWatchers(.problem(error.message)) }
        let inbox = inbox
        let courier = MailboxCourier(prefix: prefix, port: port) { answer in
            // Hints come when they like; the rest was asked for.
            if case .changed = answer {
                inbox.offer(.event(.mailbox(answer)))
            } else {
                inbox.deliver(.event(.mailbox(answer)))
            }
        } standingChanged: { [weak self] in
            Task { await self?.mailboxStandingChanged(prefix) }
        }
        updateNetwork { $0.couriers[prefix] = courier }
        tell(.mailbox(.attached(prefix)))
        courier.watch()
    }

    private func attachAgain(_ kept: KeptMailbox) {
        guard let prefix = kept.prefix, let courier = connectivity.network?.couriers[prefix] else { return }
        courier.hasRoomAgain()
        rememberBlocks()
        tell(.mailbox(.detached(prefix)))
        recallBlocks(of: kept)
        tell(.mailbox(.attached(prefix)))
    }

    /// Tells a node that was made again of its mailboxes.
    func attachMailboxesAgain() {
        for prefix in own.mailboxes.compactMap(\.prefix) where connectivity.network?.couriers[prefix] != nil {
            tell(.mailbox(.attached(prefix)))
        }
    }

    func ask(_ request: MailboxRequest) {
        let prefix: Bytes16? =
            switch request {
            case .list(let slots): slots.first?.prefix
            case .get(_, let slot), .put(_, let slot, _), .drop(_, let slot): slot.prefix
            }
        guard let prefix else { return }
        connectivity.network?.couriers[prefix]?.perform(request)
    }

    private func mailboxStandingChanged(_ prefix: Bytes16) {
        guard let problem = connectivity.network?.couriers[prefix]?.standing.problem else { return }
        tellWatchers(.problem(problem.message))
    }

    /// Lets what is being put come to its end, and closes the mailboxes.
    func closeMailboxes() async {
        let couriers = connectivity.network.map { Array($0.couriers.values) } ?? []
        let deadline = ContinuousClock.now + Self.lastPutsTimeout
        for courier in couriers { await courier.finishPuts(until: deadline) }
        for courier in couriers { courier.end() }
    }
}

extension MailboxView.Trial {
    init(_ trial: MailboxTrial) {
        func milliseconds(_ duration: Duration) -> Int64 { Int64(duration / .milliseconds(1)) }
        self.init(
            list: milliseconds(trial.list), put: milliseconds(trial.put), get: milliseconds(trial.get),
            wasEmpty: trial.wasEmpty, isOpen: trial.isOpen ?? false, freeBytes: trial.freeBytes)
    }
}
