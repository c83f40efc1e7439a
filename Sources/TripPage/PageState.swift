package import TripModel
package import TripService

/// All that a page shows: drawing it is a function of this and of nothing else.
package struct PageState: Sendable {
    /// By which the trip's addresses begin: `/t/ID`.
    package var tripID: String
    package var trip: TripView
    package var members: MembersView
    package var status: StatusView
    /// What happened last, at most `historyMax` changes.
    package var history: HistoryView
    /// The open invite that the members' view shows, there with its QR code.
    package var invite: InviteView?
    package var inviteCode: CodePicture?
    /// The open invites that were made before that one, the newest first.
    package var earlierInvites: [InviteView] = []
    /// The open invite for another device of the reader's, with its QR code.
    package var deviceInvite: InviteView?
    package var deviceCode: CodePicture?
    /// Whether the trip's keys are under a passphrase.
    package var isUnderPassphrase = false
    /// The trips of this home, the one that is shown among them; empty for a guest.
    package var trips: [TripEntry]
    package var viewer: Viewer
    /// What they share from, where that is shown; nil for a guest, whose host's it would be.
    package var sources: Sources?
    /// What others added, changed or commented on since the reader last saw it; empty for a guest.
    package var news: Set<ItemID>
    package var query: PageQuery
    /// The id of the card, or of the row, that is being drawn: its links and forms lead back to it on a page without script.
    var part: String?
    /// Of the trip's items: those that are missing are folded where something is searched for.
    package var texts: FoldedTexts
    /// What is known of the land around the places; empty where no data is installed.
    package var land: Land
    /// Whether guests are let in now, and how they get here.
    package var guests: GuestDoor?
    /// Another trip of this home that guests can use now; nil for a guest.
    package var guestsElsewhere: DoorElsewhere?
    /// When a guest's page closes, in milliseconds since 1970; nil where it stays open.
    package var guestsUntil: Int64?
    /// The private address of the trip's calendar; nil for a guest.
    package var calendar: String?
    /// Who writes in which note now.
    package var writers: [NoteWriter] = []
    /// Which reading of the trip this is: a page takes no note for newer than it is.
    package var reading: Int64 = 0
    /// What was just done, and how it is taken back.
    package var toast: Toast?
    /// Milliseconds since 1970.
    package var now: Int64
    /// The reader's offset, in seconds east of UTC, for readers without script.
    package var secondsFromUTC: Int64

    package static let historyMax = 200

    package init(
        tripID: String, trip: TripView, members: MembersView, status: StatusView, history: HistoryView,
        invite: InviteView? = nil, inviteCode: CodePicture? = nil, trips: [TripEntry] = [], viewer: Viewer,
        sources: Sources? = nil, news: Set<ItemID> = [],
        query: PageQuery = PageQuery(), texts: FoldedTexts = FoldedTexts(), land: Land = Land(),
        guests: GuestDoor? = nil, guestsUntil: Int64? = nil, calendar: String? = nil,
        toast: Toast? = nil, now: Int64,
        secondsFromUTC: Int64 = 0
    ) {
        self.tripID = tripID
        self.trip = trip
        self.members = members
        self.status = status
        self.history = history
        self.invite = invite
        self.inviteCode = inviteCode
        self.trips = trips
        self.viewer = viewer
        self.sources = sources
        self.news = news
        self.query = query
        self.texts = texts
        self.land = land
        self.guests = guests
        self.guestsUntil = guestsUntil
        self.calendar = calendar
        self.toast = toast
        self.now = now
        self.secondsFromUTC = secondsFromUTC
    }
}

extension PageState {
    /// The member whose node draws the page: on a guest's page their host, on any other its reader.
    var host: String { status.you }

    /// The title of the other trip that guests can use now, in quotation marks; nil where there is none.
    package var tripOfGuests: String? {
        guestsElsewhere.map { other in
            let title = trips.first { $0.id == other.trip }?.title ?? ""
            return (title.isEmpty ? "Untitled trip" : title).quoted
        }
    }

    /// The same for what stands in a row of a list, by its id: what it links to is around it.
    func around(row: Int, id: String) -> PageState {
        var state = within(id)
        state.query.at = ListWindow.at(row: row)
        return state
    }

    /// The same for what stands in a card, by its id.
    func within(_ id: String) -> PageState {
        var state = self
        state.part = id
        return state
    }
}

/// Who looks at the page.
package struct Viewer: Hashable, Sendable {
    /// Nil for a guest who has not said who they are.
    package var participant: ParticipantID?
    /// Whether somebody looks who is here as a guest: they see, add, vote and photograph, and reach nothing else.
    package var isGuest: Bool

    package init(participant: ParticipantID?, isGuest: Bool = false) {
        self.participant = participant
        self.isGuest = isGuest
    }
}

