import CAvahi
import LibC
import SyncEngine

/// Asks all hosts of a link which services of our type they have, and answers those that ask, with no daemon between: by one-shot
/// queries (RFC 6762, section 5.1). So neither a full cache of avahi-daemon, nor a busy or absent one, keeps anybody from being found.
///
/// It asks after a start, where the network changed, and for a while after something was amiss; it answers always. The port that
/// asks is another one each time, so that two rounds have nothing in common. All of it lives on one thread.
final class DirectDiscovery {
    private static let interfacesMax = 4
    private static let datagramBytes = 9_000
    /// Datagrams read of a socket at once: a flood of one must not hold up the others.
    private static let datagramsMax = 128
    /// Instances that are asked for by name in a round: some hosts name them and say no more.
    private static let followUpsMax = 32
    /// Answers that are sent: at once, and a second.
    private static let answersMax = 256
    private static let answersPerSecond = 64
    private static let trafficMax = 400_000
    private static let trafficPerSecond = 40_000
    /// How long others keep an answer to a one-shot query (RFC 6762, section 6.7).
    private static let answerSeconds: UInt32 = 10
    /// After a start, or where the network changed, most are found by Avahi before that.
    private static let firstDelay = Duration.seconds(1)
    private static let pauseMillisecondsMax: UInt64 = 5_000
    private static let networkCalm = Duration.milliseconds(200)
    private static let roundMost = Duration.seconds(60)
    private static let roundWithout = Duration.seconds(1)

    private let found: FoundServices
    /// Those that are used; all where nil.
    private let interfaces: Set<String>?
    private let networkWatch = caravan_network_watch_open()
    private var network = NetworkInterfaces.current()
    private var asking: [MulticastSocket] = []
    private var listening: [MulticastSocket] = []
    private var number: UInt16 = 0
    private var followUps: Set<String> = []
    private var answers = Allowance(answersMax, perSecond: answersPerSecond)
    /// What all of a link say by mDNS, in bytes: more than that is a flood, of which a busy daemon does not tell.
    private var traffic = Allowance(trafficMax, perSecond: trafficPerSecond)
    private var nextQuery: ContinuousClock.Instant? = .now + firstDelay
    private var pause = Backoff(first: 1_000)
    private var networkCheck: ContinuousClock.Instant? = .now
    private var buffer = [UInt8](repeating: 0, count: datagramBytes)

    /// Begins the thread, which ends with `FoundServices.stop`. Where there is none, Avahi is alone.
    static func start(_ found: FoundServices, on interfaces: Set<String>?) {
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(DirectDiscovery(found, on: interfaces))
        guard pthread_create(&thread, nil, directDiscoveryMain, argument.toOpaque()) == 0 else {
            return argument.release()
        }
        pthread_detach(thread)
    }

    private init(_ found: FoundServices, on interfaces: Set<String>?) {
        self.found = found
        self.interfaces = interfaces
    }

    deinit {
        if networkWatch >= 0 { close(networkWatch) }
    }

    fileprivate func run() {
        while !found.isStopping {
            watchNetwork()
            query()
            found.expire()
            for socket in asking { hear(socket) }
            for socket in listening { answer(socket) }
            wait()
        }
    }

    private func wait() {
        let descriptors = [found.wakeDescriptor, networkWatch] + (asking + listening).map(\.descriptor)
        var interests = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let latest =
            ContinuousClock.now + (found.wakeDescriptor < 0 || networkWatch < 0 ? Self.roundWithout : Self.roundMost)
        let deadlines = [nextQuery, networkCheck, found.deadline].compactMap(\.self)
        let left = (deadlines.min().map { min($0, latest) } ?? latest) - .now
        poll(&interests, nfds_t(interests.count), Int32(clamping: max(0, Int64(left / .milliseconds(1))) + 1))
        var count: UInt64 = 0
        _ = read(found.wakeDescriptor, &count, MemoryLayout<UInt64>.size)
        guard found.isDisturbed, nextQuery == nil else { return }
        pause.reset()
        nextQuery = .now + Self.firstDelay
    }

