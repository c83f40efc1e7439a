import ChangeLog
import Convergence
import DeltaCRDT
import SyncEngine

// What goes wrong, and how it ends.
extension TripRun {
    mutating func goWrong(
        _ fault: TripFault, _ node: Int, _ otherNode: Int, _ duration: UInt64, _ draw: UInt64
    ) throws(Violation) {
        if fault == .join {
            guard machineOf[node] == nil else { return }
            happened(.join)
            try arrive(node)
            return
        }
        guard let id = machineOf[node] else { return }
        let other = machineOf[otherNode] ?? id
        switch fault {
        case .stall, .reset, .clog, .throttle, .partition, .oneWay, .move:
            disturb(fault, id, other, duration, draw)
        case .leave, .crash, .tornWrite, .lateCrash, .bitFlip, .fullDisk, .backup, .copiedHome:
            if world.machines[id].isRunning { try breakDisk(fault, id, duration, draw) }
        case .clockJump, .clockDrift: setClock(fault, id, draw)
        case .update: if id != lastToUpdate, world.machines[id].isRunning { try update(id) }
        case .lateName, .missedName, .falseAddress, .nameFlood, .repeatedName:
            mislead(fault, id, other, duration, draw)
        case .replay, .garbage, .alteration, .malformed, .fork, .forgery, .backdate, .gap:
            try attack(fault, id, other, draw)
        case .removal: remove(id, other, draw)
        case .craftedChange, .withheldBody, .retoldChange: conspire(fault, id, other, draw)
        case .carriedFile, .alteredFile: cutOff(fault, id, from: other, duration, draw)
        case .boxForgets, .boxRepeats, .boxReorders, .boxServesOld, .boxServesOthers, .boxFull, .boxPartialFile,
            .boxUnreachable:
            spoilMailbox(fault, duration, draw)
        case .boxForgery: forgeLetter(from: id, in: other, draw)
        case .join: break
        }
    }

    /// A person above them removes a person, who goes on as before; or a person leaves.
    private mutating func remove(_ id: World.NodeID, _ other: World.NodeID, _ draw: UInt64) {
        guard let founder = machineOf[0], id != founder, removalCount < max(2, world.machines.count - 2) else { return }
        let target = people[id].participant
        if draw % 8 == 1 {
            removeFromBelow(id)
            return
        }
        let isLeaving = draw % 8 == 0
        let mayRemove = world.machines[other].node.log.isAncestor(people[other].participant, of: target)
        let author = isLeaving ? id : mayRemove && mayAct(other) ? other : founder
        let log = world.machines[author].node.log
        guard mayAct(author), log.person(target)?.isIn ?? false,
            isLeaving || log.isAncestor(people[author].participant, of: target)
        else { return }
        removalCount += 1
        happened(.removal)
        note(
            isLeaving ? "the person of machine \(id) leaves" : "machine \(author) takes the person of machine \(id) out"
        )
        askToRemove(target, by: author)
    }

    mutating func end(_ ending: Ending) throws(Violation) {
        switch ending {
        case .restart(let id): try restart(id)
        case .unblock(let number):
            world.unblock(number)
            note("block \(number) ends")
        case .unthrottle(let id): world.throttle(id, to: nil)
        case .makeRoom(let id): world.setFull(false, id)
        case .unhide(let id, let other): world.unhide(id, from: other)
        case .truth(let id): world.lie(about: id, nil)
        case .punctualNames: world.delayNames(by: 0)
        case .forgetNames(let id): world.forgetFalseNames(on: id)
        case .soundMailbox(let fault): endMailboxFault(fault)
        case .hand(let fault, let author, let id, let draw): try hand(fault, from: author, to: id, draw)
        }
        try drain()
    }

    mutating func lasts(_ fault: TripFault, _ duration: UInt64, _ nodes: [Int], until ending: Ending) {
        happened(fault)
        agenda.add(ending, at: world.time + duration)
        recorder.measurements.add(fault, from: world.time, to: world.time + duration, nodes)
    }

