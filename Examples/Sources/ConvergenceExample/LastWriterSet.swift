/// A set of names in which the last writer wins, by the clock on the wall.
public struct LastWriterSet: Hashable, Sendable {
    struct Entry: Hashable, Sendable {
        var time: Int64
        var isPresent: Bool
    }

    private var entries: [String: Entry] = [:]

    public init() {}

    public var elements: [String] { entries.filter { $1.isPresent }.keys.sorted() }

    public mutating func add(_ name: String, at time: Int64) { take(name, Entry(time: time, isPresent: true)) }

    public mutating func remove(_ name: String, at time: Int64) { take(name, Entry(time: time, isPresent: false)) }

    public mutating func merge(_ other: LastWriterSet) {
        for (name, entry) in other.entries { take(name, entry) }
    }

    private mutating func take(_ name: String, _ entry: Entry) {
        if let mine = entries[name], mine.time >= entry.time { return }
        entries[name] = entry
    }
}
