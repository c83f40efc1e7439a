import Attachments
import Testing
import TripModel

@testable import CaravanNode

/// When chunks are looked for, and what follows.
struct PhotoDeskTests {
    private func blob(_ byte: UInt8) throws -> Blob {
        try #require(Blob([byte]) { BlobHash(bytes: [UInt8](repeating: $0[0], count: 32))! })
    }

    @Test("one look at a time, and one more for all that changed meanwhile")
    func looking() {
        var desk = PhotoDesk()
        let asked = [desk.ask(), desk.ask()]
        let first = desk.begin()
        let meanwhile = (0..<3).map { _ in desk.ask() }
        let looks = [desk.begin(), desk.begin()]
        #expect(asked == [true, false] && first != nil && meanwhile == [false, false, false])
        #expect(looks[0] != nil && looks[1] == nil)
        let again = desk.ask()
        _ = desk.failed()
        let after = desk.ask()
        #expect(again, "looking has ended")
        #expect(after, "a look that failed ends looking")
    }

    @Test("a look that failed is tried again after a pause, which doubles, however many fail meanwhile")
    func failures() {
        var desk = PhotoDesk()
        func fail() -> UInt64? {
            _ = desk.ask()
            _ = desk.begin()
            return desk.failed()
        }
        let first = [fail(), fail()]
        desk.resume()
        let second = fail()
        desk.resume()
        _ = desk.ask()
        _ = desk.begin()
        _ = desk.found(PhotoBook(), PhotoBook.Difference(), of: [], hasMadeRoom: false)
        let third = fail()
        #expect(first == [5_000, nil] && second == 10_000 && third == 5_000)
    }

    @Test("room that was made causes another look, which finds more room")
    func room() {
        var desk = PhotoDesk()
        _ = desk.ask()
        _ = desk.begin()
        let outcomes = desk.found(PhotoBook(), PhotoBook.Difference(), of: [], hasMadeRoom: true)
        let looks = [desk.begin(), desk.begin()]
        #expect(outcomes.isEmpty && looks[0] != nil && looks[1] == nil)
    }

    @Test("pictures that people look at go first, the latest first, and no more of them than the bound")
    func looked() throws {
        var desk = PhotoDesk()
        let blobs = try (0..<UInt8(20)).map { try blob($0) }
        let hastened = blobs.map { desk.hasten($0) }
        let isRepeated = desk.hasten(blobs[19])
        _ = desk.hasten(blobs[10])
        _ = desk.ask()
        let look = desk.begin()
        #expect(!hastened.contains(false) && !isRepeated)
        #expect(look?.looked.count == PhotoDesk.lookedMax)
        #expect(look?.looked.prefix(3) == [blobs[10], blobs[19], blobs[18]])
    }

    @Test("chunks that nothing refers to are removed at most once an hour")
    func collecting() {
        var desk = PhotoDesk()
        let times = [5, PhotoDesk.collectInterval, 5 + PhotoDesk.collectInterval]
        let collected = times.map { desk.mustCollect(at: $0) }
        #expect(collected == [true, false, true])
    }
}
