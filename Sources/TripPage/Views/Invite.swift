import TripService

extension TripPage {
    /// The open invite, as a code to scan and a link to send; or the button that makes one.
    static func inviteView(_ state: PageState) -> HTML {
        tag(.section, .class("view", "invite"), .aria(.labelledby, "invite-title")) {
            tag(.h2, .id("invite-title")) { "Invite friends" }
            if !state.viewer.isGuest { exposedInvites(state) }
            if state.status.removal == nil, !state.viewer.isGuest, !state.status.isArchived,
                state.status.discoveryProblem != nil
            {
                tag(.p, .class("note", "warning")) {
                    "Caravan can’t announce itself on the network now, so a friend’s computer may not find this computer. The link "
                    "holds its address, so try it."
                }
            }
            if state.viewer.isGuest || state.status.removal != nil {
                tag(.p, .class("note")) { "Only members of the trip can invite others." }
            } else if state.status.isArchived {
                tag(.p, .class("note")) {
                    "This trip is archived, so you can’t invite anybody. To invite friends, reopen it under "
                    tag(.a, .href(address(.status, state: state))) { "Sync" }
                    "."
                }
                furtherInvites([state.invite].compactMap(\.self) + state.earlierInvites, state)
            } else if let invite = state.invite {
                openInvite(invite, state: state)
                furtherInvites(state.earlierInvites, state)
            } else {
                tag(.p) {
                    "An invite is a link that you send, or a code that a friend scans. With Caravan on their computer, they "
                    state.status.mailboxes.isEmpty
                        ? "join for good and see every change whenever you’re on the same network."
                        : "join for good and see every change, from any network."
                }
                actionButton(.invite, state: state, label: "Make an invite", class: "button primary")
            }
        }
    }

    /// Of more invites that a removed person may know, the rest are named alone.
    private static let exposedInvitesMax = 8

    /// Asks of each invite that a removed person may know whether it stays open.
    private static func exposedInvites(_ state: PageState) -> HTML {
        let invites = state.status.exposedInvites
        let more = invites.dropFirst(exposedInvitesMax).map { String($0.id.prefix(6)) }
        return .group([
            .group(invites.prefix(exposedInvitesMax).map { exposedInvite($0, state: state) }),
            more.isEmpty
                ? .none
                : tag(.p, .class("note")) { "The same is asked of the invites \(more.joined(separator: ", "))." },
        ])
    }

    private static func exposedInvite(_ invite: InviteView, state: PageState) -> HTML {
        guard let exposure = invite.exposure else { return .none }
        return tag(.div, .class("confirm")) {
            tag(.p, .plain(.dir, "auto")) {
                "Keep your invite \(invite.id.prefix(6)) open? \(exposure.by) removed \(exposure.removed), who may know the link. "
                    + "Nobody joins by it here until you answer."
            }
            actionButton(.keepInvite(invite.id), state: state, label: "Keep it open", class: "button primary")
            actionButton(.closeInvite(invite.id), state: state, label: "Cancel this invite", class: "button danger")
        }
    }

    private static func openInvite(_ invite: InviteView, state: PageState) -> HTML {
        let hasMailbox = !state.status.mailboxes.isEmpty
        return tag(.div, .class("door", "open")) {
            tag(.div, .class("door-text")) {
                tag(.p, .class("lead")) { term(of: invite, state) }
                tag(.ol, .class("plain-steps")) {
                    tag(.li) {
                        hasMailbox
                            ? "On their computer, on any network, your friend runs "
                            : "On their computer, on this network, your friend runs "
                        tag(.kbd) { "caravan up" }
                        " and "
                        tag(.kbd) { "caravan open" }
                        "."
                    }
                    tag(.li) { "On the page that opens, they choose “\(joinHeading)” and paste this link." }
                    if hasMailbox {
                        tag(.li) {
                            "If they are on another network, and the trip’s mailbox is a folder or needs a password, they join in a "
                            "terminal: "
                            tag(.kbd) { "caravan join" }
                            ", the link, "
                            tag(.kbd) { "--mailbox" }
                            " and their own path or address of the mailbox."
                        }
                    }
                }
                copyField(invite.link, label: "Invite link", button: "Copy link", id: "invite-link")
                // Cameras of phones can do nothing with it: the one code in sight is that for guests.
                if let code = state.inviteCode {
                    tag(.details, .class("code-fold")) {
                        tag(.summary) { "Show it as a QR code" }
                        qrPicture(code, label: "The invite as a QR code")
                    }
                }
                tag(.p, .class("hint"), .plain(.dir, "auto")) {
                    "Made by \(invite.by). Anyone with this link can join. Share it only with people you want in the trip."
                }
                if !invite.isAnswered {
                    tag(.p, .class("note", "problem")) {
                        "Nobody can join now, because no node is running here. Start one with caravan up."
                    }
                }
                cancelButton(invite, state)
            }
        }
    }

