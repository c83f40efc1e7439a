import TripService

extension Toast {
    /// Says for how long the page is open to guests now. It is taken back by what was left before, in whole minutes: guests stay.
    ///
    /// - Parameter minutes: nil for always.
    package init(openFor minutes: Int?, instead earlier: GuestDoor, now: Int64) {
        let left = earlier.closes.map { max(1, Int(($0 - now + 59_999) / 60_000)) }
        let parts = minutes.map { [($0 / 60, "hour"), ($0 % 60, "minute")].filter { $0.0 > 0 } }
        self.init(
            parts.map { parts in "Closes in " + parts.map { TripPage.counted($0.0, $0.1) }.joined(separator: " ") }
                ?? "Always open on this Wi-Fi",
            undo: .openToGuests(minutes: left))
    }
}

extension TripPage {
    /// The door for phones on which nothing is installed: open for a time, or always on one network.
    static func guestsView(_ state: PageState) -> HTML {
        tag(.section, .class("view", "guests"), .aria(.labelledby, "guests-title")) {
            tag(.h2, .id("guests-title")) { "Guests on their phones" }
            if let door = state.guests {
                openGuestDoor(door, state: state)
            } else if state.status.removal != nil {
                tag(.p, .class("note")) { "Only members of the trip can let guests in." }
            } else if state.status.isArchived {
                tag(.p, .class("note")) {
                    "This trip is archived, so you can’t let guests in. To do that, reopen it under "
                    tag(.a, .href(address(.status, state: state))) { "Sync" }
                    "."
                }
            } else {
                tag(.p) {
                    "Friends on this network can look around, add places, vote and take photos with just their phone’s "
                    "browser. They join as your guests: you see them in the list of members and can remove them."
                }
                tag(.p, .class("note", "warning")) { hostWarning }
                if let other = state.tripOfGuests {
                    tag(.p, .class("note")) {
                        "Guests can use one trip at a time. If you open this one, "
                        tag(.span, .plain(.dir, "auto")) { other }
                        " is closed to them."
                    }
                }
                tag(.div, .class("buttons")) {
                    actionButton(
                        .openToGuests(minutes: 30), state: state, label: "Open for 30 minutes", class: "button primary")
                    actionButton(.openToGuests(minutes: 120), state: state, label: "Open for 2 hours")
                    actionButton(.openToGuests(minutes: nil), state: state, label: "Always on this Wi-Fi")
                }
                tag(.p, .class("hint")) {
                    "“Always” lasts until you stop it here. Whenever Caravan runs on this Wi-Fi, guests can use the page. On other "
                    "networks it is closed."
                }
            }
        }
    }

    static let guestWarning = "Anyone on this network can read this page while it is open."

    /// What the one who opens the door is told.
    private static let hostWarning =
        guestWarning + " Anyone who has the code, or reads it on the network, can join as a guest, "
        + "\(GuestDoor.phonesMax) phones in all. An attacker on the network can act as one of your guests."

    private static func openGuestDoor(_ door: GuestDoor, state: PageState) -> HTML {
        tag(.div, .class("door", "open")) {
            if let code = door.code {
                qrPicture(code, label: "The address for guests as a QR code")
            }
            tag(.div, .class("door-text")) {
                tag(.p, .class("lead")) {
                    if let closes = door.closes {
                        "Closes "
                        countdown(closes, state: state)
                    } else {
                        "Always open on this Wi-Fi"
                    }
                }
                tag(.p) { "One code for all: guests scan it with their phone’s camera, or type the address." }
                tag(.p, .class("plain-address"), .plain(.dir, "ltr")) {
                    addressPieces(door.link)
                }
                tag(.p, .class("hint")) { arrivals(door) }
                tag(.p, .class("note", "warning")) { hostWarning }
                tag(.div, .class("buttons")) {
                    actionButton(.closeToGuests, state: state, label: "Stop letting guests in", class: "button primary")
                    if state.status.removal == nil, !state.status.isArchived {
                        // Beside "Closes in 20 minutes" the other words would seem to say the same.
                        actionButton(
                            .openToGuests(minutes: 30), state: state,
                            label: door.closes == nil ? "Close in 30 minutes" : "Keep open for 30 minutes")
                        if door.closes != nil {
                            actionButton(.openToGuests(minutes: nil), state: state, label: "Always on this Wi-Fi")
                        }
                    }
                }
            }
        }
    }

