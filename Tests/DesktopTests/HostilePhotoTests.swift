import Foundation
import TestTiers
import Testing

@testable import Desktop

/// Files that are made to be hard to read, through the real program in its real walls.
struct HostilePhotoTests {
    private static let isHere = PhotoTests.isHere
    private let sizes = Photo.Sizes(sharp: (2_048, 2 << 20), card: (1_280, 512 << 10), thumbnail: (320, 64 << 10))

    private func refusal(_ file: [UInt8]) async -> String? {
        do throws(DesktopError) { _ = try await Desktop.photo(of: file, sizes: sizes) } catch { return error.message }
        return nil
    }

    @Test(
        "a telephone's file, a grid of tiles, is taken upright and without what it says of the place", .tags(.slow),
        .enabled(if: isHere))
    func phone() async throws {
        let photo = try await Desktop.photo(of: PhoneFile().bytes(), sizes: sizes)
        #expect(photo.sharp.width == 1_400 && photo.sharp.height == 900)
        let turned = try await Desktop.photo(of: PhoneFile(isTurned: true).bytes(), sizes: sizes)
        #expect(turned.sharp.width == 900 && turned.sharp.height == 1_400)
        for picture in [photo.sharp, photo.card, photo.thumbnail] {
            #expect(!Data(picture.bytes).contains(Data("Eiffel".utf8)))
        }
    }

    @Test(
        "a telephone's file that is cut, lies, has too many tiles or none, or is made of itself is refused",
        .tags(.slow),
        .enabled(if: isHere))
    func phoneLies() async throws {
        let whole = try PhoneFile().bytes()
        for part in [0.05, 0.3, 0.6, 0.9] {
            #expect(await refusal(Array(whole.prefix(Int(Double(whole.count) * part)))) != nil, "\(part)")
        }
        let start = ContinuousClock.now
        for file in [
            PhoneFile(isMadeOfItself: true), PhoneFile(tileCount: 1), PhoneFile(tileCount: 0),
            PhoneFile(size: (50_000, 50_000), extent: (900, 600)), PhoneFile(columns: 256, rows: 256, tileCount: 600),
            PhoneFile(size: (.max, .max), extent: (9, 9)),
        ] {
            #expect(await refusal(try file.bytes()) != nil, "\(file)")
        }
        #expect(ContinuousClock.now - start < .seconds(90))
    }

    @Test("sizes whose product is more than a number holds are refused as what is too great")
    func overflow() async throws {
        let box = [0, 0, 0, 20] + Array("ispe\0\0\0\0".utf8) + [UInt8](repeating: 0xFF, count: 8)
        let file = Array("\0\0\0\u{18}ftypheic....mif1heic".utf8) + box + box
        #expect(await refusal(file)?.contains("million; choose") == true)
    }

    @Test("what takes much of little is read within its bounds, or refused", .tags(.slow), .enabled(if: isHere))
    func bombs() async throws {
        // 64 million pixels in some hundred kilobytes, which is the most that is taken.
        let greatest = try Pictures.made(
            ["black b.v 8000 8000 --bands 3", "pngsave b.v b.png --compression 9"], "b.png")
        #expect(greatest.count < 1 << 20)
        #expect(await refusal(greatest) == nil)
        // A progressive JPEG whose scans come a thousand times.
        let file = try Pictures.made(
            ["gaussnoise n.v 2000 1500 --seed 2", "cast n.v g.v uchar", "jpegsave g.v p.jpg --interlace"], "p.jpg")
        let scan = try #require(Data(file).range(of: Data([0xFF, 0xDA]))?.lowerBound)
        let next = try #require(Data(file)[(scan + 2)...].range(of: Data([0xFF, 0xC4]))?.lowerBound)
        let again = [[UInt8]](repeating: Array(file[scan..<next]), count: 1_000).flatMap { $0 }
        #expect(again.count < Photo.fileBytesMax)
        let start = ContinuousClock.now
        #expect(await refusal(Array(file[..<next]) + again + Array(file[next...])) != nil)
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    @Test(
        "files that were altered anywhere become photos within their bounds, or are refused in one line", .tags(.slow),
        .enabled(if: isHere))
    func altered() async throws {
        let kinds = [("jpegsave", "a.jpg"), ("pngsave", "a.png"), ("webpsave", "a.webp"), ("gifsave", "a.gif")]
        var files: [[UInt8]] = [try PhoneFile().bytes()]
        for (saver, name) in kinds { files.append(try Pictures.noise(120, 90, saver, name)) }
        var random = SplitMix(state: 16)
        var taken = 0
        for number in 0..<40 {
            let file = random.altered(files[number % files.count])
            let start = ContinuousClock.now
            do throws(DesktopError) {
                let photo = try await Desktop.photo(of: file, sizes: sizes)
                taken += 1
                for (picture, bound) in [
                    (photo.sharp, sizes.sharp), (photo.card, sizes.card), (photo.thumbnail, sizes.thumbnail),
                ] {
                    #expect(max(picture.width, picture.height) <= bound.pixels && picture.bytes.count <= bound.bytes)
                    #expect(PictureHeader(picture.bytes)?.format == .jpeg)
                }
            } catch {
                #expect(!error.message.isEmpty && !error.message.contains("\n"))
            }
            #expect(ContinuousClock.now - start < .seconds(100), "input \(number)")
        }
        #expect(taken > 0 && taken < 40)
    }
}

/// Where and how files are altered: the same each time.
private struct SplitMix {
    var state: UInt64

    private mutating func below(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ mixed >> 31) % UInt64(bound))
    }

    mutating func altered(_ file: [UInt8]) -> [UInt8] {
        var file = file
        for _ in 0...below(3) {
            let place = below(2) == 0 ? below(min(64, file.count)) : below(file.count)
            switch below(5) {
            case 0, 1: file[place] ^= 1 << UInt8(below(8))
            case 2: file[place] = [0, 0x7F, 0x80, 0xFF][below(4)]
            case 3: file.insert(contentsOf: file[place..<min(place + 32, file.count)], at: below(file.count))
            default: file = Array(file.prefix(max(place, 16)))
            }
        }
        return file
    }
}
