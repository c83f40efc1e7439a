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
        case .fetch(let item): [("do", "fetch"), ("item", item)]
        case .fetchLinks(let isWanted): [("do", isWanted ? "fetch-always" : "fetch-on-request")]
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
        case .answer(let answer): fields(answer)
        case .changeOptions(let added, let removed):
            added.map { ("added", $0) } + removed.map { ("removed", $0) }
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
        case .answer: "answer"
        case .changeOptions: "options"
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
            + (item.quantity.map { [("quantity", String($0))] } ?? []) + item.options.map { ("option", $0) }
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
        case "ask": self = .add([try Self.question { form[$0] }])
        case "unwish": self = .unwish(offer: try form.digits("offer"))
        case "uncomment": self = .uncomment(item: try form.item(), comment: try form.digits("comment"))
        case "fetch": self = .fetch(try form.item())
        case "fetch-always": self = .fetchLinks(true)
        case "fetch-on-request": self = .fetchLinks(false)
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
