import TripService

// Other devices of the reader, the trip's passphrase, and backups.
extension TripPage {
    static func safetyView(_ state: PageState) -> HTML {
        guard !state.viewer.isGuest else { return .none }
        return .group([deviceView(state), passphraseView(state), backupView(state)])
    }

    private static func section(_ id: String, _ title: String, @HTMLBuilder _ content: () -> HTML) -> HTML {
        tag(.section, .class("view", "safety"), .aria(.labelledby, id + "-title")) {
            tag(.h2, .id(id + "-title")) { title }
            content()
        }
    }

    // MARK: - Devices

    private static func deviceView(_ state: PageState) -> HTML {
        section("device", "Your other devices") {
            let others = state.status.devices.filter(\.isYours)
            if !others.isEmpty {
                tag(.ul, .class("devices")) {
                    for device in others {
                        tag(.li, .class("device")) { tag(.strong, .plain(.dir, "auto")) { device.heading } }
                    }
                }
                if others.contains(where: \.mayBeRemoved) {
                    tag(.p) {
                        tag(.a, .class("text"), .href(address(.members, state: state))) {
                            "Lost one? Remove it under “Members and invites”"
                        }
                    }
                } else if state.status.removal == nil {
                    tag(.p, .class("hint")) {
                        "Lost one? Only your first device can remove it, under “Members and invites”."
                    }
                }
            }
            if state.status.removal != nil {
                tag(.p, .class("note")) { "Only members of the trip can add a device." }
            } else if let invite = state.deviceInvite {
                openDeviceInvite(invite, state)
            } else {
                tag(.p) {
                    "Use this trip on a second computer, too. Your devices count as one person: they share your name, your votes "
                    "and your wish list."
                }
                if state.mayEdit {
                    actionButton(.addDevice, state: state, label: "Add another device", class: "button primary")
                }
            }
        }
    }

    private static func openDeviceInvite(_ invite: InviteView, _ state: PageState) -> HTML {
        tag(.div, .class("door", "open")) {
            tag(.div, .class("door-text")) {
                if let expires = invite.expires {
                    tag(.p, .class("lead")) {
                        "For one device · expires "
                        moment(expires, state: state)
                    }
                }
                tag(.ol, .class("plain-steps")) {
                    tag(.li) { "Leave Caravan running here, and connect the other device to this network." }
                    tag(.li) {
                        "There, run "; tag(.kbd) { "caravan up" }; " and "; tag(.kbd) { "caravan open" }; "."
                    }
                    tag(.li) {
                        "On the page that opens, press “\(moreHeading)”, and paste this link under “Use this computer as your second "
                        "device”."
                    }
                }
                copyField(invite.link, label: "Link for your device", button: "Copy link", id: "device-link")
                if let code = state.deviceCode {
                    tag(.details, .class("code-fold")) {
                        tag(.summary) { "Show it as a QR code" }
                        qrPicture(code, label: "The link for your device as a QR code")
                    }
                }
                tag(.p, .class("note", "warning")) {
                    "Anyone with this link can act as you. Don’t share it."
                }
                actionButton(.closeInvite(invite.id), state: state, label: "Cancel this link")
            }
        }
    }

    // MARK: - Passphrase

    private static func passphraseView(_ state: PageState) -> HTML {
        section("passphrase", "Passphrase") {
            if state.isUnderPassphrase {
                tag(.p) { "✓ A passphrase protects this trip’s keys on this computer." }
                passphraseHint
                tag(.details) {
                    tag(.summary, .class("text")) { "Change it…" }
                    passphraseForm(
                        "set-passphrase", button: "Change the passphrase", state, asksOld: true, asksNew: true)
                }
                tag(.details) {
                    tag(.summary, .class("text")) { "Remove it…" }
                    tag(.p) { "Then anyone who can read this disk can read the trip." }
                    passphraseForm(
                        "remove-passphrase", button: "Remove the passphrase", state, asksOld: true, asksNew: false)
                }
            } else {
                tag(.p) {
                    "Anyone who can read this computer’s disk can read this trip and act as you. A passphrase prevents that while "
                    "Caravan isn’t running."
                }
                passphraseHint
                passphraseForm("set-passphrase", button: "Set the passphrase", state, asksOld: false, asksNew: true)
            }
        }
    }

    private static let passphraseHint = tag(.p, .class("hint")) {
        "Each time Caravan starts, it asks for the passphrase in the terminal, and can’t run this trip without it. To start it in the "
        "background, put the path of a file with the passphrase into "
        tag(.kbd) { "CARAVAN_PASSPHRASE_FILE" }
        ". Other users must not be able to read it ("
        tag(.kbd) { "chmod 600" }
        "). Nobody can recover a forgotten passphrase. Your other trips and devices have their own."
    }

    private static func passphraseForm(
        _ word: String, button: String, _ state: PageState, asksOld: Bool, asksNew: Bool
    ) -> HTML {
        actionForm([("do", word)], PageTarget(state), class: "secret-form") {
            if asksOld { secretField("old", "Present passphrase", id: word + "-old", isNew: false) }
            if asksNew {
                secretField(
                    "new", "New passphrase, at least 8 characters, better four words", id: word + "-new", isNew: true)
                secretField("again", "The same again", id: word + "-again", isNew: true)
            }
            tag(.button, .class("button", asksNew ? "primary" : "danger"), .plain(.type, "submit")) { button }
        }
    }

    /// Nothing keeps what is typed: neither the script nor a page.
    @HTMLBuilder
    static func secretField(_ name: String, _ label: String, id: String, isNew: Bool) -> HTML {
        tag(.label, .plain(.for, id)) { label }
        tag(
            .input, .id(id), .plain(.name, name), .plain(.type, "password"),
            .plain(.autocomplete, isNew ? "new-password" : "current-password"), .flag(.required), .data(.mark, "secret")
        )
    }

    // MARK: - Backup

    private static func backupView(_ state: PageState) -> HTML {
        section("backup", "Backup") {
            tag(.p) {
                "A backup is one encrypted file with this trip and your keys, without photos. With it and its passphrase you go on as "
                "yourself if this computer is lost. Store it on another disk."
            }
            tag(
                .form, .class("secret-form"), .plain(.method, "post"),
                .action(PagePath(["t", state.tripID, "backup"])),
                .data(.mark, "download")
            ) {
                secretField(
                    "new", "Passphrase for the backup, at least 8 characters, better four words", id: "backup-new",
                    isNew: true)
                secretField("again", "The same again", id: "backup-again", isNew: true)
                tag(.button, .class("button", "primary"), .plain(.type, "submit")) { "Download a backup" }
            }
            tag(.p, .class("hint")) {
                "Anyone with the file and its passphrase can act as you in this trip. To restore it, open Caravan on a computer where "
                "this trip isn’t. There, under “Start or join a trip”, press “\(moreHeading)”. Don’t restore it while this computer "
                "still runs the trip: add a second device instead."
            }
        }
    }
}