extension TripView {
    /// The name that a viewer set, without what tells it apart from other people's names; nil for a viewer who set none.
    package func ownName(of viewer: Viewer) -> String? { viewer.participant.flatMap { participant($0)?.name } }
}

/// A QR code as it is drawn: rows of modules, true for dark.
package struct CodePicture: Hashable, Sendable {
    package let rows: [[Bool]]
    package init(rows: [[Bool]]) { self.rows = rows }
}

/// The door that is open to guests.
package struct GuestDoor: Hashable, Sendable {
    /// What guests open, with the code that admits their phones.
    package let link: String
    package let code: CodePicture?
    /// Milliseconds since 1970; nil for one that is always open on this network.
    package let closes: Int64?
    /// How many phones the code admitted.
    package let arrived: Int

    /// How many phones one code admits: scanners that only fetch a preview count too.
    package static let phonesMax = 32

    package init(link: String, code: CodePicture?, closes: Int64?, arrived: Int) {
        self.link = link
        self.code = code
        self.closes = closes
        self.arrived = arrived
    }
}

/// The door of another trip of this home. Guests can use one trip at a time.
package struct DoorElsewhere: Hashable, Sendable {
    package let trip: String
    /// Milliseconds since 1970; nil for one that is always open on this network.
    package let closes: Int64?

    package init(trip: String, closes: Int64?) {
        self.trip = trip
        self.closes = closes
    }
}

/// A line about what was just done, for 8 s, and the form that takes it back.
package struct Toast: Hashable, Sendable {
    package let text: String
    package let undo: PageAction?
    /// Whether it is taken back by undoing what the person did last, whatever it took.
    package let undoesLast: Bool
    /// Whether something went wrong.
    package let isProblem: Bool
    /// The form that it is about, with what is wrong in it.
    package let refused: RefusedExpense?
    /// The form of a plan that it is about.
    package let refusedPlan: RefusedPlan?
    /// The form of a card that it is about.
    package let refusedEdit: RefusedEdit?
    /// The form whose refusal it says, as its names and values: a page without script shows it again as it was typed.
    package var typed: [String: [String]] = [:]
    /// What such forms do. Of others, passphrases among them, nothing is kept.
    package static let shownAgain: Set = ["add", "answer", "ask", "comment", "edit", "options"]
    /// The short id of an item that it leads to: what was added may lie far below.
    package let shows: String?

    package init(
        _ text: String, undo: PageAction? = nil, undoesLast: Bool = false, isProblem: Bool = false,
        refused: RefusedExpense? = nil, refusedPlan: RefusedPlan? = nil, refusedEdit: RefusedEdit? = nil,
        shows: String? = nil
    ) {
        self.shows = shows
        self.text = text
        self.undo = undoesLast ? .undo : undo
        self.undoesLast = undoesLast
        self.isProblem = isProblem
        self.refused = refused
        self.refusedPlan = refusedPlan
        self.refusedEdit = refusedEdit
    }

    /// The lines within the form that it is about, which say what is wrong; empty where it is about none.
    package var faultLines: [Fragment] {
        (refused.map(TripPage.faultLines) ?? []) + (refusedPlan.map { [TripPage.faultLine($0)] } ?? [])
            + (refusedEdit.map(TripPage.faultLines) ?? [])
    }
}

extension PageState {
    /// What was typed into a form that was refused, by the names of its controls; nil where it was another form.
    func typed(in deed: String, of item: String? = nil) -> [String: [String]]? {
        toast?.typed["do"] == [deed] && (item == nil || toast?.typed["item"] == item.map { [$0] }) ? toast?.typed : nil
    }
}

/// Coast lines and towns around the trip's places.
package struct Land: Hashable, Sendable {
    package struct Point: Hashable, Sendable {
        /// In degrees.
        package let latitude, longitude: Double
        package init(latitude: Double, longitude: Double) {
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    package struct Town: Hashable, Sendable {
        package let name: String
        package let point: Point
        package let population: Int
        package init(name: String, point: Point, population: Int) {
            self.name = name
            self.point = point
            self.population = population
        }
    }

    /// Rings, not closed by a last point, each with what it encloses on its left: land, a lake in it, an island in that.
    /// Their even-odd filling is the land; empty where that is not known.
    package let coasts: [[Sphere.Direction]]
    package let towns: [Town]
    /// Whether it is still looked up.
    package let isAwaited: Bool

    package init(coasts: [[Sphere.Direction]] = [], towns: [Town] = [], isAwaited: Bool = false) {
        self.coasts = coasts
        self.towns = towns
        self.isAwaited = isAwaited
    }
}