    /// How often an invite admits somebody, and until when: "2 uses left · expires 11 Jun, 12:00".
    private static func term(of invite: InviteView, _ state: PageState) -> HTML {
        .group([
            .text(invite.left == 1 ? "1 use left" : "\(invite.left) uses left"),
            invite.expires.map { .group([" · expires ", moment($0, state: state)]) } ?? .none,
        ])
    }

    /// The open invites that aren't shown at length: each has its uses, its link and its button. Of an archived trip they can only be
    /// canceled.
    private static func furtherInvites(_ invites: [InviteView], _ state: PageState) -> HTML? {
        guard !invites.isEmpty else { return nil }
        let isArchived = state.status.isArchived
        return tag(.div) {
            tag(.h3) {
                "\(invites.count) \(isArchived ? "" : "more ")open invite\(invites.count == 1 ? "" : "s")"
            }
            if isArchived { tag(.p, .class("hint")) { "Anyone with the link can still join." } }
            invites.map { invite in
                tag(.div, .class("further-invite")) {
                    tag(.p, .plain(.dir, "auto")) {
                        "Made by \(invite.by) · "
                        term(of: invite, state)
                    }
                    if !isArchived {
                        copyField(
                            invite.link, label: "Invite link \(invite.id.prefix(6))", button: "Copy link",
                            id: "invite-link-" + invite.id.prefix(12))
                    }
                    cancelButton(invite, state, isOneOfMany: true)
                }
            }
        }
    }

    /// Only its maker and the people above them can cancel an invite.
    private static func cancelButton(_ invite: InviteView, _ state: PageState, isOneOfMany: Bool = false) -> HTML {
        let below = removableMembers(state)
        let mayCancel = state.members.people.contains {
            $0.name == invite.by && !$0.isGuest && ($0.isYou || below.contains($0.id))
        }
        guard mayCancel else {
            let others = peopleAbove(invite.by, state)
            let names = [invite.by] + others.dropLast()
            return tag(.p, .class("hint"), .plain(.dir, "auto")) {
                "Only \(names.joined(separator: ", "))\(others.last.map { " or \($0)" } ?? "") can cancel it."
            }
        }
        return actionButton(
            .closeInvite(invite.id), state: state, label: "Cancel this invite",
            description: isOneOfMany ? "Cancel this invite: \(invite.id.prefix(6))" : nil)
    }

    /// The members who are above a person, the nearest first.
    private static func peopleAbove(_ name: String, _ state: PageState) -> [String] {
        let people = state.members.people
        guard let place = people.firstIndex(where: { $0.name == name && !$0.isGuest }) else { return [] }
        var depth = people[place].depth
        return people[..<place].reversed().compactMap { person in
            guard person.depth < depth else { return nil }
            depth = person.depth
            return person.removal == nil ? person.name : nil
        }
    }

    /// A text to be copied: seen whole, marked whole by one tap, copied by the button where there is script.
    static func copyField(_ text: String, label: String, button: String, id: String) -> HTML {
        tag(.div, .class("copy")) {
            tag(.label, .plain(.for, id)) { label }
            tag(.input, .id(id), .plain(.type, "text"), .plain(.value, text), .flag(.readonly), .plain(.dir, "ltr"))
            tag(.button, .class("button"), .plain(.type, "button"), .data(.copy, text)) { button }
        }
    }
}
