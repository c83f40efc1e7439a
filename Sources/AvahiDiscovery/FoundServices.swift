import CAvahi
import LibC
import SyncEngine
import Synchronization

/// The services that are seen, by Avahi or by asking hosts, and what the consumer is told of them. Used by two threads: one may wait
/// for a daemon while the other goes on.
///
/// The lock is never held across a call that waits.
final class FoundServices: Sendable {
    fileprivate struct State: Sendable {
        var sightings = SightingTable()
        var queried = QueriedServices()
        var events: DiscoveryEventQueue
        /// Those whose addresses somebody asked for: what is heard of them later is said too.
        var asked = BoundedSet(limit: DiscoveryLimits.instances)
        /// How many more names of Avahi's are looked at: a flood must not fill the queue of events.
        var newcomers = Allowance(DiscoveryLimits.newcomers, perSecond: DiscoveryLimits.newcomersPerSecond)
        var isCrowded = false
        var crowdedUntil = ContinuousClock.now
        /// Until when Avahi is not believed alone.
        var disturbedUntil = ContinuousClock.now
        /// What was last said of Avahi.
        var availability: DiscoveryEvent?
        var advertisements: [Advertisement] = []
        var isStopping = false

        init(_ events: AsyncStream<DiscoveryEvent>.Continuation) { self.events = DiscoveryEventQueue(events) }
    }

    /// How long hosts are asked after something was amiss.
    private static let disturbance = Duration.seconds(30)

    /// Readable where something is amiss now, or is to be published.
    let wakeDescriptor: Int32
    private let state: Mutex<State>

    init(_ events: AsyncStream<DiscoveryEvent>.Continuation) {
        state = Mutex(State(events))
        wakeDescriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    }

    deinit {
        if wakeDescriptor >= 0 { close(wakeDescriptor) }
    }

    // MARK: - By Avahi

    func report(_ event: DiscoveryEvent) { state.withLock { $0.events.report(event) } }

    /// Says what became of Avahi, once.
    func report(availability event: DiscoveryEvent) {
        state.withLock { state in
            guard event != state.availability else { return }
            state.availability = event
            state.events.report(event)
            // The consumer forgets all instances when Avahi is gone, so they are reported again.
            for instance in state.sightings.instances { state.events.report(.appeared(instance: instance)) }
        }
        disturb()
    }

    func seen(_ instance: String, at place: SightingTable.Place) {
        let isAmiss = state.withLock { state in
            guard state.sightings.contains(instance) || state.newcomers.take(at: .now) else {
                state.crowd(for: Self.disturbance)
                return true
            }
            state.appeared(instance, at: place)
            if state.sightings.isFull { state.crowd(for: Self.disturbance) }
            return state.sightings.isFull
        }
        if isAmiss { disturb() }
    }

    func gone(_ instance: String, from place: SightingTable.Place) {
        let isLast = state.withLock { state in
            guard state.sightings.remove(instance, at: place) else { return false }
            state.events.report(.disappeared(instance: instance))
            return true
        }
        // Everybody on the link can say so of others.
        if isLast { disturb() }
    }

    /// Forgets what Avahi showed, for there is no client any more.
    func forgetAvahi() {
        state.withLock { state in
            for instance in state.sightings.removeAll(but: { $0.isQueried }) {
                state.events.report(.disappeared(instance: instance))
            }
        }
    }

    func hold(_ instance: String) { state.withLock { $0.sightings.hold(instance) } }

    func interfaces(of instance: String) -> [Int32] { state.withLock { $0.sightings.interfaces(of: instance) } }

    /// Says where an instance may be dialled, as far as hosts said it; whether any did.
    func ask(for instance: String) -> Bool {
        state.withLock { state in
            state.asked.insert(instance)
            guard state.queried.addresses(of: instance)?.isEmpty == false else { return false }
            state.tellPlaces(of: instance, besides: [])
            return true
        }
    }

    func resolved(_ instance: String, at addresses: [ServiceAddress]) {
        state.withLock { $0.tellPlaces(of: instance, besides: addresses) }
    }

    // MARK: - By asking hosts

