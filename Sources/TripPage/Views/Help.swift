extension TripPage {
    /// What is what, and which key does what.
    static func helpView(_ state: PageState) -> HTML {
        tag(.section, .class("view", "help"), .aria(.labelledby, "help-title")) {
            tag(.h2, .id("help-title")) { "Help" }
            tag(.h3) { "What is what" }
            tag(.dl, .class("words")) {
                for (word, meaning) in words {
                    tag(.dt) { word }
                    tag(.dd) { meaning }
                }
            }
            tag(.h3) { "Keys" }
            tag(.label, .class("switch")) {
                tag(
                    .input, .plain(.type, "checkbox"), .plain(.name, "keys"), .data(.mark, "keys"), .flag(.checked))
                "Keys are on, where nothing is being typed"
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
                    "All that this page does, the command line does too: "
                    tag(.kbd) { "caravan --help" }
                }
            }
        }
    }

    private static let words: [(String, String)] = [
        ("▲ and ▼", "Your vote for or against. Press again to take it back. Nobody else can change it."),
        ("A grey face", "Somebody who has not voted yet."),
        ("Also proposed", "Two of you wrote the same field at the same moment. Both stay until somebody picks one."),
        ("Came back", "Somebody removed it while another voted for it or changed it. It stays."),
        ("Everyone has this", "All that you see is on every device of the trip."),
        ("Mia may lack 2", "Two changes are not known to have reached Mia’s device yet. They go by themselves."),
        ("Alone, kept here", "Nobody else is near. What you do is saved on this disk and goes on when somebody comes."),
        ("Short by 1", "Two of you took the last one at the same moment."),
        ("Undo", "Everything can be taken back, but for taking a person out. Removed things are in the history."),
    ]

    private static let keys: [(String, String)] = [
        ("j", "The next card"), ("k", "The card before"), ("Enter", "Open or close a card"),
        ("f", "Vote for it"), ("a", "Vote against it"), ("u", "Take the vote back"), ("e", "Edit it"),
        ("n", "Add something new"), ("r", "The ranking"), ("z", "Undo"), ("/", "Search"), ("?", "This help"),
        ("Esc", "Close"),
    ]
}
