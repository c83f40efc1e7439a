import Testing
import TripService

@testable import TripText

/// What a device reads that is out: how its person returns.
@Suite struct WayBackTextTests {
    @Test("a device that its own person removed is told how to be added again, and not to join by a new invite")
    func wayBack() {
        for (reason, advice) in [
            (RemovalView.Reason.deviceEnded, "`caravan device add` on your first device"),
            (.removed, "with a new invite"), (.left, "with a new invite"),
        ] {
            let removal = RemovalView(reason, by: reason == .removed ? "Mia" : nil, at: 0)
            let error = TerminalText.line(ServiceError(.out(removal), ""), style: TextStyle(secondsFromUTC: { _ in 0 }))
            let event = TerminalText.lines(.youAreOut(removal)).joined()
            for text in [error, event] {
                #expect(text.contains(advice), "\(text)")
                #expect(text.contains("new invite") == (reason != .deviceEnded), "\(text)")
            }
        }
    }
}
