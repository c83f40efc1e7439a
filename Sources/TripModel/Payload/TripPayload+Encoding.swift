import DeltaCRDT

/// The marks of a payload's acts. They never change their meaning.
enum ActMark {
    static let title: UInt8 = 1
    static let name: UInt8 = 2
    static let add: UInt8 = 3
    static let edit: UInt8 = 4
    static let remove: UInt8 = 5
    static let restore: UInt8 = 6
    static let vote: UInt8 = 7
    static let quantity: UInt8 = 8
}

extension TripPayload {
    /// The version of the form below.
    static let version: UInt8 = 1

    /// Writes `version, replicas, acts`. Dots are named by the place of their replica in the ascending list
    /// `replicas` and by their counter; lists of dots and of fields ascend.
    static func encode(_ acts: [Act]) -> [UInt8] {
        let replicas = Set(acts.flatMap(\.dots).map(\.replica)).sorted()
        var encoder = CanonicalEncoder()
        encoder.encode(fixed: [version])
        encoder.encode(count: replicas.count)
        for replica in replicas { encoder.encode(replica) }
        var writer = ActWriter(encoder: encoder, replicas: replicas)
        writer.encoder.encode(count: acts.count)
        for act in acts { writer.write(act) }
        return writer.encoder.bytes
    }
}

extension Act {
    /// Every dot that the act names.
    fileprivate var dots: [Dot] {
        switch self {
        case .setTitle(_, let superseded): superseded
        case .setName, .add: []
        case .item(let item, let superseded, .edit(let writes)):
            [item.dot] + superseded + writes.flatMap(\.superseding)
        case .item(let item, let superseded, _): [item.dot] + superseded
        }
    }
}

private struct ActWriter {
    var encoder: CanonicalEncoder
    let places: [ReplicaID: Int]

    init(encoder: CanonicalEncoder, replicas: [ReplicaID]) {
        self.encoder = encoder
        places = Dictionary(uniqueKeysWithValues: replicas.enumerated().map { ($1, $0) })
    }

    mutating func write(_ act: Act) {
        switch act {
        case .setTitle(let title, let superseded):
            encoder.encode(fixed: [ActMark.title])
            encoder.encode(title)
            write(superseded)
        case .setName(let name):
            encoder.encode(fixed: [ActMark.name])
            encoder.encode(name)
        case .add(let fields, let quantity):
            encoder.encode(fixed: [ActMark.add])
            encoder.encode(count: fields.count)
            for entry in fields {
                encoder.encode(fixed: [entry.field.rawValue])
                encoder.encode(entry.value)
            }
            encoder.encode(quantity)
        case .item(let item, let superseded, let act):
            write(act, of: item, superseding: superseded)
        }
    }

    private mutating func write(_ act: ItemAct, of item: ItemID, superseding superseded: [Dot]) {
        switch act {
        case .edit(let writes):
            writeHead(ActMark.edit, item, superseded)
            encoder.encode(count: writes.count)
            for entry in writes {
                encoder.encode(fixed: [entry.field.rawValue])
                encoder.encode(entry.value != nil)
                if let value = entry.value { encoder.encode(value) }
                write(entry.superseding)
            }
        case .remove: writeHead(ActMark.remove, item, superseded)
        case .restore: writeHead(ActMark.restore, item, superseded)
        case .vote(let vote):
            writeHead(ActMark.vote, item, superseded)
            encoder.encode(fixed: [vote?.rawValue ?? 0])
        case .changeQuantity(let step):
            writeHead(ActMark.quantity, item, superseded)
            encoder.encode(step)
        }
    }

    private mutating func writeHead(_ mark: UInt8, _ item: ItemID, _ superseded: [Dot]) {
        encoder.encode(fixed: [mark])
        write(item.dot)
        write(superseded)
    }

    private mutating func write(_ dots: [Dot]) {
        encoder.encode(count: dots.count)
        for dot in dots.sorted() { write(dot) }
    }

    private mutating func write(_ dot: Dot) {
        encoder.encode(count: places[dot.replica] ?? 0)
        encoder.encode(dot.counter)
    }
}
