import Testing
import TripService

@testable import TripText

/// What people read of a device that was copied, with its home.
@Suite struct CopiedDeviceTextTests {
    @Test("on the device itself it is this device, with what to do, and elsewhere somebody's")
    func status() {
        let status = { (isHere: Bool?) in
            TerminalText.status(
                StatusView(
                    title: "Lofoten", you: "Jie", changes: 7, listening: nil, discoveryProblem: nil,
                    writingProblem: nil, removal: nil, devices: [], inTwoPlaces: ["Jie", "Noah"],
                    isInTwoPlaces: isHere), now: 0)
        }
        let here = status(true)
        #expect(here.contains("\nThis device was copied, and both"), "\(here)")
        #expect(here.contains("Use only one of the copies"), "\(here)")
        #expect(here.contains("\nNoah's device was copied, and both") && !here.contains("Jie's device"), "\(here)")
        for isHere in [false, nil] {
            let text = status(isHere)
            #expect(text.contains("\nJie's device was copied") && !text.contains("This device"), "\(text)")
        }
    }

    @Test("an event says the same")
    func event() {
        let lines = { TerminalText.lines(.inTwoPlaces(name: "Jie", isHere: $0)) }
        #expect(lines(true).first?.hasPrefix("This device was copied") == true)
        for isHere in [false, nil] { #expect(lines(isHere).first?.hasPrefix("Jie's device was copied") == true) }
    }
}
