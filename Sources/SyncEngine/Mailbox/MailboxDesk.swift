import ChangeLog
import DeltaCRDT

/// One mailbox of the trip, as a peer that only stores: its blocks, when to list it, and when to send letters to it. It does not
/// decide what a letter says, or what is believed of one.
struct MailboxDesk: Sendable {
    /// Where a slot stands.
    struct SlotPlace: Hashable, Sendable {
        let keys: MailboxKeys
        let week: Int64
    }

    let prefix: Bytes16
    /// When it was attached: nothing is put before what lies there is known, or for so long.
    private let begun: UInt64
    private(set) var slots: [MailboxSlot: SlotPlace] = [:]
    private var week: Int64 = 0
    private var epochs: [MailboxKeys] = []
    var catalogue = BlockCatalogue()
    var listing = ListingSchedule()
    var outbox = MailboxOutbox()
    var chunks = ChunkOutbox()
    /// Blocks that a device calls damaged, and that are not doubted yet: those of its latest letter.
    var doubts: [ReplicaID: [BlockName]] = [:]
    /// When it is looked at again, if nothing happens before that.
    var deadline: UInt64 = 0
    /// Of the devices that are not known to be in.
    var probation = Probation()

    init(_ prefix: Bytes16, at now: UInt64) { (self.prefix, begun) = (prefix, now) }

    /// The slots follow the week and the epochs whose secrets are here, the newest first.
    mutating func turn(
        to epochs: [MailboxKeys], week: Int64, under limits: MailboxLimits, using cryptography: some Cryptography
    ) {
        guard epochs != self.epochs || week != self.week else { return }
        (self.epochs, self.week) = (epochs, week)
        slots = [:]
        for keys in epochs {
            for past in (week - limits.weeksRead - limits.weeksDropped)...(week + 1) {
                slots[keys.slot(prefix, week: past, using: cryptography)] = SlotPlace(keys: keys, week: past)
            }
        }
        catalogue.keep(readSlots(under: limits))
        listing.restart()
    }

    /// Those whose blocks are read.
    func readSlots(under limits: MailboxLimits) -> Set<MailboxSlot> {
        Set(slots.filter { isRead($0.value, under: limits) }.keys)
    }

    /// Those of one epoch that are read.
    func readSlots(of epoch: Bytes16, under limits: MailboxLimits) -> Set<MailboxSlot> {
        Set(slots.filter { $0.value.keys.id == epoch && isRead($0.value, under: limits) }.keys)
    }

    /// Where a letter under an epoch is put now; nil where its secret is not here.
    func writeSlot(of epoch: Bytes16) -> MailboxSlot? {
        slots.first { $0.value.keys.id == epoch && $0.value.week == week }?.key
    }

    /// What is to be asked of the mailbox now.
    mutating func requests(
        at now: UInt64, under limits: MailboxLimits, using generator: inout some RandomNumberGenerator
    ) -> [MailboxRequest] {
        var requests: [MailboxRequest] = []
        let asked: [MailboxSlot]
        switch listing.due(at: now, under: limits, using: &generator) {
        case .nothing: asked = []
        case .present: asked = slots.filter { abs($0.value.week - week) <= 1 }.keys.sorted()
        case .whole: asked = slots.keys.sorted()
        }
        if !asked.isEmpty {
            listing.asked(asked, at: now, under: limits)
            requests.append(.list(asked))
        }
        return requests + catalogue.fetch(at: now, under: limits).map { .get($0.name, $0.slot) }
    }

    /// Takes in a listing.
    mutating func listed(
        _ slot: MailboxSlot, _ names: [BlockName]?, at now: UInt64, under limits: MailboxLimits,
        using generator: inout some RandomNumberGenerator
    ) -> (request: MailboxRequest?, overflowed: Bool) {
        guard let place = slots[slot], listing.answered(slot, well: names != nil, at: now, under: limits),
            let names
        else { return (nil, false) }
        guard isRead(place, under: limits) else {
            let old = names.sorted().prefix(limits.namesOfSlotMax)
            return (old.isEmpty ? nil : .drop(Array(old), slot), false)
        }
        let (_, overflowed) = catalogue.list(slot, names, at: now, under: limits, using: &generator)
        outbox.forgetTold { $0.slot == slot && catalogue.states[$0] == nil }
        return (nil, overflowed)
    }

    /// Whether what lies here is known as far as it can be, so that only what is lacking is put.
    func isKnown(at now: UInt64, under limits: MailboxLimits) -> Bool {
        now >= begun + limits.firstLook
            || readSlots(under: limits).isSubset(of: catalogue.listed) && catalogue.isRead(at: now)
    }

    func isRead(_ place: SlotPlace, under limits: MailboxLimits) -> Bool { place.week >= week - limits.weeksRead }

    func checkInvariants(under limits: MailboxLimits) {
        catalogue.checkInvariants(under: limits)
        outbox.checkInvariants(under: limits)
        chunks.checkInvariants()
    }
}
