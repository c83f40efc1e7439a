import TripModel
import TripPage

/// What a trip's feed holds of notes, in memory alone: on which page somebody writes, the texts that pages were shown last, and which
/// reading of the trip is the latest.
struct NoteDesk: Sendable {
    /// The streams on which people here said last that they write.
    private var seats: [ParticipantID: String] = [:]
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
    /// How long somebody pauses who goes on with what they wrote.
    static let pause = Duration.seconds(60)
    static let textsMax = 256
    static let bytesMax = 8 << 20

    /// - Parameter now: in milliseconds since 1970.
    init(at now: Int64) { (begun, taken) = (now, now) }

    // MARK: - Who writes

    /// Notes on which page somebody writes.
    mutating func sit(_ participant: ParticipantID, on stream: String) { seats[participant] = stream }

    /// Notes that they no longer write on a page.
    ///
    /// - Returns: whether they write on no other one.
    mutating func leave(_ participant: ParticipantID, _ stream: String) -> Bool {
        guard seats[participant] == stream else { return false }
        seats[participant] = nil
        return true
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
        end(.max)
    }
}
