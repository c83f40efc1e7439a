import Attachments
import ChangeLog
import Convergence
import DeltaCRDT
import TripSimulation

@testable import SyncEngine

/// Nodes in different homes, which meet nowhere but in a mailbox. Each runs when it is told to.
struct Homes {
    private struct Happening {
        let home: Int
        let run: Int
        let event: Event
    }

    let trip: FoundedTrip
    private(set) var nodes: [SyncNode]
    private(set) var isUp: [Bool]
    private var run: [Int]
    private(set) var people: [DeviceSecrets]
    private var invitations: [Invitation?]
    /// The secrets of epochs that each was told.
    private var told: [[Bytes32]]
    private var wakes: [UInt64?]
    var box: SimulatedMailbox
    private(set) var requests: [(home: Int, time: UInt64, request: MailboxRequest)] = []
    private(set) var notices: [(home: Int, notice: Notice)] = []
    /// The chunks of photos on each home's disk, what each wants, and the previews that each knows of.
    private(set) var disks: [Int: [BlobHash: [UInt8]]] = [:]
    private var wanted: [Int: [(BlobHash, PhotoManifest.Size)]] = [:]
    private var previews: [Int: [ChunkPreview]] = [:]
    /// Whether homes remember over a start which blocks they read.
    var remembersBlocks = true
    /// What comes of requests arrives after so many milliseconds.
    var latency: UInt64 = 20
    /// A write takes so many milliseconds.
    var writeLatency: UInt64 = 1
    private(set) var time: UInt64 = 1_000
    static let start: Int64 = 1_700_000_000_000
    private var queue = EventQueue<Happening>()
    var generator: SeededGenerator
    private let limits: SessionLimits
    private var turns = 0

    init(
        _ count: Int, seed: UInt64 = 1, bringers: [Int] = [],
        _ cryptography: any SessionCryptography = FastCryptography(),
        _ change: (inout SessionLimits) -> Void = { _ in }
    ) throws {
        var generator = SeededGenerator(seed: seed)
        var limits = SessionLimits()
        change(&limits)
        trip = try FoundedTrip(
            of: count, broughtBy: { bringers.isEmpty ? 0 : bringers[$0 - 1] }, using: &generator, cryptography)
        nodes = []
        for home in 0..<count { nodes.append(trip.node(home, limits: limits)) }
        isUp = Array(repeating: false, count: count)
        run = Array(repeating: 0, count: count)
        wakes = Array(repeating: nil, count: count)
        people = trip.people
        invitations = Array(repeating: nil, count: count)
        told = Array(repeating: [], count: count)
        told[0] = [trip.epoch.secret]
        let prefix = Bytes16(high: generator.next(), low: generator.next())
        box = SimulatedMailbox(prefix, using: &generator, cryptography)
        self.generator = generator
        self.limits = limits
    }

    /// A home that is down was told the secret of an epoch.
    mutating func told(_ secret: Bytes32, _ home: Int) { told[home].append(secret) }

    /// Adds a home with nothing but an invitation.
    mutating func add(_ secrets: DeviceSecrets, _ invitation: Invitation) -> Int {
        people.append(secrets)
        invitations.append(invitation)
        told.append([])
        isUp.append(false)
        run.append(0)
        wakes.append(nil)
        nodes.append(
            SyncNode(
                log: TripLog(trip: invitation.link.trip, cryptography: trip.cryptography), secrets: secrets,
                epochSecrets: [], joining: invitation, cryptography: trip.cryptography, limits: limits))
        return nodes.count - 1
    }

    var wall: Int64 { Self.start + Int64(time) }

    func replica(_ home: Int) -> ReplicaID { nodes[home].secrets.device.replica }

    /// Starts a home from what its disk holds.
    mutating func up(_ home: Int) {
        guard !isUp[home] else { return }
        isUp[home] = true
        run[home] += 1
        let records = nodes[home].peerRecords
        // Through bytes, as on a disk.
        let blocks = remembersBlocks ? try? ReadBlocks(decoding: nodes[home].readBlocks.encoding) : nil
        nodes[home] = SyncNode(
            log: nodes[home].log, secrets: people[home], epochSecrets: told[home], joining: invitations[home],
            cryptography: trip.cryptography, limits: limits)
        nodes[home].restore(records)
        if let blocks { nodes[home].restore(blocks) }
        wakes[home] = nil
        tell(home, .listening(port: 4_000))
        tell(home, .mailbox(.attached(box.prefix)))
        tellOfPhotos(home)
    }

