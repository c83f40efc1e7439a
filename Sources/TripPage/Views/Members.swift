import TripModel
import TripService

extension TripPage {
    /// Everybody who is or was a member, each below their inviter.
    static func membersView(_ state: PageState) -> HTML {
        tag(.section, .class("view", "members"), .aria(.labelledby, "members-title")) {
            tag(.h2, .id("members-title")) { "Members" }
            tag(.ul, .class("people")) {
                let removable = removableMembers(state)
                for person in state.members.people {
                    memberRow(person, mayTakeOut: removable.contains(person.id), state: state)
                }
            }
            for overshot in state.members.overshotInvites {
                tag(.p, .class("note")) {
                    "\(overshot.joined) people joined with an invite for \(overshot.uses): two members admitted people at the same time."
                }
            }
        }
    }

    /// The names of the trip and of the person here, each in a form.
    static func namesView(_ state: PageState) -> HTML? {
        guard state.mayEdit else { return nil }
        return tag(.section, .class("view"), .aria(.labelledby, "names-title")) {
            tag(.h2, .id("names-title")) { "Names" }
            nameForm("rename-trip", "title", "The trip", state.trip.title?.value ?? "", state)
            nameForm("rename-self", "name", "You", state.trip.ownName(of: state.viewer) ?? state.host, state)
        }
    }

    private static func nameForm(
        _ word: String, _ name: String, _ label: String, _ value: String, _ state: PageState
    ) -> HTML {
        let id = word + "-input"
        return actionForm([("do", word)], PageTarget(state), class: "add named") {
            tag(.label, .plain(.for, id)) { label }
            tag(
                .input, .id(id), .plain(.name, name), .plain(.type, "text"), .plain(.value, value),
                .plain(.autocomplete, "off"), .plain(.dir, "auto"), .flag(.required))
            tag(.button, .class("button"), .plain(.type, "submit")) { "Rename" }
        }
    }

    static func memberRow(_ person: MemberView, mayTakeOut: Bool, state: PageState) -> HTML {
        // A guest's page has its host's list, in which the host is "you".
        let isYou = person.id == state.viewer.participant?.description
        let id = "m-\(person.id)"
        let isOut = person.removal.map { $0.waiting == nil } ?? false
        let row = tag(
            .li, .id(id),
            .class("person", "depth-\(min(person.depth, 4))", isOut ? "out" : "in")
        ) {
            if let id = ParticipantID(person.id) {
                avatar(
                    id, name: person.name, isHere: person.isHere || isYou, isYou: isYou,
                    isDecoration: true)
            }
            tag(.div, .class("person-text")) {
                tag(.strong, .plain(.dir, "auto")) { person.name }
                if isYou { tag(.span, .class("tag")) { "you" } }
                if person.isGuest { tag(.span, .class("tag")) { guestLabel(person) } }
                if let presence = presence(of: person, state: state) { tag(.p, .class("hint")) { presence } }
                tag(.p, .class("hint"), .plain(.dir, "auto")) { origin(of: person) }
            }
            if person.mayBeKept, !state.viewer.isGuest { keepOrRefuse(person, state: state) }
            if mayTakeOut { takeOut(person, state: state) }
            if person.isYou, !state.viewer.isGuest { ownDevices(state) }
        }
        return .part(id: id, row)
    }

    /// The other devices of the person here, each of which may be lost.
    private static func ownDevices(_ state: PageState) -> HTML? {
        let devices = state.status.devices.filter(\.mayBeRemoved)
        guard !devices.isEmpty, state.mayEdit else { return nil }
        return tag(.details, .class("take-out"), .data(.mark, "confirm")) {
            tag(.summary, .class("text")) { "Your other devices…" }
            for device in devices {
                tag(.div, .class("confirm")) {
                    tag(.p, .plain(.dir, "auto")) {
                        "If you lost \(device.label), remove it: it keeps its copy, and gets no updates after the others sync. "
                        "This can’t be undone."
                    }
                    actionButton(
                        .removeDevice(device.id), state: state, label: "Remove \(device.label)",
                        class: "button danger")
                }
            }
        }
    }

