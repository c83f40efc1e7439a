import ChangeLog
import Convergence
import DeltaCRDT

/// A member who means ill, or three in league: the keys that they have, and what they wrote.
///
/// They hear all that an honest node holds durably, write any statement or content on any part of that, and tell each node what they
/// like. They don't have the keys of honest people.
struct League {
    /// A device whose keys they have.
    struct Member {
        let secrets: DeviceSecrets
        let isGuest: Bool

        var replica: ReplicaID { secrets.device.replica }
        var participant: Bytes32 { secrets.device.participant }
    }

    /// Members, their further devices, and the people that they made up.
    private(set) var members: [Member]
    /// What they wrote, by its number in the ledger, in the order of writing.
    private(set) var crafted: [Int] = []
    /// The same, and all that honest nodes told them.
    private(set) var known = EventSet()

    /// Changes that they write in one run.
    static let craftedMax = 120
    /// People and devices that they make up in one run.
    static let inventedMax = 24
    /// Changes of a past that they tell at once. What is longer takes honest nodes' own ways.
    static let toldMax = 400

    private let firstCount: Int

    init(_ members: [DeviceSecrets]) {
        self.members = members.map { Member(secrets: $0, isGuest: false) }
        firstCount = members.count
    }

    var mayInvent: Bool { members.count < firstCount + Self.inventedMax }

    mutating func invent(_ secrets: DeviceSecrets, isGuest: Bool = false) {
        members.append(Member(secrets: secrets, isGuest: isGuest))
    }

    func member(_ replica: ReplicaID) -> Member? { members.first { $0.replica == replica } }

    mutating func hear(_ changes: EventSet) { known.formUnion(changes) }

    mutating func note(_ index: Int) {
        crafted.append(index)
        known.insert(index)
    }
}

extension Founding {
    /// How many mean ill where they are in league: one, or three.
    static func leagueCount(seed: UInt64) -> Int { SplitMix64.mixed(seed ^ 0xA1) % 3 == 0 ? 1 : 3 }

    /// The person by whose invite a member of the league came: the first by the founder, the second by an honest member, the third by the first.
    static func host(ofLeague number: Int, nodes: Int, members: Int) -> Int {
        switch number {
        case 0: 0
        case 1: members > 1 ? 1 : 0
        default: nodes
        }
    }

    /// Whether an honest member came by the first of the league, who may remove them.
    static func isBelowLeague(_ node: Int, seed: UInt64, members: Int) -> Bool {
        members > 2 && node == members - 1 && SplitMix64.mixed(seed ^ 0xA2) % 2 == 0
    }
}