    private static func arrivals(_ door: GuestDoor) -> String {
        switch door.arrived {
        case 0:
            "No new phone has joined yet. The phone must be on this Wi-Fi. If the page doesn’t load, turn mobile data off. "
                + "Some networks keep devices apart: then use a phone’s hotspot."
        case 1: "One phone has joined."
        case ..<GuestDoor.phonesMax: "\(door.arrived) phones have joined."
        default:
            "\(GuestDoor.phonesMax) phones have joined, the most that one code admits. To get a new code, stop letting guests "
                + "in and start again. Guests who joined stay guests."
        }
    }

    /// An address that may be broken after each of its parts, and nowhere else.
    private static func addressPieces(_ link: String) -> [HTML] {
        var pieces: [HTML] = []
        var part = ""
        for character in link {
            part.append(character)
            if character == "/", !part.hasSuffix("//"), part != "http:/" {
                pieces += [.text(part), tag(.wbr)]
                part = ""
            }
        }
        return pieces + [.text(part)]
    }

    /// What every view says to the host while the door is open, of this trip or another one, with the way to close it. Members shows
    /// the trip's own.
    static func doorNotice(_ state: PageState) -> HTML? {
        if let other = state.guestsElsewhere { return doorNotice(other, state) }
        guard let door = state.guests, state.query.view != .members else { return nil }
        return tag(.div, .class("guest-notice", "door-notice")) {
            tag(.p) {
                if let closes = door.closes {
                    "Open to guests. Closes "
                    countdown(closes, state: state)
                    "."
                } else {
                    "Always open to guests on this Wi-Fi."
                }
                " "
                tag(.a, .href(address(.members, state: state, part: "guests-title"))) { "Show the code" }
            }
            actionButton(.closeToGuests, state: state, label: "Stop")
        }
    }

    private static func doorNotice(_ other: DoorElsewhere, _ state: PageState) -> HTML {
        var members = PageQuery()
        members.view = .members
        let code = PagePath(["t", other.trip, ""], query: members.pairs, part: "guests-title")
        return tag(.div, .class("guest-notice", "door-notice")) {
            tag(.p) {
                tag(.span, .plain(.dir, "auto")) { state.tripOfGuests }
                if let closes = other.closes {
                    " is open to guests. Closes "
                    countdown(closes, state: state)
                    "."
                } else {
                    " is always open to guests on this Wi-Fi."
                }
                " "
                tag(.a, .href(code)) { "Show the code" }
            }
            actionButton(.closeToGuests, state: state, label: "Stop")
        }
    }

    /// What every view says to a guest, above all else.
    package static func guestNotice(_ state: PageState) -> HTML {
        tag(
            .p, .class("guest-notice"), .data(.mark, "guest"), .data(.closed, doorClosed(host: state.host)),
            .data(.silent, doorSilent(host: state.host))
        ) {
            tag(.span, .plain(.dir, "auto")) { "You’re \(state.host)’s guest." }
            if let closes = state.guestsUntil {
                " This page closes "
                countdown(closes, state: state)
                "."
            } else {
                " This page works while your phone and the computer are on this Wi-Fi. Add it to your home screen to come back."
            }
            " "
            guestWarning
        }
    }

    /// What a guest is told when the door closes.
    package static func doorClosed(host: String) -> String {
        "\(host) stopped letting guests in. Ask \(host) to open this page again."
    }

    /// What a guest is told while nobody answers. The door may have closed with the node, and nobody can say so.
    private static func doorSilent(host: String) -> String {
        "\(host)’s computer doesn’t answer. If this lasts, ask \(host) to open this page again."
    }

    /// What a guest is told when the host's computer leaves the network whose door is always open.
    package static func doorLeftNetwork(host: String) -> String {
        "\(host)’s computer left this Wi-Fi. This page works again when it is back."
    }

    /// What a guest is told when the node stops and the door is always open.
    package static func doorStopped(host: String) -> String {
        "This page stopped on \(host)’s computer. It works again once \(host) starts it."
    }
}
