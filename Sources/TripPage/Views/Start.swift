import TripModel
package import TripService

/// What somebody wants to begin with: a trip of their own, or a friend's.
package enum StartForm: Hashable, Sendable {
    case new(title: String, name: String)
    case join(link: String, name: String)
    /// Joins one's own trip, as another device of this name.
    case device(link: String, name: String)
    /// Restores a backup. Its file and its passphrase are kept nowhere.
    case restore

    /// Reads a form that a browser sent; nil for another one.
    package init?(_ field: (String) -> String?) {
        let name = field("name") ?? ""
        // The link is pasted, often with the message around it.
        let pasted = TextClasses.trimmed(field("link") ?? "")
        let link = InviteText.link(in: pasted) ?? pasted
        switch field("do") {
        case "new": self = .new(title: field("title") ?? "", name: name)
        case "join": self = .join(link: link, name: name)
        case "device": self = .device(link: link, name: name)
        default: return nil
        }
    }
}

/// What became of a form to begin with.
package enum StartState: Hashable, Sendable {
    case asking
    /// It was refused, for a reason that says what to do.
    case refused(StartForm, String)
    /// Somebody asked to be let in, and waits for a member.
    case joining
}

extension TripPage {
    /// The page on which somebody starts a trip or joins one: a document of its own, with no script.
    package static func startDocument(_ state: StartState, trips: [TripEntry]) -> String {
        let html = tag(.html, .plain(.lang, "en"), .plain(.dir, "ltr")) {
            tag(.head) {
                tag(.meta, .plain(.charset, "utf-8"))
                tag(.title) { "Start or join a trip" }
                tag(.meta, .plain(.name, "viewport"), .plain(.content, "width=device-width, initial-scale=1"))
                tag(.meta, .plain(.name, "color-scheme"), .plain(.content, "light dark"))
                tag(.link, .plain(.rel, "stylesheet"), .href(style.address))
            }
            tag(.body) {
                tag(.div, .class("page")) {
                    tag(.main, .id("main")) {
                        tag(.h1) { "Start or join a trip" }
                        if state == .joining { waiting } else { startForms(state) }
                        if !trips.isEmpty {
                            tag(.section, .class("view", "trips"), .aria(.labelledby, "trips-title")) {
                                tag(.h2, .id("trips-title")) { "Your trips" }
                                tag(.ul, .class("trip-list")) {
                                    trips.map { tripRow($0, isShown: false, among: trips) }
                                }
                            }
                        }
                    }
                }
            }
        }
        return "<!DOCTYPE html>" + html.rendered
    }

    private static var waiting: HTML {
        tag(.section, .class("view"), .plain(.role, "status")) {
            tag(.h2) { "Waiting for a member" }
            tag(.p) {
                "A member who is on the same network, or uses the trip’s mailbox, lets you in. Their Caravan must be running."
            }
            tag(.p) { tag(.a, .class("button", "primary"), .href(.page(startPath))) { "Check now" } }
        }
    }

