import ArgumentParser
import CaravanNode
import Console
import Dispatch
import Foundation
import Synchronization
import TripModel
import TripService

// What could stand at a place of a command line. The shell asks the program for it when somebody presses Tab.
extension CompletionKind {
    static var kinds: CompletionKind { .list(ItemKind.allCases.map(\.rawValue)) }
    static var orders: CompletionKind { .list(ItemOrder.allCases.map(\.rawValue)) }
    static var fields: CompletionKind { .list(Field.ofPlans.filter { $0 != .title }.map(\.name)) }
    static var items: CompletionKind { ofTrip { view, _ in view.items.map { ($0.title, $0.shortID) } } }
    static var costs: CompletionKind {
        ofTrip { view, _ in view.items.filter(\.isOfCosts).map { ($0.title, $0.shortID) } }
    }
    /// Payments can't be changed.
    static var expenses: CompletionKind {
        ofTrip { view, _ in
            view.items.filter { $0.isOfCosts && $0.fields[.payment] == nil }.map { ($0.title, $0.shortID) }
        }
    }
    static var questions: CompletionKind { ofTrip { view, _ in view.questions.map { ($0.title, $0.shortID) } } }
    static var removed: CompletionKind {
        ofTrip { view, prefix in
            view.removedItems.map { ($0.title, $0.shortID) } + Completions.files(prefix).map { ($0, $0) }
        }
    }
    static var lists: CompletionKind { ofTrip { view, _ in view.lists.map { ($0.title, $0.shortID) } } }
    static var removedLists: CompletionKind {
        ofTrip { view, _ in view.removedLists.map { ($0.title, $0.shortID) } }
    }
    static var members: CompletionKind {
        ofTrip { view, _ in
            view.participants.filter { !$0.isOut }.map { ($0.displayName, String($0.id.description.prefix(6))) }
        }
    }
    static var trips: CompletionKind {
        .custom { words, _, _ in
            Completions.wait { Completions.names(of: try await Completions.trips(words)) }
        }
    }

    static var trashed: CompletionKind {
        .custom { words, _, _ in Completions.wait { Completions.names(of: try await Completions.trashed(words)) } }
    }

    /// Names of what is in the trip that a command line is about.
    private static func ofTrip(
        _ names: @escaping @Sendable (TripView, String) -> [(name: String, id: String)]
    ) -> CompletionKind {
        .custom { words, _, prefix in
            Completions.wait { Completions.names(of: names(try await Completions.view(words), prefix)) }
        }
    }
}

/// The command line as shells complete it: with the options that may stand before a command. `Caravan` itself reads these before the rest,
/// because it would take a command's own `--trip` as one of them.
struct CompletedCaravan: AsyncParsableCommand {
    static let configuration = Caravan.configuration

    @OptionGroup var global: GlobalOptions

    /// Prints the script for a shell, or for such a script what could come next, and ends; does nothing if neither is asked for.
    static func answer(_ words: [String]) throws {
        guard let first = words.first, first == "---completion" || first.hasPrefix("--generate-completion-script")
        else { return }
        do { _ = try parseAsRoot(words) } catch {
            guard exitCode(for: error) == .success else { throw error }
            guard first.hasPrefix("--generate") else { exit(withError: error) }
            tell(BashCompletions.completed(fullMessage(for: error)))
        }
    }
}

/// Reads for completions. What cannot be read completes nothing: it asks for no passphrase, and prints no error.
enum Completions {
    /// The most that is offered.
    static let countMax = 500
    /// How long somebody who pressed Tab is kept waiting.
    private static let patience = DispatchTimeInterval.seconds(3)

    static func wait(_ read: @escaping @Sendable () async throws -> [String]) -> [String] {
        let found = Found()
        Task.detached {
            found.put((try? await read()) ?? [])
        }
        return found.names(within: patience)
    }

    /// What a task found, for a thread that waits for it.
    private final class Found: Sendable {
        private let names = Mutex<[String]>([])
        private let isThere = DispatchSemaphore(value: 0)

        func put(_ found: [String]) {
            names.withLock { $0 = found }
            isThere.signal()
        }

        func names(within patience: DispatchTimeInterval) -> [String] {
            _ = isThere.wait(timeout: .now() + patience)
            return names.withLock { $0 }
        }
    }

    /// Each name once; for one that several have, or that a shell would not leave as it is, the id.
    static func names(of found: [(name: String, id: String)]) -> [String] {
        let isLiteral = ProcessInfo.processInfo.environment[BashCompletions.literalNames] != nil
        let isTaken = { (name: String) in isLiteral ? isQuotable(name) : isPlain(name) }
        let counts = Dictionary(found.map { ($0.name, 1) }, uniquingKeysWith: +)
        let names = found.map { name, id in counts[name] == 1 && isTaken(name) ? name : id }
        return Array(names.filter(isTaken).prefix(countMax))
    }

    /// Whether shells take a name as it is. A script for bash of 1.0.0 expands each word that it is given to offer (`compgen -W`), so a
    /// title of somebody else's could run a command here.
    private static func isPlain(_ name: String) -> Bool {
        guard let first = name.first, first != "-", first != " " else { return false }
        return name.allSatisfy { $0.isLetter || $0.isNumber || " .,_-+/".contains($0) }
    }

    /// Whether bash quotes a name so that it means itself, and the name is one line. Bash leaves "$" and a first "~" as they are.
    private static func isQuotable(_ name: String) -> Bool {
        guard let first = name.first, !"-~ ".contains(first) else { return false }
        return !name.contains { "$`".contains($0) } && name == name.displayed()
    }

    static func trips(_ words: [String]) async throws -> [(name: String, id: String)] {
        let home = applied(words).home
        return try await home.entries(.ofKeysUnlessTyped).map { ($0.title ?? "", String($0.id.prefix(6))) }
    }

    static func trashed(_ words: [String]) async throws -> [(name: String, id: String)] {
        try await applied(words).home.trashed(.ofKeysUnlessTyped).map { ($0.title ?? "", $0.reference) }
    }

    static func view(_ words: [String]) async throws -> TripView {
        let (home, trip) = applied(words)
        let id = try await home.tripID(named: trip, passphrases: .ofKeysUnlessTyped)
        let access = TripAccess(home: home, id: id, passphrases: .ofKeysUnlessTyped)
        guard case .trip(let view) = try await access.answer(.view) else { throw TripOptions.otherAnswer }
        return view
    }

    /// The home and the trip that a command line names so far. Its words are as they were typed, with their quotes.
    private static func applied(_ words: [String]) -> (home: Home, trip: String?) {
        let words = words.map { $0.filter { !"\"'\\".contains($0) } }
        func value(of names: [String]) -> String? {
            for (place, word) in words.enumerated() {
                if names.contains(word), place + 1 < words.count { return words[place + 1] }
                if let name = names.first(where: { word.hasPrefix($0 + "=") }) {
                    return String(word.dropFirst(name.count + 1))
                }
            }
            return nil
        }
        let home = value(of: ["--home"]).map { Home(folder: WholePath.of($0)) } ?? Home()
        let trip = value(of: ["--trip", "-t"]).flatMap { $0.isEmpty ? nil : $0 }
        return (home, trip ?? TripOptions.fromEnvironment)
    }

    /// Files of this folder that begin so.
    static func files(_ prefix: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: ".")) ?? []
        return names.filter { $0.hasPrefix(prefix) && !$0.hasPrefix(".") }.sorted()
    }
}