    /// Power fails: of what was not durable nothing is left.
    mutating func crash(_ home: Int) throws {
        let durable = nodes[home].log.graph.changes.prefix(nodes[home].replication.durableCount)
        var log = TripLog(trip: trip.log.trip, cryptography: trip.cryptography)
        try log.restore(durable.map(\.record))
        let blocks = nodes[home].readBlocks
        nodes[home] = SyncNode(
            log: log, secrets: people[home], epochSecrets: told[home], cryptography: trip.cryptography, limits: limits)
        nodes[home].restore(blocks)
        isUp[home] = false
    }

    mutating func down(_ home: Int) {
        tell(home, .stop)
        while let next = queue.nextTime, next <= time + latency, let (time, what) = queue.next() {
            self.time = max(self.time, time)
            if what.run == run[what.home] { tell(what.home, what.event) }
        }
        isUp[home] = false
    }

    /// Brings a home's log back as it was when the trip began, but not what it remembers of blocks.
    mutating func forgetEverything(_ home: Int) {
        run[home] += 1
        isUp[home] = false
        let blocks = nodes[home].readBlocks
        nodes[home] = trip.node(home, limits: limits)
        nodes[home].restore(blocks)
        up(home)
    }

    mutating func write(_ text: String, on home: Int) {
        tell(home, .write(content: Array(text.utf8), ticket: 0))
    }

    /// Detaches the mailbox from a home, and attaches it again.
    /// - Parameter recalls: whether the node is told what it had read.
    mutating func attachAgain(_ home: Int, recalls: Bool = true) {
        let read = nodes[home].readBlocks
        tell(home, .mailbox(.detached(box.prefix)))
        if recalls { nodes[home].restore(read) }
        tell(home, .mailbox(.attached(box.prefix)))
    }

    mutating func tell(_ home: Int, _ event: Event) {
        guard isUp[home] else { return }
        let effects = nodes[home].handleWhole(
            event, at: Now(monotonic: time, wall: wall), using: &generator)
        // A node with more than a few blocks does not check them after each event.
        turns += 1
        if turns % 16 == 0 { nodes[home].checkInvariants() }
        for effect in effects {
            switch effect {
            case .persist(let token, _): later(home, .persisted(token: token), after: writeLatency)
            case .mailbox(let request):
                requests.append((home, time, request))
                var delay = latency
                for answer in box.answers(to: request, using: &generator) {
                    later(home, .mailbox(answer), after: delay)
                    delay += 1
                }
                guard case .put = request else { continue }
                for other in nodes.indices where other != home && isUp[other] {
                    later(other, .mailbox(.changed(box.prefix)), after: latency)
                }
            case .storeEpoch(let secret): told[home].append(secret)
            case .storeChunk(let chunk, let bytes):
                disks[home, default: [:]][chunk] = bytes
                later(home, .chunks(.stored(chunk)), after: 1)
            case .loadChunk(let chunk, let reader):
                later(home, .chunks(.loaded(chunk, disks[home]?[chunk], for: reader)), after: 1)
            case .wake(let at): wakes[home] = at
            case .notice(let notice): notices.append((home, notice))
            default: break
            }
        }
    }

    private mutating func later(_ home: Int, _ event: Event, after delay: UInt64) {
        queue.add(Happening(home: home, run: run[home], event: event), at: time + delay)
    }

    /// Lets time pass.
    mutating func pass(_ duration: UInt64, until isDone: (Homes) -> Bool = { _ in false }) {
        let end = time + duration
        while !isDone(self) {
            let woken = nodes.indices.filter { isUp[$0] }.min { wakes[$0] ?? .max < wakes[$1] ?? .max }
            let wake = woken.flatMap { wakes[$0] } ?? .max
            let next = min(wake, queue.nextTime ?? .max)
            guard next <= end else {
                time = end
                return
            }
            time = max(time, next)
            if let event = queue.nextTime, event <= wake, let (_, what) = queue.next() {
                if what.run == run[what.home] { tell(what.home, what.event) }
            } else if let woken {
                wakes[woken] = nil
                tell(woken, .woke)
            }
        }
    }

    /// Whether a home holds all that another one holds.
    func has(_ home: Int, allOf other: Int) -> Bool {
        nodes[other].log.graph.changes.indices.allSatisfy { index in
            !nodes[other].log.isRetained(index)
                || nodes[home].log.graph.index(of: nodes[other].log.graph[index].hash) != nil
        }
    }

    /// How many blocks a home has fetched.
    func gets(of home: Int) -> Int {
        requests.count { if case .get = $0.request { $0.home == home } else { false } }
    }

    /// The puts of a home, with the time of each.
    func puts(of home: Int) -> [(time: UInt64, bytes: [UInt8])] {
        requests.compactMap { one in
            guard one.home == home, case .put(_, _, let bytes) = one.request else { return nil }
            return (one.time, bytes)
        }
    }
}

// Photos, each a preview of a chunk and a picture of some.
extension Homes {
    struct Photo {
        let change: Bytes32
        let preview: BlobHash
        let picture: [BlobHash]