    private static func startForms(_ state: StartState) -> HTML {
        var refused: (form: StartForm, reason: String)?
        if case .refused(let form, let reason) = state { refused = (form, reason) }
        var (title, newName) = ("", "")
        // Only the browsers of this home see this page, and the one that pasted a link has seen it.
        var (joined, joinName, paired, deviceName) = ("", "", "", "")
        var problems: [String: String] = [:]
        switch refused?.form {
        case .new(let typed, let name): (title, newName, problems["new"]) = (typed, name, refused?.reason)
        case .join(let link, let name): (joined, joinName, problems["join"]) = (link, name, refused?.reason)
        case .device(let link, let name): (paired, deviceName, problems["device"]) = (link, name, refused?.reason)
        case .restore: problems["restore"] = refused?.reason
        case nil: break
        }
        return .group([
            startForm(
                "new", "Start a trip", button: "Start", problem: problems["new"],
                [
                    ("title", "What is it called?", "Lisbon in June", title), ("name", "Your name", "", newName),
                ]),
            startForm(
                "join", joinHeading, button: "Join", problem: problems["join"],
                [
                    ("link", "The link that a friend sent you", "caravan:…", joined),
                    ("name", "Your name", "", joinName),
                ]),
            tag(.details, .class("start-more"), .flag(.open, problems["device"] != nil || problems["restore"] != nil)) {
                tag(.summary) { moreHeading }
                startForm(
                    "device", "Use this computer as your second device", button: "Add this computer",
                    problem: problems["device"],
                    hint:
                        "On your first device, open “Devices and backup” and press “Add another device”: it shows the link.",
                    [
                        ("link", "The link that your first device shows", "caravan:…", paired),
                        ("name", "A name for this computer", "Laptop", deviceName),
                    ])
                restoreForm(problem: problems["restore"])
            },
        ])
    }

    static let joinHeading = "Join a friend’s trip"
    /// The line behind which the forms for a second device and a backup are: texts that lead to them name it.
    package static let moreHeading = "You already have a trip on another computer, or a backup"

    private static func startProblem(_ problem: String?) -> HTML? {
        problem.map { problem in
            // The browser leads to it: it may be far below.
            tag(
                .p, .class("note", "problem"), .plain(.role, "alert"), .plain(.tabindex, -1), .plain(.dir, "auto"),
                .flag(.autofocus)
            ) {
                PlainWords.told(problem) + "."
            }
        }
    }

    private static func restoreForm(problem: String?) -> HTML {
        tag(.section, .class("view"), .aria(.labelledby, "restore-title")) {
            tag(.h2, .id("restore-title")) { "Restore a backup" }
            startProblem(problem)
            tag(.p, .class("hint")) {
                "Only if the computer that made the backup is lost, or no longer runs the trip. Photos come from the other members."
            }
            tag(
                .form, .class("secret-form"), .plain(.method, "post"), .action(PagePath(["start", "restore"])),
                .plain(.enctype, "multipart/form-data")
            ) {
                tag(.label, .plain(.for, "restore-file")) { "The backup’s file" }
                tag(
                    .input, .id("restore-file"), .plain(.name, "backup"), .plain(.type, "file"), .flag(.required))
                secretField("passphrase", "Its passphrase", id: "restore-passphrase", isNew: false)
                tag(.button, .class("button", "primary"), .plain(.type, "submit")) { "Restore" }
            }
        }
    }

    private static func startForm(
        _ name: String, _ heading: String, button: String, problem: String?, hint: String? = nil,
        _ fields: [(name: String, label: String, placeholder: String, value: String)]
    ) -> HTML {
        tag(.section, .class("view"), .aria(.labelledby, name + "-heading")) {
            tag(.h2, .id(name + "-heading")) { heading }
            startProblem(problem)
            if let hint { tag(.p, .class("hint")) { hint } }
            tag(.form, .class("edit"), .plain(.method, "post"), .action(startPath)) {
                hidden("do", name)
                for field in fields {
                    let id = "\(name)-\(field.name)"
                    tag(.div, .class("field")) {
                        tag(.label, .plain(.for, id)) { field.label }
                        tag(
                            .input, .id(id), .plain(.name, field.name), .plain(.type, "text"),
                            .plain(.value, field.value),
                            .plain(.placeholder, field.placeholder), .plain(.maxlength, linkMax),
                            .plain(.autocomplete, field.name == "name" ? "given-name" : "off"), .plain(.dir, "auto"),
                            .flag(.required))
                    }
                }
                tag(.div, .class("actions")) {
                    tag(.button, .class("button", "primary"), .plain(.type, "submit")) { button }
                }
            }
        }
    }

    static let startPath = PagePath(["start"])
    /// In characters: an invite with four mailboxes is shorter.
    private static let linkMax = 4_096
}
