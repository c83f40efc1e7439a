package import Convergence

extension TripFault {
    package var meaning: String {
        switch self {
        case .stall: "a lost segment holds up its connection"
        case .reset: "a connection breaks with bytes under way"
        case .clog: "a link passes nothing for a while, then all"
        case .throttle: "a link is narrow for a while"
        case .partition: "some nodes are cut off, both ways"
        case .oneWay: "some nodes are heard by nobody, and hear"
        case .move: "a node gets another address"
        case .leave: "a node says goodbye, and comes back later"
        case .join: "somebody new comes by an invite"
        case .update: "an older node is updated, and starts anew"
        case .clockJump: "a wall clock jumps"
        case .clockDrift: "a node's clocks run too fast or too slow"
        case .crash: "power fails; what was not durable is gone"
        case .tornWrite: "power fails in the middle of a write"
        case .lateCrash: "power fails between a write and its word"
        case .bitFlip: "a bit on a disk is read otherwise"
        case .fullDisk: "there is no room to write"
        case .backup: "a node comes back from an old disk"
        case .copiedHome: "a copy of a disk lives on elsewhere, too"
        case .lateName: "names are seen late"
        case .missedName: "a name is never seen by some"
        case .falseAddress: "a name leads to somebody else, or nobody"
        case .nameFlood: "many names, some of which look like ours"
        case .repeatedName: "a name that left is published by another"
        case .carriedFile: "a node is cut off, and takes in a sealed file"
        case .alteredFile: "such a file is altered, or of another trip"
        case .boxForgets: "a mailbox loses blocks that it took"
        case .boxRepeats: "it says everything twice"
        case .boxReorders: "its answers come late, in any order"
        case .boxServesOld: "it serves an old listing"
        case .boxServesOthers: "it serves blocks of others, and one for another"
        case .boxFull: "it has no room"
        case .boxPartialFile: "it serves the beginnings of blocks"
        case .boxUnreachable: "it can't be reached"
        case .boxForgery: "a member puts letters in others' names"
        case .replay: "bytes of earlier connections come again"
        case .garbage: "connections on which nonsense is said"
        case .alteration: "bytes of a session are altered on their way"
        case .malformed: "a member's frames are too long, short or none"
        case .fork: "a member writes changes with one predecessor"
        case .forgery: "a member signs what is in another's name"
        case .backdate: "a member writes from the past or the future"
        case .gap: "a member leaves out changes, or numbers"
        case .removal: "a member was taken out, and went on"
        case .craftedChange: "members in league write anything on any past"
        case .withheldBody: "they tell some nodes the header alone"
        case .retoldChange: "they tell again what anybody wrote"
        }
    }

    package var trouble: Timeline.Trouble {
        switch self {
        case .partition, .oneWay: .partition
        case .crash, .tornWrite, .lateCrash, .leave: .crash
        default: .other
        }
    }
}
