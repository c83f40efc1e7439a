/// The pages of a store that may be damaged: those of the database's file and those in its write-ahead log, as bytes. SQLite
/// is not asked, for it refuses the whole file for one page (https://sqlite.org/fileformat2.html).
struct PageImages {
    private let database: [UInt8]
    private let log: [UInt8]
    let pageSize: Int
    /// Where a page lies in the log, by its number: the last one that was committed.
    private var placeInLog: [Int: Int] = [:]
    /// Where the pages of the log lie, each as often as it was written.
    private var placesInLog: [Int] = []

    private static let logHeaderSize = 32
    private static let frameHeaderSize = 24
    private static let pageSizeByDefault = 4_096

    init(database: [UInt8], log: [UInt8]) {
        self.database = database
        self.log = log
        // A page size is a power of two, so that one altered bit makes it none.
        let size = database.count > 18 ? Int(database[16]) << 8 | Int(database[17]) : 0
        pageSize = size >= 512 && size.nonzeroBitCount == 1 ? size : Self.pageSizeByDefault
        readLog()
    }

    /// The pages of the database, then those of the log.
    var count: Int { (database.count + pageSize - 1) / pageSize + placesInLog.count }

    /// A page by its place among all. One that the file ends in is filled up with zeros.
    func page(at index: Int) -> [UInt8] {
        let inDatabase = (database.count + pageSize - 1) / pageSize
        guard index < inDatabase else { return whole(log, at: placesInLog[index - inDatabase]) }
        return whole(database, at: index * pageSize)
    }

    /// The page with a number, which counts from 1, as it was written last; nil where there is none.
    ///
    /// - Parameter usesLog: false for what the file of the database holds.
    func page(numbered number: Int, usesLog: Bool) -> [UInt8]? {
        if usesLog, let place = placeInLog[number] { return whole(log, at: place) }
        guard number > 0, (number - 1) * pageSize < database.count else { return nil }
        return whole(database, at: (number - 1) * pageSize)
    }

    private func whole(_ bytes: [UInt8], at place: Int) -> [UInt8] {
        let page = bytes[place..<min(place + pageSize, bytes.count)]
        return Array(page) + [UInt8](repeating: 0, count: pageSize - page.count)
    }

    /// Finds the pages of the log's present round, up to its last commit. What lies behind that was never acknowledged, and
    /// may stand beside what was written instead of it.
    private mutating func readLog() {
        guard log.count > Self.logHeaderSize + Self.frameHeaderSize else { return }
        let salts = (word(at: 16), word(at: 20))
        var uncommitted: [(number: Int, place: Int)] = []
        let frameSize = Self.frameHeaderSize + pageSize
        for frame in stride(from: Self.logHeaderSize, through: log.count - Self.frameHeaderSize - 1, by: frameSize) {
            // One altered byte alters one salt, of the header or of the frame.
            guard word(at: frame + 8) == salts.0 || word(at: frame + 12) == salts.1 else { continue }
            uncommitted.append((Int(word(at: frame)), frame + Self.frameHeaderSize))
            guard word(at: frame + 4) != 0 else { continue }
            for page in uncommitted {
                placeInLog[page.number] = page.place
                placesInLog.append(page.place)
            }
            uncommitted = []
        }
    }

    private func word(at offset: Int) -> UInt32 { log[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }
}
