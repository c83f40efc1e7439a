/// What happened, for people to read, and what those whom and what it names are called.
package struct HistoryView: Codable, Hashable, Sendable {
    /// Oldest first, in the one order that extends causality.
    package let entries: [HistoryEntry]
    package let names: HistoryNames

    package init(entries: [HistoryEntry], names: HistoryNames) {
        self.entries = entries
        self.names = names
    }
}