    // MARK: - Networks

    private mutating func disturb(
        _ fault: TripFault, _ id: World.NodeID, _ other: World.NodeID, _ duration: UInt64, _ draw: UInt64
    ) {
        switch fault {
        case .stall where id != other && world.stall(from: id, to: other, for: duration): happened(.stall)
        case .reset where id != other && world.reset(id, other):
            happened(.reset)
            note("the connections of \(id) and \(other) break")
        case .clog where id != other:
            note("nothing passes from \(id) to \(other) for \(duration) ms")
            lasts(.clog, duration, [id, other], until: .unblock(world.clog(from: id, to: other)))
        case .throttle:
            world.throttle(id, to: Int(20 + draw % 100))
            lasts(.throttle, duration, [id], until: .unthrottle(id))
        case .partition, .oneWay:
            var side = EventSet()
            for machine in world.machines.indices where SplitMix64.mixed(draw ^ UInt64(machine)) & 1 == 0 {
                side.insert(machine)
            }
            let members = Array(side)
            guard !members.isEmpty, members.count < world.machines.count else { return }
            note("\(members) are \(fault == .oneWay ? "not heard" : "cut off") for \(duration) ms")
            let block = world.partition(side, isOneWay: fault == .oneWay)
            lasts(fault, duration, members, until: .unblock(block))
        case .move where world.machines[id].isRunning:
            happened(.move)
            world.move(id, to: draw % 2 == 0 ? attacks.leftAddress : nil)
            note("machine \(id) is at another address")
        default: break
        }
    }

    // MARK: - Disks

    /// A log with more branches than its nodes keep is left to tests of its own.
    private static var branchesMax: Int { 6 }

    private mutating func breakDisk(
        _ fault: TripFault, _ id: World.NodeID, _ duration: UInt64, _ draw: UInt64
    ) throws(Violation) {
        note("\(fault.rawValue) at machine \(id)")
        switch fault {
        case .leave:
            world.leave(id)
            lasts(.leave, duration, [id], until: .restart(id))
        case .crash:
            world.stop(id, .lost, isHeard: draw % 2 == 0)
            lasts(.crash, duration, [id], until: .restart(id))
        case .tornWrite, .lateCrash:
            // It happens when the machine writes next.
            people[id].downtime = duration
            attacks.interruptions[id] = fault
            world.interruptNextWrite(of: id, fault == .tornWrite ? .torn : .unacknowledged)
        case .bitFlip: try flipBit(on: id, draw)
        case .fullDisk:
            world.setFull(true, id)
            agenda.add(.makeRoom(id), at: world.time + duration)
            recorder.measurements.add(TripFault.fullDisk, from: world.time, to: world.time + duration, [id])
        case .backup where (ledger.branchCounts[ledger.holders[id].replica] ?? 1) < Self.branchesMax:
            let count = world.machines[id].disk.changes.count
            world.stop(id, .lost, isHeard: draw % 2 == 0)
            try drain()
            rollBack(id, by: 1 + Int(draw >> 8 % 12), of: count)
            lasts(.backup, duration, [id], until: .restart(id))
        case .copiedHome:
            guard copies < 2, mayAct(id), (ledger.branchCounts[ledger.holders[id].replica] ?? 1) < Self.branchesMax
            else {
                return
            }
            copies += 1
            ledger.add(replica: ledger.holders[id].replica, guest: ledger.holders[id].guest)
            people.append(Person(participant: people[id].participant, version: people[id].version))
            happened(.copiedHome)
            do throws(World.StartFailure) { _ = try world.copyHome(of: id) } catch {
                throw Violation(.damageIsNoticed, "the copy of machine \(id) does not start: \(error)")
            }
        default: break
        }
    }

    /// A stopped machine's disk becomes a copy that was made some changes ago.
    private mutating func rollBack(_ id: World.NodeID, by count: Int, of total: Int) {
        let kept = max(founding.changes.count, total - count)
        world.rewind(id, to: kept)
        let hashes = world.machines[id].disk.changes.indices.compactMap { ledger.index(ofPosition: $0 + 1, on: id) }
        ledger.rolledBack(id, keeping: Set(hashes))
    }

