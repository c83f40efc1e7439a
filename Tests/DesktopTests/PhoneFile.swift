import Foundation
import Testing

/// A HEIC file as telephones write it (ISO/IEC 23008-12): a grid of tiles, each an HEVC picture, turned by a property, beside
/// EXIF. One tile stands in all places.
struct PhoneFile {
    var columns = 3
    var rows = 2
    /// What the grid says of the picture, and what its property says.
    var size: (UInt32, UInt32) = (1_400, 900)
    var extent: (UInt32, UInt32)?
    /// The items that the grid is made of, and how many of them; nil for as many as it has places.
    var tileCount: Int?
    var isMadeOfItself = false
    /// A quarter turn to the left, as a telephone that is held upright notes it.
    var isTurned = false

    static let tileSide: UInt32 = 512
    private static let tile = Result { try Tile() }

    /// A tile's configuration and its picture, out of a file that `vips` wrote.
    private struct Tile {
        let configuration: [UInt8]
        let picture: [UInt8]

        init() throws {
            let file = try Pictures.noise(Int(tileSide), Int(tileSide), "heifsave", "a.heic")
            let place = try #require(Data(file).range(of: Data("hvcC".utf8))?.lowerBound)
            configuration = Array(file[(place - 4)..<(place - 4 + Self.number(file, place - 4))])
            // Its first extent, behind version, lengths, one number of items and what precedes places of the first.
            let locations = try #require(Data(file).range(of: Data("iloc".utf8))?.lowerBound)
            let (start, count) = (Self.number(file, locations + 16), Self.number(file, locations + 26))
            picture = Array(file[start..<(start + count)])
        }

        private static func number(_ file: [UInt8], _ place: Int) -> Int {
            file[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
        }
    }

    func bytes() throws -> [UInt8] {
        let tile = try Self.tile.get()
        let exif: [UInt8] = [0, 0, 0, 0] + Array("MM\0*\0\0\0\u{8}\0\0".utf8) + Array("48.8584,2.2945 Eiffel".utf8)
        let kind = box("ftyp", Array("heic".utf8) + four(0) + Array("mif1heic".utf8))
        // How long all before the data is depends on no place in it.
        let length = kind.count + meta(tile, exif, data: 0).count + 8
        return kind + meta(tile, exif, data: UInt32(length)) + box("mdat", tile.picture + exif)
    }

    private var tiles: [UInt16] { (0..<(tileCount ?? columns * rows)).map { UInt16($0) + 1 } }
    private var grid: UInt16 { 1_000 }
    private var exifItem: UInt16 { 1_001 }

    private func meta(_ tile: Tile, _ exif: [UInt8], data: UInt32) -> [UInt8] {
        let places = [UInt8(rows - 1), UInt8(columns - 1)]
        let gridBytes: [UInt8] = [0, 1] + places + four(size.0) + four(size.1)
        let types = tiles.map { ($0, "hvc1") } + [(grid, "grid"), (exifItem, "Exif")]
        let entries = types.map { full("infe", 2, two($0.0) + [0, 0] + Array($0.1.utf8) + [0]) }
        let references =
            box("dimg", two(grid) + two(UInt16(tiles.count)) + tiles.flatMap { two(isMadeOfItself ? grid : $0) })
            + box("cdsc", two(exifItem) + two(1) + two(grid))
        let picture = UInt32(tile.picture.count)
        var locations = tiles.flatMap { location(of: $0, method: 0, data, picture) }
        locations += location(of: grid, method: 1, 0, UInt32(gridBytes.count))
        locations += location(of: exifItem, method: 0, data + picture, UInt32(exif.count))
        return full(
            "meta", 0,
            full("hdlr", 0, four(0) + Array("pict".utf8) + [UInt8](repeating: 0, count: 13))
                + full("pitm", 0, two(grid))
                + full("iinf", 0, two(UInt16(entries.count)) + Array(entries.joined())) + full("iref", 0, references)
                + box("iprp", properties(tile)) + full("iloc", 1, [0x44, 0] + two(UInt16(tiles.count + 2)) + locations)
                + box("idat", gridBytes))
    }

    private func location(of item: UInt16, method: UInt8, _ start: UInt32, _ count: UInt32) -> [UInt8] {
        two(item) + [0, method] + two(0) + two(1) + four(start) + four(count)
    }

    private func properties(_ tile: Tile) -> [UInt8] {
        let extent = extent ?? size
        let kept =
            tile.configuration + full("ispe", 0, four(Self.tileSide) + four(Self.tileSide))
            + full("ispe", 0, four(extent.0) + four(extent.1)) + box("irot", [1])
        let ofTiles: [UInt8] = tiles.flatMap { two($0) + [2, 0x81, 2] }
        let ofGrid = two(grid) + (isTurned ? [2, 3, 0x84] : [1, 3])
        return box("ipco", kept) + full("ipma", 0, four(UInt32(tiles.count + 1)) + ofTiles + ofGrid)
    }

    // MARK: - Boxes

    private func two(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }

    private func four(_ number: UInt32) -> [UInt8] { two(UInt16(number >> 16)) + two(UInt16(number & 0xFFFF)) }

    private func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        four(UInt32(content.count + 8)) + Array(name.utf8) + content
    }

    private func full(_ name: String, _ version: UInt8, _ content: [UInt8]) -> [UInt8] {
        box(name, [version, 0, 0, 0] + content)
    }
}
