import Console
import Dispatch
import Synchronization
import TripService
import TripText

/// What `caravan up` prints of what happens, for people or for programs, in a bounded number of lines a minute.
final class NodeLog: Sendable {
    enum Form: String, CaseIterable {
        case text, json
    }

    private struct State {
        var digest = EventDigest()
        var isWoken = false
        /// What happened before the node was ready, as far as lines a minute go; nil once it is.
        var early: [EventDigest.Entry]? = []
    }

    private let form: Form
    private let file: LogFile?
    private let state = Mutex(State())

    /// - Parameter file: where lines go; nil for standard output.
    init(_ form: Form, file: LogFile? = nil) {
        self.form = form
        self.file = file
    }

    /// Notes what happened in a trip. From any thread.
    ///
    /// - Parameters:
    ///   - title: the trip's title where several run.
    ///   - id: the trip's id.
    func heard(_ event: TripEvent, title: String?, id: String) {
        let now = Reader.now
        let trip = form == .json ? id : title
        let mustWake = state.withLock { state in
            let entries = state.digest.heard(event, in: trip, at: now)
            if state.early == nil { write(entries, at: now) } else { state.early? += entries }
            defer { state.isWoken = state.isWoken || state.digest.due != nil }
            return state.digest.due != nil && !state.isWoken
        }
        guard mustWake else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(EventDigest.minute))) { [weak self] in
            self?.finishMinute()
        }
    }

    /// Tells what was held back: at the end of a minute, and of the node.
    func finishMinute() {
        state.withLock { state in
            state.isWoken = false
            guard state.early == nil else { return }
            write(state.digest.finish(), at: Reader.now)
        }
    }

    /// Reports that the node is ready, before everything else, for a program that waits for that line reads only one. Earlier events
    /// follow, because known addresses are dialed at once.
    func becomeReady() {
        state.withLock { state in
            say("ready", "ready")
            write(state.early ?? [], at: Reader.now)
            state.early = nil
        }
    }

    /// Says something of the node itself: a line for people, an event for programs; neither where it is nil.
    func say(_ line: String?, _ event: String?) {
        switch form {
        case .text: if let line { print(line) }
        case .json: if let event { print(LogLine.process(event, at: Reader.now)) }
        }
    }

    private func write(_ entries: [EventDigest.Entry], at now: Int64) {
        for entry in entries {
            switch form {
            case .text: TerminalText.lines(entry, style: Reader.style).forEach(print)
            case .json:
                if let line = LogLine.event(entry.event, times: entry.times, trip: entry.trip, at: now) { print(line) }
            }
        }
    }

    private func print(_ line: String) {
        if let file { file.append(line + "\n") } else { Output.text(line + "\n") }
    }
}
