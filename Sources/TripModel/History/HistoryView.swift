/// The history for people to read, with the names of the people and items in it.
package struct HistoryView: Codable, Hashable, Sendable {
    /// Oldest first, in the one order that extends causality.
    package let entries: [HistoryEntry]
    package let names: HistoryNames

    package init(entries: [HistoryEntry], names: HistoryNames) {
        self.entries = entries
        self.names = names
    }
}