    private static func guestLabel(_ person: MemberView) -> HTML {
        person.sponsor.map { host in HTML.group([isolated(host), "’s guest"]) } ?? .text("guest")
    }

    private static func origin(of person: MemberView) -> String {
        var facts = [
            person.isGuest
                ? "joined from a phone, through \(person.sponsor ?? "a friend")’s computer"
                : person.sponsor.map { "invited by \($0)" } ?? "started this trip"
        ]
        if person.devices.count > 1 { facts.append("\(person.devices.count) devices") }
        return facts.joined(separator: " · ")
    }

    /// Nil for a guest who is not here: no device of theirs is ever met.
    private static func presence(of person: MemberView, state: PageState) -> HTML? {
        if let removal = person.removal {
            let event = removal.waiting.map { _ in "waits: " + removal.event() }
            return .group([
                .text((event ?? removal.by.map { "removed by \($0)" } ?? "left") + ", "),
                moment(removal.at, state: state),
            ])
        }
        // A file to keep has no now.
        if state.viewer.participant == nil { return nil }
        if person.isYou || person.isHere {
            return tag(.span, .class("here")) {
                tag(.span, .class("dot"), .aria(.hidden, "true"))
                "here now"
            }
        }
        if person.isGuest { return nil }
        guard let heard = person.lastHeard else { return "not seen by this device yet" }
        return .group(["last seen ", moment(heard, state: state)])
    }

    /// Asks whether somebody who waits is kept.
    private static func keepOrRefuse(_ person: MemberView, state: PageState) -> HTML {
        tag(.div, .class("confirm")) {
            tag(.p, .plain(.dir, "auto")) {
                "Keep \(person.name)? They came through \(person.removal?.waiting?.host ?? "somebody"), "
                    + "who \(person.removal?.clause ?? "was removed"). What they did counts once you keep them."
            }
            actionButton(
                .keepMember(member: person.id), state: state, label: "Keep \(person.name)", class: "button primary")
            actionButton(
                .takeOut(member: person.id), state: state, label: "Remove \(person.name)", class: "button danger")
        }
    }

    /// This one thing is asked twice: nobody can undo it.
    private static func takeOut(_ person: MemberView, state: PageState) -> HTML {
        tag(.details, .class("take-out"), .data(.mark, "confirm")) {
            tag(.summary, .class("text"), .aria(.label, "Remove \(person.name)…")) { "Remove…" }
            tag(.div, .class("confirm")) {
                tag(.p) {
                    isolated(person.name)
                    " won’t see anything new and their votes no longer count. Your open invites are canceled. "
                    "The removal can’t be undone. "
                    person.isGuest
                        ? "What they added stays, unless you remove it too. You can restore that."
                        : "What they added stays, and so do people they invited."
                }
                if !state.status.mailboxes.isEmpty, !person.isGuest {
                    tag(.p) {
                        "They may still delete or fill what is in the trip’s mailboxes. To stop that, change the passwords that "
                        "they know, or end their access to the folder."
                    }
                }
                actionButton(
                    .takeOut(member: person.id), state: state, label: "Remove \(person.name)", class: "button danger")
                if person.isGuest {
                    actionButton(
                        .takeOut(member: person.id, withContributions: true), state: state,
                        label: "Remove \(person.name) and everything they added", class: "button danger")
                }
            }
        }
    }

    /// The ids of the members that the viewer may remove: those below the viewer, because only people above a member can remove them.
    static func removableMembers(_ state: PageState) -> Set<String> {
        guard !state.viewer.isGuest, state.status.removal == nil, let you = state.viewer.participant?.description,
            let place = state.members.people.firstIndex(where: { $0.id == you })
        else { return [] }
        let people = state.members.people
        let below = people[(place + 1)...].prefix { $0.depth > people[place].depth }
        return Set(below.filter { $0.removal == nil }.map(\.id))
    }
}
