extension TripPage {
    /// What is what, and which key does what.
    static func helpView(_ state: PageState) -> HTML {
        tag(.section, .class("view", "help"), .aria(.labelledby, "help-title")) {
            tag(.h2, .id("help-title")) { "Help" }
            tag(.h3) { "Legend" }
            tag(.dl, .class("words")) {
                for (word, meaning) in words {
                    tag(.dt) { word }
                    tag(.dd) { meaning }
                }
            }
            tag(.h3) { "Keyboard shortcuts" }
            tag(.label, .class("switch")) {
                tag(
                    .input, .plain(.type, "checkbox"), .plain(.name, "keys"), .data(.mark, "keys"), .flag(.checked))
                "Keyboard shortcuts (off while you type)"
            }
            tag(.table, .class("keys")) {
                tag(.thead, .class("unseen")) {
                    tag(.tr) {
                        tag(.th, .plain(.scope, "col")) { "Key" }
                        tag(.th, .plain(.scope, "col")) { "What it does" }
                    }
                }
                tag(.tbody) {
                    for (key, deed) in keys {
                        tag(.tr) {
                            tag(.th, .plain(.scope, "row")) { tag(.kbd) { key } }
                            tag(.td) { deed }
                        }
                    }
                }
            }
            if !state.viewer.isGuest {
                tag(.p, .class("hint")) {
                    "Everything here also works from the command line: "
                    tag(.kbd) { "caravan --help" }
                }
            }
        }
    }

    private static let words: [(String, String)] = [
        ("▲ and ▼", "Your vote for or against. Press again to withdraw it. Nobody else can change it."),
        ("A gray face", "Somebody who hasn’t voted yet."),
        (
            "Noah suggests",
            "Two of you changed the same field at the same time. Both values stay until somebody picks one."
        ),
        ("Restored", "Somebody removed it while someone else voted for it or edited it."),
        ("Up to date with everyone", "Every device in the trip has everything you see."),
        ("Mia is 2 changes behind", "Mia’s device hasn’t received two changes yet. They will be sent automatically."),
        (
            "Not met yet",
            "This computer has never been connected with that device, so it doesn’t know what is there. Others may have sent it everything."
        ),
        (
            "Offline, saved on this computer",
            "Nobody else is here. Your changes are saved and will be sent when somebody is."
        ),
        ("One too many was taken", "Two of you took the last one at the same time."),
        (
            "Undo",
            "Undo a change in the message that confirms it, or later in the history. You can’t undo the removal of a person or a device, "
                + "the canceling of an invite, or the end of a hidden question."
        ),
    ]

    private static let keys: [(String, String)] = [
        ("j", "Next card"), ("k", "Previous card"), ("Enter", "Open or close a card"),
        ("f", "Vote for it"), ("a", "Vote against it"), ("u", "Withdraw your vote"), ("e", "Edit it"),
        ("n", "Add something new"), ("r", "Ranking"), ("z", "Undo your last change"), ("/", "Search"),
        ("Alt ↑ ↓", "Move an item of the days to the day before or after"), ("?", "This help"),
        ("Esc", "Close"),
    ]
}