    /// Notes what a host said; the instances of which nobody has said yet where they are.
    func heard(_ answer: ServiceAnswer, from source: String, on interface: Int32, of network: NetworkInterfaces)
        -> [String]
    {
        state.withLock { state in
            var incomplete: [String] = []
            for instance in answer.instances {
                let addresses = answer.places(of: instance, on: interface, of: network)
                switch state.queried.note(instance, from: source, on: interface, at: addresses, now: .now) {
                case .noRoom: continue
                case .added(let other):
                    if let other { state.remove(other.instance, queriedOn: other.interface) }
                    state.appeared(instance, at: .queried(on: interface))
                    // Its room is shared out by hosts already.
                    state.sightings.hold(instance)
                case .known(let hasNews):
                    if hasNews, state.asked.contains(instance) { state.tellPlaces(of: instance, besides: []) }
                }
                if state.queried.addresses(of: instance) == nil { incomplete.append(instance) }
            }
            return incomplete
        }
    }

    /// Forgets what hosts have not said again for a while, and says that a crowd is over.
    func expire() {
        state.withLock { state in
            for (instance, interface) in state.queried.expire(now: .now) {
                state.remove(instance, queriedOn: interface)
            }
            state.tellOfCrowd()
        }
    }

    /// When there is something to expire.
    var deadline: ContinuousClock.Instant? {
        state.withLock { state in
            [state.queried.deadline, state.isCrowded ? state.crowdedUntil : nil].compactMap(\.self).min()
        }
    }

    /// There is more said on the network than can be looked at.
    func crowd() {
        state.withLock { $0.crowd(for: Self.disturbance) }
        disturb()
    }

    // MARK: - What both go by

    /// Lets hosts be asked for a while: Avahi may be absent, busy, full of false names, or told that somebody is gone.
    func disturb() {
        let isNew = state.withLock { state in
            defer { state.disturbedUntil = .now + Self.disturbance }
            return state.disturbedUntil <= .now
        }
        if isNew { wake() }
    }

    var isDisturbed: Bool { state.withLock { $0.disturbedUntil > .now } }

    var advertisements: [Advertisement] { state.withLock { $0.advertisements } }

    func advertise(_ advertisements: [Advertisement]) { state.withLock { $0.advertisements = advertisements } }

    var isStopping: Bool { state.withLock { $0.isStopping } }

    func stop() {
        state.withLock { $0.isStopping = true }
        wake()
    }

    var hasLosses: Bool { state.withLock { $0.events.hasLosses } }

    /// Says what was lost, and everything again, once there is room.
    func reportLosses() {
        state.withLock { state in
            guard state.events.reportLosses() else { return }
            // What was said of Avahi may be among what was lost.
            if let availability = state.availability { state.events.report(availability) }
            if state.isCrowded { state.events.report(.crowded(true)) }
            for instance in state.sightings.instances { state.events.report(.appeared(instance: instance)) }
        }
    }

    private func wake() {
        var one: UInt64 = 1
        // Fails only where the counter is full, and then it is readable already.
        _ = write(wakeDescriptor, &one, MemoryLayout<UInt64>.size)
    }
}

extension FoundServices.State {
    fileprivate mutating func appeared(_ instance: String, at place: SightingTable.Place) {
        guard let change = sightings.add(instance, at: place) else { return }
        if case .appearedInPlace(let other) = change { events.report(.disappeared(instance: other)) }
        events.report(.appeared(instance: instance))
    }

    fileprivate mutating func remove(_ instance: String, queriedOn interface: Int32) {
        if sightings.remove(instance, at: .queried(on: interface)) { events.report(.disappeared(instance: instance)) }
    }

    fileprivate mutating func tellPlaces(of instance: String, besides others: [ServiceAddress]) {
        let all = Set(queried.addresses(of: instance) ?? []).union(others)
        events.report(.resolved(instance: instance, addresses: all.sorted()))
    }

    fileprivate mutating func crowd(for duration: Duration) {
        crowdedUntil = .now + duration
        tellOfCrowd()
    }

    fileprivate mutating func tellOfCrowd() {
        guard isCrowded != (crowdedUntil > .now) else { return }
        isCrowded.toggle()
        events.report(.crowded(isCrowded))
    }
}
