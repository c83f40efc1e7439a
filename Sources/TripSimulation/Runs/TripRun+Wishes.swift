import ChangeLog
import Convergence
import DeltaCRDT
import SyncEngine
import TripModel

// What people note for themselves: an operation that their own devices alone can read.
extension TripRun {
    /// As many wishes as people have: few, so that one is wished for on two machines at once.
    private static var wishCount: UInt64 { 8 }

    /// Somebody wishes for something, or does no more; false where there is nothing of the kind.
    mutating func wish(on id: World.NodeID, draw: UInt64) -> Bool {
        var generator = SeededGenerator(seed: SplitMix64.mixed(draw ^ 0x7769))
        var list = people[id].wishes
        let title = "Wish \(generator.below(Self.wishCount))"
        let wish = Wish(title: title)
        let isThere = list.wishes.contains(wish)
        guard let said = try? isThere ? list.remove(wish) : list.add(wish, by: wisher(on: id)) else { return false }
        let own = world.machines[id].node.secrets.device
        let readers = conditions.mutation == .sharedNotes ? founding.secrets.map(\.device) : [own]
        let cryptography = cryptography
        let note = Self.seal(said, to: readers, &generator, cryptography)
        guard let content = try? TripReplica.content(noting: note) else { return false }
        let meaning: TripSpecification.Meaning = isThere ? .unwish(title) : .wish(title)
        self.note("machine \(id): \(meaning)")
        write(content, meaning, on: id)
        return true
    }

    // Opens the existential.
    private static func seal(
        _ said: [UInt8], to readers: [Device], _ generator: inout SeededGenerator, _ cryptography: some Cryptography
    ) -> [UInt8] {
        OwnNote.seal(said, to: readers, using: &generator, cryptography)
    }

    private static func open(_ note: [UInt8], _ secret: Bytes32, _ cryptography: some Cryptography) -> [UInt8]? {
        OwnNote.open(note, with: secret, using: cryptography)?.content
    }

    /// In whose name a wish is added: another with each start, for a copy of the disk goes on beside it.
    private func wisher(on id: World.NodeID) -> UInt64 {
        guard conditions.mutation != .sharedWisher else { return world.machines[id].node.secrets.device.replica.low }
        return SplitMix64.mixed(plan.seed) ^ (UInt64(id) << 32 | UInt64(world.machines[id].start))
    }

    /// Somebody is shown a change that says something to one person alone.
    mutating func noteWishes(_ index: Int, on id: World.NodeID) throws(Violation) {
        let log = world.machines[id].node.log
        guard people[id].shownAs == .newer, let note = ownNotes[index],
            let changeIndex = log.graph.index(of: ledger.entries[index].hash), log.graph[changeIndex].isWhole
        else { return }
        let cryptography = cryptography
        let opened = Self.open(note.bytes, world.machines[id].node.secrets.agreementSecret, cryptography)
        guard note.participant == people[id].participant else {
            guard opened == nil else {
                throw Violation(.ownNotes, "machine \(id) reads what another's person noted in change \(index)")
            }
            return
        }
        guard let opened, people[id].wishes.merge(opened) else {
            throw Violation(.ownNotes, "machine \(id) cannot read what its own person noted in change \(index)")
        }
    }

    /// A wish list is what an observer of all that its person did would show.
    mutating func checkWishes(_ id: World.NodeID, _ effective: EventSet) throws(Violation) {
        guard people[id].shownAs == .newer else { return }
        outcome.checks[.ownNotes, default: 0] += 1
        let shown = people[id].wishes.wishes.map(\.title).sorted()
        let expected = specification.wishes(of: people[id].participant, effective)
        guard shown != expected else { return }
        throw Violation(.ownNotes, "machine \(id) shows its person the wishes \(shown), not \(expected)")
    }
}
