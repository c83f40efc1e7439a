import Attachments
import TripExchange
import TripModel
import TripService

extension PageAction {
    /// The form's names and values, in order; `init(fields:)` makes the same action of them.
    package var fields: [(name: String, value: String)] {
        switch self {
        case .add(let items): [("do", "add")] + items.flatMap(Self.fields)
        case .importList(let text): [("do", "import"), ("list", text)]
        case .share(let source, let offer): [("do", "share"), ("from", source.text), ("offer", offer)]
        case .keep(let source, let offer): [("do", "keep"), ("from", source.text), ("offer", offer)]
        case .wish(let items): [("do", "wish")] + items.flatMap(Self.fields)
        case .unwish(let offer): [("do", "unwish"), ("offer", offer)]
        case .act(let action, let items): [("do", Self.word(action))] + items.map { ("item", $0) } + Self.fields(action)
        case .uncomment(let item, let comment): [("do", "uncomment"), ("item", item), ("comment", comment)]
        case .see(let items): [("do", "see")] + items.map { ("item", $0) }
        case .undo: [("do", "undo")]
        case .invite: [("do", "invite")]
        case .closeInvite(let invite): [("do", "close-invite"), ("invite", invite)]
        case .keepInvite(let invite): [("do", "keep-invite"), ("invite", invite)]
        case .takeOut(let member, let withContributions):
            [("do", "take-out"), ("member", member)] + (withContributions ? [("contributions", "yes")] : [])
        case .keepMember(let member): [("do", "keep-member"), ("member", member)]
        case .removeDevice(let device): [("do", "remove-device"), ("device", device)]
        case .addDevice, .passphrase: safetyFields
        case .openToGuests(let minutes):
            [("do", "open-to-guests"), ("minutes", minutes.map(String.init) ?? Self.always)]
        case .closeToGuests: [("do", "close-to-guests")]
        case .mailbox(let act): Self.fields(act)
        case .renameTrip(let title): [("do", "rename-trip"), ("title", title)]
        case .renameSelf(let name): [("do", "rename-self"), ("name", name)]
        case .archive(let isArchived): [("do", isArchived ? "archive" : "reopen")]
        case .expense(let form): form.fields
        case .plan(let item, let plan, let shown):
            [("do", "schedule"), ("item", item)]
                + [("day", plan.day), ("start", plan.start), ("length", plan.length)].compactMap { name, value in
                    value.map { (name, $0) }
                } + shown.map { ("shown-dates", $0) }
        }
    }

    /// A form lists nothing and checks nothing: the page shows both anyway.
    private static func fields(_ act: MailboxAct) -> [(name: String, value: String)] {
        switch act {
        case .add(let place):
            [("do", "add-mailbox"), ("address", place.address)]
                + [("code", place.code), ("proxy", place.proxy), ("certificates", place.certificates)]
                .compactMap { name, value in value.map { (name, $0) } }
        case .remove(let mailbox): [("do", "remove-mailbox"), ("mailbox", mailbox)]
        case .list, .test: [("do", "test-mailboxes")]
        }
    }

    private static func fields(_ action: ItemAction) -> [(name: String, value: String)] {
        switch action {
        case .edit(let fields, let shown):
            [("write", names(fields.keys))]
                + fields.sorted { $0.key < $1.key }.map { ($0.key.name, $0.value ?? "") }
                + (shown.isEmpty ? [] : [("saw", names(shown.keys))])
                + shown.sorted { $0.key < $1.key }.flatMap { field, values in
                    values.map { ("shown-" + field.name, $0) }
                }
        case .remove, .restore: []
        case .vote(let vote): [("vote", word(vote))]
        case .mark(let field, let isSet): [("mark", field.name), ("set", isSet ? "yes" : "no")]
        case .plan(let text, let shown):
            [("dates", text ?? "")] + (shown.map { [("saw", "dates")] + $0.map { ("shown-dates", $0) } } ?? [])
        case .setQuantity(let count): [("quantity", String(count))]
        case .changeQuantity(let step): [("by", String(step))]
        case .claim(let count): [("mine", count.map { $0 == 1 ? "yes" : String($0) } ?? "no")]
        case .attend(let attendance): [("attendance", word(attendance))]
        case .changeAmenities(let added, let removed):
            added.map { ("added", $0) } + removed.map { ("removed", $0) }
        case .comment(let text): [("text", text)]
        case .attach(let photos): photos.map { ("photo", $0.digits) }
        case .detach(let photos): photos.map { ("photo", $0.description) }
        }
    }

