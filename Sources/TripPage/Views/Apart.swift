import TripService

extension TripPage {
    /// The id of the section about mailboxes, for links to it.
    static let apartID = "apart"

    /// The trip's mailboxes, where members who are apart leave blocks for each other; nothing for a guest.
    static func apartView(_ state: PageState) -> HTML {
        guard !state.viewer.isGuest else { return .none }
        let mailboxes = state.status.mailboxes
        return tag(.section, .id(apartID), .class("view", "apart"), .aria(.labelledby, "apart-title")) {
            tag(.h2, .id("apart-title")) { "Meet when apart" }
            tag(.p) {
                "Members who are never online together, or never on one network, can sync through a mailbox. It is a folder "
                "that some tool syncs (Nextcloud, Syncthing, Dropbox, a USB stick), or a server."
            }
            if !mailboxes.isEmpty {
                tag(.ul, .class("mailboxes")) { mailboxes.map { mailbox($0, state) } }
                actionButton(
                    .mailbox(.test), state: state, label: mailboxes.count == 1 ? "Test it" : "Test all of them",
                    description: mailboxes.count == 1 ? "Test the mailbox" : "Test all mailboxes")
            }
            if state.status.removal == nil { mailboxForm(state, isFirst: mailboxes.isEmpty) }
            tag(.h3) { "Who can see what" }
            tag(.p, .class("hint")) {
                "Only members can read names, texts, votes and photos. The operator of a mailbox, and others who can list it, see "
                "when something is left there, how large it is in steps, about how many computers the trip has, and their network "
                "addresses. A removed member can’t read what members write after they receive the removal. As long as the mailbox "
                "has the password that they know, they can delete what is there or fill it."
            }
        }
    }

    private static func mailbox(_ mailbox: MailboxView, _ state: PageState) -> HTML {
        let id = "mailbox-\(mailbox.number)"
        return tag(.li, .id(id), .class("mailbox")) {
            tag(.strong, .plain(.dir, "ltr")) { mailbox.address }
            if let problem = mailbox.problem {
                tag(.p, .class("note", "problem"), .plain(.dir, "auto")) { "Doesn’t work: \(problem)" }
            } else if let reached = mailbox.lastReached {
                tag(.p, .class("hint", "has")) {
                    "✓ works, last read "
                    moment(reached, state: state)
                }
            } else {
                tag(.p, .class("hint")) { "no sync through it yet; Caravan does that by itself" }
            }
            tag(.details) {
                tag(.summary, .class("text")) { "Share it with the others" }
                tag(.p) {
                    "Send this code to the other members. Each adds the same mailbox, on this part of their page or with the "
                    "command, and with the folder or address that works on their computer."
                }
                copyField(mailbox.code, label: "Code", button: "Copy code", id: id + "-code")
                copyField(
                    "caravan mailbox add \(mailbox.address.hasPrefix("/") ? "FOLDER" : "ADDRESS") --code \(mailbox.code)",
                    label: "Command", button: "Copy command", id: id + "-command")
            }
            tag(.details, .class("take-out"), .data(.mark, "confirm")) {
                tag(.summary, .class("text"), .aria(.label, "Remove \(mailbox.address)…")) { "Remove…" }
                tag(.div, .class("confirm")) {
                    tag(.p) {
                        "This computer stops using the mailbox. What is in it stays there. To use it again, you need its address, "
                        "its password and its code."
                    }
                    actionButton(
                        .mailbox(.remove(mailbox.address)), state: state, label: "Remove this mailbox",
                        class: "button danger")
                }
            }
        }
    }

    private static let addressMax = 2_048
    private static let codeMax = 64

    /// What is typed into it may be a password: nothing keeps it, neither the script nor the browser.
    private static func mailboxForm(_ state: PageState, isFirst: Bool) -> HTML {
        actionForm([("do", "add-mailbox")], PageTarget(state), class: "new-mailbox") {
            tag(.h3) { isFirst ? "Add a mailbox" : "Add another mailbox" }
            tag(.label, .plain(.for, "mailbox-address")) { "Folder or address" }
            tag(
                .input, .id("mailbox-address"), .plain(.name, "address"), .plain(.type, "text"), .plain(.dir, "ltr"),
                .plain(.maxlength, addressMax), .plain(.placeholder, "/srv/you/Nextcloud/trip"),
                .plain(.autocomplete, "off"), .plain(.autocapitalize, "off"), .plain(.spellcheck, "false"),
                .flag(.required), .aria(.describedby, "mailbox-hint"), .data(.mark, "secret"))
            tag(.p, .id("mailbox-hint"), .class("hint")) {
                "A folder’s whole path, "
                tag(.kbd) { "https://…" }
                " for WebDAV, or "
                tag(.kbd) { "tls://…" }
                " for NATS. A password in the address stays on this computer, encrypted, and is never shown."
            }
            tag(.label, .plain(.for, "mailbox-code")) { "Code from another member" }
            tag(
                .input, .id("mailbox-code"), .plain(.name, "code"), .plain(.type, "text"), .plain(.dir, "ltr"),
                .plain(.maxlength, codeMax), .plain(.autocomplete, "off"), .plain(.autocapitalize, "off"),
                .plain(.spellcheck, "false"), .aria(.describedby, "code-hint"))
            tag(.p, .id("code-hint"), .class("hint")) {
                "Leave it empty if nobody has added this mailbox yet: you get a new code."
            }
            tag(.details) {
                tag(.summary, .class("text")) { "Proxy and certificates" }
                advancedField(
                    "proxy", label: "Proxy", placeholder: "socks5h://127.0.0.1:9050", mark: "secret",
                    hint: "For WebDAV only, for example to use Tor.")
                advancedField(
                    "certificates", label: "Certificates", placeholder: "/etc/ssl/box.pem", mark: nil,
                    hint:
                        "A file’s whole path. The server is trusted if the file has its certificate, and the system’s certificates "
                        + "don’t count.")
            }
            tag(.button, .class("button", "primary"), .plain(.type, "submit")) { "Add and test" }
        }
    }

    @HTMLBuilder
    private static func advancedField(
        _ name: String, label: String, placeholder: String, mark: String?, hint: String
    ) -> HTML {
        let id = "mailbox-\(name)"
        tag(.label, .plain(.for, id)) { label }
        tag(
            .input, .id(id), .plain(.name, name), .plain(.type, "text"), .plain(.dir, "ltr"),
            .plain(.maxlength, addressMax), .plain(.placeholder, placeholder), .plain(.autocomplete, "off"),
            .plain(.autocapitalize, "off"), .plain(.spellcheck, "false"), .aria(.describedby, id + "-hint"),
            mark.flatMap { .data(.mark, $0) })
        tag(.p, .id(id + "-hint"), .class("hint")) { hint }
    }
}
