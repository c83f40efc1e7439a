import TripModel
import TripPage

/// What a trip's feed holds of notes, in memory alone: who writes in which, the texts that pages were shown last, and which reading of
/// the trip is the latest.
struct NoteDesk: Sendable {
    private struct Seat: Sendable {
        let writer: NoteWriter
        let end: ContinuousClock.Instant
    }

    /// By stream: a page has one caret.
    private var seats: [String: Seat] = [:]
    private var texts: [String: String] = [:]
    /// Marks of texts, the oldest first.
    private var marks: [String] = []
    private var bytes = 0
    /// The numbers of the last reading that began, and of the last that the feed took. They begin with the time, so that a page which
    /// outlives its node takes what comes later for later.
    private(set) var begun: Int64
    private(set) var taken: Int64
    /// What each session wrote last in a note, and the act that it is a step of.
    private var acts: [String: (act: UInt64, at: ContinuousClock.Instant)] = [:]
    private var waiting: [(reading: Int64, continuation: CheckedContinuation<Void, Never>)] = []
    /// What takes away who wrote last some time ago; nil where nobody writes.
    var sweeping: Task<Void, Never>?

    /// How long somebody writes whose page says no more. Pages say it every 5 s.
    static let lifetime = Duration.seconds(10)
    /// How long somebody pauses who goes on with what they wrote.
    static let pause = Duration.seconds(60)
    static let textsMax = 256
    static let bytesMax = 8 << 20

    /// - Parameter now: in milliseconds since 1970.
    init(at now: Int64) { (begun, taken) = (now, now) }

    // MARK: - Who writes

    /// In which notes who writes, in an order that stays.
    var writers: [NoteWriter] {
        var last: [String: Seat] = [:]
        for seat in seats.values {
            let key = seat.writer.note.id + " " + seat.writer.participant.description
            if let other = last[key], other.end > seat.end { continue }
            last[key] = seat
        }
        return last.sorted { $0.key < $1.key }.map { $0.value.writer }
    }

    /// When the first of them writes no more, unless their page says so again.
    var firstEnd: ContinuousClock.Instant? { seats.values.map(\.end).min() }

    /// Notes where the reader of a stream writes; nil for nowhere.
    ///
    /// - Returns: whether pages show something else now.
    mutating func seat(_ writer: NoteWriter?, on stream: String, at now: ContinuousClock.Instant) -> Bool {
        let old = seats[stream]?.writer
        seats[stream] = writer.map { Seat(writer: $0, end: now + Self.lifetime) }
        return old != writer
    }

    /// Takes away who wrote last some time ago.
    ///
    /// - Returns: whether there was anybody.
    mutating func sweep(at now: ContinuousClock.Instant) -> Bool {
        let old = seats.count
        seats = seats.filter { $0.value.end > now }
        return seats.count < old
    }

    /// The act that an edit is a step of: what a session types in a note without a long pause is undone at once.
    ///
    /// - Parameter new: for an act that begins.
    mutating func act(of session: String, in note: NoteName, at now: ContinuousClock.Instant, new: UInt64) -> UInt64 {
        acts = acts.filter { $0.value.at > now - Self.pause }
        let key = session + " " + note.id
        let act = acts[key]?.act ?? new
        acts[key] = (act, now)
        return act
    }

    // MARK: - Texts

    /// Keeps a text for edits that are made to it; the oldest ones go.
    mutating func keep(_ note: NoteText) {
        guard marks.last != note.mark else { return }
        if texts[note.mark] == nil {
            texts[note.mark] = note.text
            bytes += note.text.utf8.count
        } else {
            marks.removeAll { $0 == note.mark }
        }
        marks.append(note.mark)
        while marks.count > Self.textsMax || bytes > Self.bytesMax && marks.count > 1 {
            bytes -= texts.removeValue(forKey: marks.removeFirst())?.utf8.count ?? 0
        }
    }

    /// A text that a page was shown, by its mark; nil where it is too long ago.
    func text(_ mark: String) -> String? { texts[mark] }

    // MARK: - Readings

    /// A reading begins. What was done before is in it.
    ///
    /// - Returns: its number.
    mutating func begin() -> Int64 {
        begun += 1
        return begun
    }

    /// The feed has what a reading brought.
    mutating func take(_ reading: Int64) {
        taken = max(taken, reading)
        end(reading)
    }

    /// A reading is over, whether or not it brought something.
    mutating func end(_ reading: Int64) {
        for one in waiting where one.reading <= reading { one.continuation.resume() }
        waiting.removeAll { $0.reading <= reading }
    }

    /// Resumes once a reading is over that has not begun yet.
    mutating func wait(_ continuation: CheckedContinuation<Void, Never>) {
        waiting.append((begun + 1, continuation))
    }

    /// Nothing more is read.
    mutating func close() {
        sweeping?.cancel()
        end(.max)
    }
}