    private static func word(_ action: ItemAction) -> String {
        switch action {
        case .edit: "edit"
        case .remove: "remove"
        case .restore: "restore"
        case .vote: "vote"
        case .mark: "mark"
        case .plan: "plan"
        case .changeQuantity: "count"
        case .setQuantity: "set-quantity"
        case .claim: "claim"
        case .attend: "attend"
        case .changeAmenities: "amenities"
        case .comment: "comment"
        case .attach: "put-back"
        case .detach: "detach"
        }
    }

    /// The value of a vote, or of an answer, in a form.
    static func word(_ vote: Vote?) -> String { vote?.name ?? "none" }
    static func word(_ attendance: Attendance?) -> String { attendance?.name ?? "none" }

    /// The title begins an item; what follows is that item's.
    private static func fields(_ item: NewItem) -> [(name: String, value: String)] {
        [("title", item.title)]
            + item.fields.filter { $0.key != .title }.sorted { $0.key < $1.key }.map { ($0.key.name, $0.value) }
            + (item.quantity.map { [("quantity", String($0))] } ?? [])
    }

    private static func names(_ fields: some Sequence<Field>) -> String {
        fields.sorted().map(\.name).joined(separator: ",")
    }

    /// Reads a form, decoded, that a browser sent. What it does not know is passed over: `stream`, `action`, `back`.
    ///
    /// - Throws: one line that says what is wrong with it.
    package init(fields: [(name: String, value: String)]) throws(PageFormError) {
        guard fields.count <= Self.fieldsMax else {
            throw PageFormError("this form has more than \(Self.fieldsMax) fields: send fewer at once")
        }
        let form = FormFields(Self.joiningDays(fields))
        switch form["do"] {
        case "add": self = .add(try form.newItems())
        case "import": self = .importList(form["list"] ?? "")
        case "share": self = .share(from: try form.source(), offer: try form.digits("offer"))
        case "keep": self = .keep(from: try form.source(), offer: try form.digits("offer"))
        case "wish": self = .wish(try form.newItems())
        case "unwish": self = .unwish(offer: try form.digits("offer"))
        case "uncomment": self = .uncomment(item: try form.item(), comment: try form.digits("comment"))
        case "see": self = .see(form["item"] == nil ? [] : try form.items())
        case "undo": self = .undo
        case "invite": self = .invite
        case "close-invite": self = .closeInvite(try form.digits("invite"))
        case "keep-invite": self = .keepInvite(try form.digits("invite"))
        case "take-out":
            self = .takeOut(member: try form.digits("member"), withContributions: form["contributions"] == "yes")
        case "keep-member": self = .keepMember(member: try form.digits("member"))
        case "remove-device": self = .removeDevice(try form.digits("device"))
        case "add-device", "set-passphrase", "remove-passphrase": self = try Self.safety { form[$0] }
        case "open-to-guests": self = .openToGuests(minutes: try form.minutes())
        case "close-to-guests": self = .closeToGuests
        case "expense":
            self = .expense(ExpenseForm(pairs: fields, item: form["item"] == nil ? nil : try form.item()))
        case "schedule":
            self = .plan(try form.item(), try form.typedPlan(), shown: form.all("shown-dates"))
        case "rename-trip": self = .renameTrip(TextClasses.trimmed(form["title"] ?? ""))
        case "rename-self": self = .renameSelf(TextClasses.trimmed(form["name"] ?? ""))
        case "archive": self = .archive(true)
        case "reopen": self = .archive(false)
        case "add-mailbox": self = .mailbox(.add(try form.mailboxPlace()))
        case "remove-mailbox": self = .mailbox(.remove(form["mailbox"] ?? ""))
        case "test-mailboxes": self = .mailbox(.test)
        default: self = .act(try form.itemAction(), on: try form.items())
        }
    }
}

/// The names and values of a form that came from a browser, in its order.
private struct FormFields {
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
        case "put-back": .attach(try photos(PhotoManifest.init(digits:)))
        case "detach": .detach(try photos(PhotoID.init))
        default: throw PageFormError("the page doesn’t know this form: reload the page")
        }
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
        return TypedPlan(day: day, start: start, length: start == "none" ? "none" : typed("length"))
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

    /// `what` is the box in which people type a name or paste a link, `lines` an item a line; `title` begins an item that
    /// is told field by field.
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
        return lines.compactMap { NewItem(line: $0) }
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
