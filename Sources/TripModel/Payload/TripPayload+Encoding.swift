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

    /// Writes `version, number of acts, acts`. A replica's name stands in full where it is first met; lists of dots and
    /// of fields ascend. Nothing in it names the change's own dots, so renaming a branch changes nothing here.
    static func encode(_ acts: [Act]) -> [UInt8] {
        var writer = ActWriter()
        writer.encoder.encode(fixed: [version])
        writer.encoder.encode(count: acts.count)
        for act in acts { writer.write(act) }
        return writer.encoder.bytes
    }
}

private struct ActWriter {
    var encoder = CanonicalEncoder()

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
        encoder.encode(item.dot)
        write(superseded)
    }

    private mutating func write(_ dots: [Dot]) {
        encoder.encode(count: dots.count)
        for dot in dots.sorted() { encoder.encode(dot) }
    }
}
