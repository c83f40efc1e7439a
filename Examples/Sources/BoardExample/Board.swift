import DeltaCRDT
import Foundation

/// Lists of cards in a folder: each process has its file there, and merges those of all before it does anything.
public struct Board<Due: DueDate> {
    private var lists = ORMap<String, Record<CardList<Due>>>()
    private let (folder, person): (URL, String)
    /// A new name at each start: the file may be restored from a backup. The price is in DeltaCRDT's article on deltas.
    private let writer: ReplicaID

    public init(in folder: URL, of person: String, using generator: inout some RandomNumberGenerator) {
        (self.folder, self.person, writer) = (folder, person, .random(using: &generator))
    }

    /// Does what a line says, and tells what came of it.
    public mutating func answer(_ line: String) throws -> String {
        let complaints = try hear()
        let words = line.split(separator: " ").map(String.init)
        let (list, card) = (words.dropFirst().first ?? "", words.dropFirst(2).first ?? "")
        let (rest, writer) = (Array(words.dropFirst(3)), writer)
        func edit(_ act: (inout Record<Card<Due>>) -> Void) {
            lists.updateValue(forKey: list) { $0.cards.updateValue(forKey: card, act) }
        }
        switch (words.first, rest.count) {
        case ("show", _): return (complaints + lines).joined(separator: "\n")
        case ("list", _) where !card.isEmpty:
            lists.updateValue(forKey: list) { $0.title.set(words.dropFirst(2).joined(separator: " "), by: writer) }
        case ("title", 1...): edit { $0.title.set(rest.joined(separator: " "), by: writer) }
        case ("due", 1...2):
            edit {
                var due = $0.due.values.first ?? Evolving()
                Due.set(&due, to: rest)
                $0.due.set(due, by: writer)
            }
        case ("label", 1): edit { $0.labels.insert(rest[0], by: writer) }
        case ("unlabel", 1): edit { $0.labels.remove(rest[0]) }
        case ("vote", 0) where !card.isEmpty: edit { $0.votes.updateValue(true, forKey: person, by: writer) }
        case ("hours", 1): edit { $0.hours.add(Int64(rest[0]) ?? 0, by: writer) }
        case ("remove", 0) where !card.isEmpty: lists.updateValue(forKey: list) { $0.cards.removeValue(forKey: card) }
        default: return "say show, list, title, due, label, unlabel, vote, hours or remove, a list, a card, and what"
        }
        try Data(lists.encoded()).write(to: folder.appendingPathComponent("\(person).board"), options: .atomic)
        return complaints.joined(separator: "\n")
    }

    /// Merges what all have written, and says what could not be read.
    private mutating func hear() throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".board") }
        return names.sorted().compactMap { name in
            do {
                lists.merge(try ORMap(decoding: Array(try Data(contentsOf: folder.appendingPathComponent(name)))))
                return nil
            } catch {
                return "\(name) is passed over: \(error)"
            }
        }
    }

    private var lines: [String] {
        lists.keys.sorted().flatMap { key in
            let list = lists[key]
            return ["\(key): \(list.title.values.sorted().joined(separator: " or "))"]
                + list.cards.keys.sorted().map { "  \($0): \(line(of: list.cards[$0]))" }
        }
    }

    private func line(of card: Record<Card<Due>>) -> String {
        var parts = [card.title.values.sorted().joined(separator: " or ")]
        let dues = Set(card.due.values.map { "due \($0.value)" }).sorted()
        if !dues.isEmpty { parts.append(dues.joined(separator: " or ")) }
        if !card.labels.isEmpty { parts.append("labels \(card.labels.elements.sorted().joined(separator: ", "))") }
        return (parts + ["votes \(card.votes.count)", "hours \(card.hours.value)"]).joined(separator: "; ")
    }
}

/// Answers lines from standard input until it ends, an empty line after each answer.
public func serve<Due: DueDate>(_ due: Due.Type) {
    guard CommandLine.arguments.count == 3 else { return print("usage: board FOLDER PERSON") }
    var generator = SystemRandomNumberGenerator()
    let folder = URL(fileURLWithPath: CommandLine.arguments[1])
    var board = Board<Due>(in: folder, of: CommandLine.arguments[2], using: &generator)
    while let line = readLine() {
        do {
            print(try board.answer(line), terminator: "\n\n")
        } catch {
            print("the folder cannot be used: \(error.localizedDescription)", terminator: "\n\n")
        }
        fflush(nil)
    }
}