    private func watchNetwork() {
        for _ in 0..<64 where networkWatch >= 0 {
            guard recv(networkWatch, &buffer, buffer.count, 0) > 0 || errno == ENOBUFS else { break }
            networkCheck = networkCheck ?? .now + Self.networkCalm
        }
        guard let check = networkCheck, check <= .now else { return }
        networkCheck = nil
        network = NetworkInterfaces.current()
        listening = sockets(listens: true)
        asking = []
        pause.reset()
        nextQuery = .now + Self.firstDelay
    }

    /// One of each family on each interface where there are others.
    private func sockets(listens: Bool) -> [MulticastSocket] {
        let links = network.links(among: interfaces)
        return links.prefix(Self.interfacesMax).flatMap { link in
            [false, true].compactMap { isIPv6 in
                guard link.addresses.contains(where: { $0.contains(":") == isIPv6 }) else { return nil }
                return MulticastSocket(on: link.index, isIPv6: isIPv6, listens: listens)
            }
        }
    }

    // MARK: - Asking

    private func query() {
        guard let time = nextQuery, time <= .now else { return }
        nextQuery = found.isDisturbed ? .now + .milliseconds(pause.next(upTo: Self.pauseMillisecondsMax)) : nil
        asking = sockets(listens: false)
        number = .random(in: 1 ... .max)
        followUps = []
        ask(for: "\(Avahi.serviceType).\(Avahi.domain)", DNS.pointer)
    }

    private func ask(for name: String, _ type: UInt16) {
        let question = DNS.header(number, isAnswer: false, questions: 1, answers: 0) + DNS.question(name, type)
        for socket in asking { socket.sendToGroup(question) }
    }

    private func hear(_ socket: MulticastSocket) {
        for _ in 0..<Self.datagramsMax {
            guard let (count, source) = socket.receive(into: &buffer) else { return }
            guard let answer = ServiceAnswer(Array(buffer[..<count]), to: number) else { continue }
            for instance in found.heard(answer, from: source.host, on: socket.interface, of: network) {
                follow(instance)
            }
        }
    }

    /// Asks for all that there is to know of an instance, once a round.
    private func follow(_ instance: String) {
        // No name of ours has a dot.
        guard followUps.count < Self.followUpsMax, !instance.contains("."), followUps.insert(instance).inserted else {
            return
        }
        ask(for: "\(instance).\(Avahi.serviceType).\(Avahi.domain)", DNS.any)
    }

    // MARK: - Answering

    private func answer(_ socket: MulticastSocket) {
        for _ in 0..<Self.datagramsMax {
            guard let (count, source) = socket.receive(into: &buffer) else { return }
            if !traffic.take(count, at: .now) { found.crowd() }
            // Those that ask from the port of mDNS hear avahi-daemon.
            guard source.port != MulticastSocket.mdnsPort, let question = ServiceQuestion(Array(buffer[..<count]))
            else { continue }
            let wanted = found.advertisements.filter { question.isAbout($0.instance) }
            guard !wanted.isEmpty,
                let sender = MulticastSocket(on: socket.interface, isIPv6: source.isIPv6, listens: false)
            else {
                continue
            }
            for advertisement in wanted where answers.take(at: .now) {
                let records = ServiceRecord.all(of: advertisement, at: network.hostAddresses).filter {
                    $0.interface == Avahi.anyInterface || $0.interface == socket.interface
                }
                let answers = records.map { $0.written(seconds: min($0.seconds, Self.answerSeconds)) }
                let header = DNS.header(question.number, isAnswer: true, questions: 1, answers: records.count)
                sender.send(header + DNS.question(question.name, question.type) + answers.joined(), to: source)
            }
        }
    }
}

private func directDiscoveryMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    // Signals are for the threads that know what to do about them.
    var signals = sigset_t()
    sigfillset(&signals)
    pthread_sigmask(SIG_SETMASK, &signals, nil)
    Unmanaged<DirectDiscovery>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}
