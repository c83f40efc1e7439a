import Attachments
import TripModel
import TripService

/// The names and values of a form that came from a browser, in its order.
struct FormFields {
    let pairs: [(name: String, value: String)]

    init(_ pairs: [(name: String, value: String)]) { self.pairs = pairs }

    subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

    func all(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

    /// Hexadecimal digits, as items, members and invites are named.
    func digits(_ name: String) throws(PageFormError) -> String {
        guard let value = self[name], Self.areDigits(value) else { throw Self.stale }
        return value
    }

    private static func areDigits(_ text: String) -> Bool {
        (4...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    private static let stale = PageFormError("this form is out of date: reload the page")

    func item() throws(PageFormError) -> String { try digits("item") }

    func items() throws(PageFormError) -> [String] {
        let items = all("item")
        guard !items.isEmpty, items.allSatisfy(Self.areDigits) else { throw Self.stale }
        guard items.count <= PageAction.itemsMax else { throw Self.tooMany }
        return items
    }

    private static let tooMany = PageFormError(
        "at most \(PageAction.itemsMax) items fit in one form: send the rest separately")

    func itemAction() throws(PageFormError) -> ItemAction {
        switch self["do"] {
        case "edit": try edit()
        case "remove": .remove
        case "restore": .restore
        case "vote": .vote(try vote())
        case "mark": .mark(try mark(), self["set"] == "yes")
        case "plan": plan()
        case "count": .changeQuantity(by: try step())
        case "set-quantity": .setQuantity(try quantity())
        case "claim": .claim(try claim())
        case "attend": .attend(try attendance())
        case "amenities": .changeAmenities(added: all("added"), removed: all("removed"))
        case "comment": .comment(try comment())
        case "answer": .answer(try PageAction.answer(pairs))
        case "options": .changeOptions(added: lines("added"), removed: all("removed"))
        case "put-back": .attach(try photos(PhotoManifest.init(digits:)))
        case "detach": .detach(try photos(PhotoID.init))
        default: throw PageFormError("the page doesn’t know this form: reload the page")
        }
    }

    /// What is typed a line each.
    private func lines(_ name: String) -> [String] {
        all(name).flatMap { $0.withLineFeeds.split(separator: "\n") }.map { TextClasses.trimmed(String($0)) }
            .filter { !$0.isEmpty }
    }

    private func mark() throws(PageFormError) -> Field {
        guard let field = self["mark"].flatMap(Field.init(named:)), field.kind == .flag else { throw Self.stale }
        return field
    }

    /// A control that was left empty clears what it stands for.
    func typedPlan() throws(PageFormError) -> TypedPlan {
        func typed(_ name: String) -> String? { self[name].map { $0.isBlank ? "none" : TextClasses.trimmed($0) } }
        guard let first = self["day"].map(TextClasses.trimmed), !first.isEmpty else {
            throw PageFormError("this plan has no day: give it one")
        }
        // Of a stay, both days.
        let day = PageAction.stay(from: first, to: typed("until"))
        let start = typed("start")
        // The length that the form showed goes with its time; another one was typed, and needs a time.
        let shown = all("shown-dates").compactMap { DateSpan($0)?.time?.length }
        let isAsShown = self["length"].flatMap(DayTime.length(typed:)).map { shown.contains($0) } ?? false
        return TypedPlan(
            day: day, start: start, length: start == "none" && isAsShown ? "none" : typed("length").map(Self.length))
    }

    /// "1h30" for "1:30", as clocks show it.
    private static func length(_ text: String) -> String {
        guard text.contains(":"), text.first != "0" || text.hasPrefix("0:"), DayTime.minute(typed: text) != nil else {
            return text
        }
        return text.replacing(":", with: "h")
    }

    private func plan() -> ItemAction {
        let text = self["dates"].map(TextClasses.trimmed) ?? ""
        return .plan(text.isEmpty ? nil : text, shown: self["saw"] == nil ? nil : all("shown-dates"))
    }

    private func quantity() throws(PageFormError) -> Int64 {
        guard let count = self["quantity"].flatMap({ Int64($0) }), (0...Limits.quantityStep).contains(count) else {
            throw PageFormError("the quantity must be a number from 0 to \(Limits.quantityStep)")
        }
        return count
    }

    /// How many the person brings; nil for none.
    private func claim() throws(PageFormError) -> Int64? {
        switch self["mine"] {
        case "no": return nil
        case "yes": return 1
        case let text:
            guard let count = text.flatMap({ Int64($0) }), (1...Limits.quantityStep).contains(count) else {
                throw Self.stale
            }
            return count
        }
    }

    private func photos<Photo>(_ read: (String) -> Photo?) throws(PageFormError) -> [Photo] {
        let photos = all("photo").compactMap(read)
        guard !photos.isEmpty, photos.count == all("photo").count else { throw Self.stale }
        return photos
    }

    private func vote() throws(PageFormError) -> Vote? {
        switch self["vote"] {
        case "for": .for
        case "against": .against
        case "if-need-be": .ifNeedBe
        case "none": nil
        default: throw PageFormError("that isn’t a vote: choose for, against or OK if need be")
        }
    }

    private func attendance() throws(PageFormError) -> Attendance? {
        let answers = [nil] + Attendance.allCases
        guard let answer = answers.first(where: { PageAction.word($0) == self["attendance"] }) else { throw Self.stale }
        return answer
    }

    private func step() throws(PageFormError) -> Int64 {
        guard let step = self["by"].flatMap({ Int64($0) }), step != 0,
            (-Limits.quantityStep...Limits.quantityStep).contains(step)
        else {
            throw PageFormError("a quantity can change by 1 to \(Limits.quantityStep) at a time: enter another number")
        }
        return step
    }

    private func comment() throws(PageFormError) -> String {
        guard let text = self["text"]?.withLineFeeds, !text.isBlank else {
            throw PageFormError("the comment is empty: write something first")
        }
        return text
    }

    func source() throws(PageFormError) -> PageQuery.Source {
        guard let source = self["from"].flatMap({ PageQuery.Source($0) }) else { throw Self.stale }
        return source
    }

    func mailboxPlace() throws(PageFormError) -> MailboxPlace {
        let address = TextClasses.trimmed(self["address"] ?? "")
        guard address.hasPrefix("/") || address.contains("://") else {
            // What was typed may be a password: it isn't repeated.
            throw PageFormError("that isn’t a mailbox: write a folder’s whole path, which starts with /, or an address")
        }
        func optional(_ name: String) -> String? {
            let text = TextClasses.trimmed(self[name] ?? "")
            return text.isEmpty ? nil : text
        }
        let certificates = optional("certificates")
        guard certificates?.hasPrefix("/") ?? true else {
            throw PageFormError("that isn’t a file of certificates: write its whole path, which starts with /")
        }
        return MailboxPlace(
            address: address, proxy: optional("proxy"), certificates: certificates, code: optional("code"))
    }

    /// Nil for always.
    func minutes() throws(PageFormError) -> Int? {
        let (text, range) = (self["minutes"] ?? "", GuestPass.minutesRange)
        if text == PageAction.always { return nil }
        if let minutes = Int(text), range.contains(minutes) { return minutes }
        throw PageFormError("guests can join for 1 to \(range.upperBound) minutes: choose another time")
    }

    /// `what` is the box in which people type a name or paste a link, `lines` an item or a link a line; `title` begins an
    /// item that is told field by field.
    func newItems() throws(PageFormError) -> [NewItem] {
        var items: [NewItem] = []
        for (name, value) in pairs {
            switch name {
            case "what": items += [NewItem(typed: value)].compactMap(\.self)
            case "lines": items += try Self.items(lines: value)
            case "title": items.append(NewItem(title: value))
            default:
                guard !items.isEmpty else { continue }
                if name == "quantity", !value.isEmpty {
                    guard let quantity = Int64(value), (1...Limits.quantityStep).contains(quantity) else {
                        throw PageFormError("the quantity must be a number from 1 to \(Limits.quantityStep)")
                    }
                    items[items.count - 1].quantity = quantity
                } else if name == "option" {
                    items[items.count - 1].options.append(value)
                } else if let field = Field(named: name), field != .title, !value.isEmpty {
                    items[items.count - 1].fields[field] = value.withLineFeeds
                }
            }
            guard items.count <= PageAction.itemsMax else { throw Self.tooMany }
        }
        guard !items.isEmpty, items.allSatisfy({ !$0.title.isBlank }) else {
            throw PageFormError("there’s nothing to add: paste a link or type a name")
        }
        return items
    }

    private static func items(lines: String) throws(PageFormError) -> [NewItem] {
        let lines = lines.withLineFeeds.split(separator: "\n", maxSplits: PageAction.itemsMax)
        guard lines.count <= PageAction.itemsMax else { throw tooMany }
        return lines.compactMap { NewItem(line: $0)?.withLinkOfTitle }
    }

    // MARK: - Editing

    /// `fields` names what the form shows: what is left as it was shown is not written. `write` names what is written
    /// whatever was shown, as it is where one of several proposals is picked. Of what `saw` names, no value was shown
    /// beyond those that are sent.
    private func edit() throws(PageFormError) -> ItemAction {
        var fields: [Field: String] = [:]
        var shown: [Field: [String]] = [:]
        for field in try named("saw") { shown[field] = values(shown: field) }
        for field in try named("fields") {
            let seen = values(shown: field)
            guard let value = self[field.name]?.withLineFeeds, value != seen.first ?? "" else { continue }
            // A control holds a day and a time in words.
            if field.kind == .dates || field.kind == .day, field.normalized(value) == seen.first { continue }
            // Words say what a place is called, and not where it is.
            let name = field == .place && WebAddress(value) == nil ? PlaceReading(value) : nil
            if let name, name.coordinates == nil, let words = name.name, (self[Field.address.name] ?? "").isBlank {
                (fields[.address], shown[.address]) = (words, values(shown: .address))
                if !seen.isEmpty { (fields[.place], shown[.place]) = ("", seen) }
                continue
            }
            fields[field] = value
            shown[field] = seen
        }
        for field in try named("write") {
            guard let value = self[field.name] else { throw Self.stale }
            fields[field] = value.withLineFeeds
        }
        return .edit(
            fields.mapValues { $0.isBlank ? String?.none : $0 }, shown: shown.filter { fields[$0.key] != nil })
    }

    private func values(shown field: Field) -> [String] { all("shown-" + field.name).map(\.withLineFeeds) }

    private func named(_ name: String) throws(PageFormError) -> [Field] {
        var fields: [Field] = []
        for name in (self[name] ?? "").split(separator: ",", maxSplits: Field.texts.count) {
            guard let field = Field(named: String(name)) else { throw Self.stale }
            fields.append(field)
        }
        return fields
    }
}
