import TripService

extension TripPage {
    /// The door for phones on which nothing is installed: opened for a time, closed by itself.
    static func guestsView(_ state: PageState) -> HTML {
        tag(.section, .class("view", "guests"), .aria(.labelledby, "guests-title")) {
            tag(.h2, .id("guests-title")) { "Guests on their phones" }
            if let door = state.guests {
                openGuestDoor(door, state: state)
            } else {
                tag(.p) {
                    "Friends on this network can look around, add places, vote and take photos with just their phone’s "
                    "browser. They join as your guests: you see them in the list of members and can remove them."
                }
                tag(.p, .class("note", "warning")) { guestWarning }
                tag(.div, .class("buttons")) {
                    actionButton(
                        .openToGuests(minutes: 30), state: state, label: "Open for 30 minutes", class: "button primary")
                    actionButton(.openToGuests(minutes: 120), state: state, label: "Open for 2 hours")
                }
            }
        }
    }

    static let guestWarning = "Anyone on this network can read this page while it is open."

    private static func openGuestDoor(_ door: GuestDoor, state: PageState) -> HTML {
        tag(.div, .class("door", "open")) {
            if let code = door.code {
                qrPicture(code, label: "The address for guests as a QR code")
            }
            tag(.div, .class("door-text")) {
                tag(.p, .class("lead")) {
                    "Closes "
                    moment(door.closes, state: state)
                }
                tag(.p, .class("note", "warning")) { guestWarning }
                tag(.p) { "Guests scan this code with their phone’s camera, or type the address:" }
                tag(.p, .class("plain-address"), .plain(.dir, "ltr")) {
                    addressPieces(door.link)
                }
                tag(.p, .class("hint")) {
                    door.arrived == 0
                        ? "Nobody has joined yet. The phone must be on this Wi-Fi. If the page doesn’t load, turn mobile data off. "
                            + "Some networks keep devices apart: then use a phone’s hotspot."
                        : door.arrived == 1 ? "One phone has joined." : "\(door.arrived) phones have joined."
                }
                actionButton(.openToGuests(minutes: 30), state: state, label: "30 minutes from now")
                actionButton(.closeToGuests, state: state, label: "Stop letting guests in")
            }
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

    /// What every view says to a guest, above all else.
    package static func guestNotice(_ state: PageState) -> HTML {
        tag(.p, .class("guest-notice"), .data(.mark, "guest"), .data(.closed, doorClosed(host: state.host))) {
            tag(.span, .plain(.dir, "auto")) { "You’re \(state.host)’s guest." }
            if let closes = state.guestsUntil {
                " This page closes "
                moment(closes, state: state)
                "."
            }
            " "
            guestWarning
        }
    }

    /// What a guest is told when the door closes.
    package static func doorClosed(host: String) -> String {
        "\(host) stopped letting guests in. Ask \(host) to open this page again."
    }
}
