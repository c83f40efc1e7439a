import Testing
import TripService

@testable import TripPage

/// What the page says is wrong: never in the words of the command line.
@Suite struct ErrorWordsTests {
    private func toast(_ message: String) -> String {
        TripPage.toast(SampleTrip.state { $0.toast = Toast(message, isProblem: true) }).html.rendered
    }

    @Test(
        "an error names no command: what the page can do instead stands there, or nothing",
        arguments: [
            ("there is no item 99; see `caravan list`", "There is no item 99"),
            (
                "the dates are invalid, or the end is before the start; write 2026-06-12, 2026-06-12..15 or 2026-06-12 14:30",
                "The dates are invalid, or the end is before the start; write it like 12 June 2026, 12–15 June 2026 or 12 June 2026, 14:30"
            ),
            (
                "this is not an invite link; an invite link starts with caravan: and comes from `caravan invite`",
                "This is not an invite link; an invite link starts with caravan:, and your friend copies it on their page"
            ),
            (
                "this file is not a backup; create one with `caravan backup FILE`",
                "This file is not a backup; choose one that was made under “Devices and backup”"
            ),
            (
                "you can't change “A”; someone else added it",
                "You can’t change “A”; someone else added it"
            ),
            (
                "found no member of the trip in 20 s; ask one to run `caravan up` on this network, then try again",
                "Found no member of the trip in 20 s; ask one to start Caravan on this network, then try again"
            ),
            (
                "you removed this device; you can read your copy, but not change it; \(RemovalView(.deviceEnded, at: 0).wayBack)",
                "You removed this device; you can read your copy, but not change it; to return, add this device again on your first device, under “Devices and backup”"
            ),
            ("the page said `this`", "The page said “this”"),
            (
                "this is not a picture; choose a JPEG, PNG, WebP, GIF or HEIC file",
                "This is not a picture; choose a JPEG, PNG or WebP file"
            ),
        ])
    func plainWords(message: String, told: String) {
        #expect(toast(message).contains(">\(told)</p>"), "\(toast(message))")
    }

    @Test("a form to start with says the same in plain words, and keeps what was pasted")
    func startForms() {
        let error = "this is not an invite link; an invite link starts with caravan: and comes from `caravan invite`"
        func page(_ form: StartForm) -> String { TripPage.startDocument(.refused(form, error), trips: []) }
        for form in [StartForm.join(link: "caravan:abc", name: "Noah"), .device(link: "caravan:abc", name: "Noah")] {
            let text = page(form)
            #expect(text.contains("value=\"caravan:abc\"") && text.contains("value=\"Noah\""))
            #expect(text.contains(">This is not an invite link;") && !text.contains("`"))
        }
        #expect(!page(.restore).contains("`"))
        // The browser leads to what is wrong, which may be far below.
        #expect(page(.restore).matches(of: /role="alert" tabindex="-1" dir="auto" autofocus/).count == 1)
    }
}
