import Testing
import TripService

@testable import CaravanNode

struct PhotoSpaceTests {
    @Test(
        "the space for photos is read in megabytes and gigabytes",
        arguments: [
            (nil, 2 << 30), ("", 2 << 30), ("500M", 500 << 20), ("16m", 16 << 20), ("10G", 10 << 30),
        ] as [(String?, Int)])
    func read(text: String?, bytes: Int) throws {
        #expect(try PhotoSpace.bytes(environment: text.map { ["CARAVAN_PHOTO_SPACE": $0] } ?? [:]) == bytes)
    }

    @Test(
        "anything else is refused, and says how it is written",
        arguments: [
            "2", "15M", "0G", "-1G", "+1G", "1.5G", "G", "1T", "99999999999999999999G", "9000000000000000G", "1 G",
            "１G",
        ])
    func refused(text: String) {
        let error = #expect(throws: ServiceError.self) {
            try PhotoSpace.bytes(environment: ["CARAVAN_PHOTO_SPACE": text])
        }
        #expect(error?.message.contains("write it like 500M or 10G") == true)
    }
}