    /// A bit of the disk is not what was written. The machine must notice when it starts, and its person brings back a
    /// backup from before.
    private mutating func flipBit(on id: World.NodeID, _ draw: UInt64) throws(Violation) {
        let count = world.machines[id].disk.changes.count
        guard count > founding.changes.count,
            (ledger.branchCounts[ledger.holders[id].replica] ?? 1) < Self.branchesMax
        else { return }
        let place = Int(draw >> 16 % UInt64(count))
        world.stop(id, .lost)
        try drain()
        world.flipBit(Int(draw % 4_096), ofRecord: place, on: id)
        happened(.bitFlip)
        do throws(World.StartFailure) {
            try world.restart(id)
        } catch {
            outcome.checks[.damageIsNoticed, default: 0] += 1
            guard case .damaged(place) = error else {
                throw Violation(.damageIsNoticed, "machine \(id) says of a damaged disk: \(error)")
            }
            // The backup's copy of that record is whole.
            world.flipBit(Int(draw % 4_096), ofRecord: place, on: id)
            rollBack(id, by: count - place, of: count)
            try restart(id)
            return
        }
        throw Violation(.damageIsNoticed, "machine \(id) starts from a disk with a bit flipped")
    }

    mutating func restart(_ id: World.NodeID) throws(Violation) {
        guard !world.machines[id].isRunning else { return }
        do throws(World.StartFailure) {
            try world.restart(id)
            let count = world.machines[id].node.log.graph.count
            note("machine \(id) starts with \(count) changes")
        } catch {
            throw Violation(.damageIsNoticed, "machine \(id) does not start after a power cut: \(error)")
        }
        outcome.checks[.damageIsNoticed, default: 0] += 1
        try drain()
    }

    // MARK: - Clocks

    private mutating func setClock(_ fault: TripFault, _ id: World.NodeID, _ draw: UInt64) {
        happened(fault)
        if fault == .clockJump {
            // Up to a month, either way.
            world.jumpClock(of: id, by: Int64(draw % 5_184_000) * 1_000 - 2_592_000_000)
        } else {
            // Up to a tenth.
            world.driftClock(of: id, by: Int64(draw % 200_000) - 100_000)
        }
    }

    // MARK: - Discovery

    private mutating func mislead(
        _ fault: TripFault, _ id: World.NodeID, _ other: World.NodeID, _ duration: UInt64, _ draw: UInt64
    ) {
        switch fault {
        case .lateName:
            world.delayNames(by: 1_000 + draw % 9_000)
            agenda.add(.punctualNames, at: world.time + duration)
        case .missedName where id != other:
            world.hide(id, from: other)
            agenda.add(.unhide(id, from: other), at: world.time + duration)
            world.handle(.networkChanged(), on: id)
        case .falseAddress:
            // Another's address, and nobody's.
            let nobody = PeerAddress(host: "10.255.255.255", port: 4_000)
            world.lie(about: id, draw % 2 == 0 ? [world.machines[other].address] : [nobody])
            agenda.add(.truth(about: id), at: world.time + duration)
            world.handle(.networkChanged(), on: id)
        case .nameFlood where world.machines[id].isRunning:
            var generator = SeededGenerator(seed: draw)
            for number in 0..<300 { world.showFalseName(falseName(number, &generator), to: id) }
            lasts(.nameFlood, duration, [id], until: .forgetNames(id))
        case .repeatedName where id != other && world.repeatName(of: id, to: other): happened(.repeatedName)
        default: break
        }
    }

    /// Most look like ours; some like nothing at all.
    private func falseName(_ number: Int, _ generator: inout SeededGenerator) -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz234567")
        let length = number % 7 == 0 ? generator.number(in: 0...63) : 26
        return String((0..<length).map { _ in letters[generator.number(in: 0...31)] })
    }
}