        var chunks: [BlobHash] { [preview] + picture }
    }

    private func chunk(_ number: Int, size: Int) -> (BlobHash, [UInt8]) {
        let bytes = [UInt8(number & 0xFF), UInt8(number >> 8)] + [UInt8](repeating: 7, count: size - 2)
        return (BlobHash(trip.cryptography.hash(bytes)), bytes)
    }

    /// A home attaches a photo.
    mutating func photograph(_ number: Int, on home: Int, chunks: Int = 3) -> Photo {
        let preview = chunk(100 * number, size: 10_000)
        let picture = (1...chunks).map { chunk(100 * number + $0, size: Blob.chunkSize) }
        for (name, bytes) in [preview] + picture { disks[home, default: [:]][name] = bytes }
        write("photo \(number)", on: home)
        let change = nodes[home].log.graph.changes[nodes[home].log.count - 1].hash
        let photo = Photo(change: change, preview: preview.0, picture: picture.map(\.0))
        know(photo, on: home)
        return photo
    }

    /// What a shell does that shows a photo: it says what of it is here, and what is wanted.
    mutating func know(_ photo: Photo, on home: Int) {
        previews[home, default: []].append(ChunkPreview(chunk: photo.preview, change: photo.change))
        wanted[home, default: []] += [(photo.preview, .thumbnail)] + photo.picture.map { ($0, .sharp) }
        tellOfPhotos(home)
    }

    /// Somebody looks at a picture that is not here.
    mutating func open(_ photo: Photo, on home: Int) {
        tell(home, .chunks(.wanted(photo.picture.map { ($0, .thumbnail) })))
    }

    mutating func loseChunks(_ home: Int) { disks[home] = nil }

    private mutating func tellOfPhotos(_ home: Int) {
        guard let all = wanted[home] else { return }
        tell(home, .chunks(.here(all.map(\.0).filter { disks[home]?[$0] != nil })))
        tell(home, .chunks(.wanted(all.filter { disks[home]?[$0.0] == nil })))
        tell(home, .chunks(.previews(previews[home] ?? [])))
    }

    func has(_ home: Int, _ chunks: [BlobHash]) -> Bool { chunks.allSatisfy { disks[home]?[$0] != nil } }

    /// Lays a block with chunks into the box, as anybody can who holds the first epoch's secret.
    mutating func put(chunks: [[UInt8]], in slot: MailboxSlot) {
        let keys = MailboxKeys(of: trip.epoch, using: trip.cryptography)
        guard
            let block = MailboxBlock.seal(
                chunks: chunks, in: slot, under: keys, using: &generator, trip.cryptography)
        else { return }
        box.lay(block, in: slot)
    }

    /// The chunks of all blocks that were ever put, by name; one that was put twice is there twice.
    var chunksPut: [BlobHash] {
        let keys = MailboxKeys(of: trip.epoch, using: trip.cryptography)
        return box.history.flatMap { block -> [BlobHash] in
            let content = MailboxBlock.open(
                block.bytes, in: block.slot, under: keys, by: trip.people[0], using: trip.cryptography)
            guard case .chunks(let chunks, _) = content else { return [] }
            return chunks.map { BlobHash(trip.cryptography.hash($0)) }
        }
    }
}

extension Homes {
    /// Lays a letter into the box, sealed by somebody who holds the first epoch's secret.
    mutating func put(_ letter: [UInt8], in slot: MailboxSlot) {
        let keys = MailboxKeys(of: trip.epoch, using: trip.cryptography)
        guard
            let block = MailboxBlock.seal(letter, in: slot, under: keys, using: &generator, trip.cryptography)
        else { return }
        _ = box.answers(
            to: .put(BlockName(trip.cryptography.hash(block)), slot, block), using: &generator)
    }
}

extension Homes {
    /// Lets a home open an invite.
    mutating func invite(uses: Int = 1, participant: Bytes32? = nil, on home: Int) -> InviteLink {
        let invite = OpenInvite(
            by: people[home], uses: uses, participant: participant, using: &generator, trip.cryptography)
        tell(home, .write(invite.statement, ticket: 0))
        return InviteLink(
            trip: trip.log.trip, secret: invite.secret, hints: [], participant: participant,
            mailboxes: [InviteLink.Mailbox(prefix: box.prefix, address: nil)])
    }

    /// Somebody who was given a link; they have never met anybody.
    mutating func addJoiner(by link: InviteLink, _ name: String = "Mia") -> Int {
        let secrets =
            link.participant.map { DeviceSecrets.random(of: $0, using: &generator, trip.cryptography) }
            ?? DeviceSecrets.random(
                .invited(link.inviteID(using: trip.cryptography)), using: &generator, trip.cryptography)
        return add(secrets, Invitation(link: link, name: name))
    }
}
