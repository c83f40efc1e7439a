import Foundation
import TestTiers
import Testing

@testable import Desktop

/// Files become photos, by the real program in its real walls.
struct PhotoTests {
    static let isHere = Program("vipsthumbnail") != nil
    private let sizes = Photo.Sizes(sharp: (2_048, 2 << 20), card: (1_280, 512 << 10), thumbnail: (320, 64 << 10))

    private func refusal(_ file: [UInt8]) async -> String? {
        do throws(DesktopError) { _ = try await Desktop.photo(of: file, sizes: sizes) } catch { return error.message }
        return nil
    }

    @Test(
        "a file of every kind that is taken becomes a photo in three sizes, never greater than it was", .tags(.slow),
        .enabled(if: isHere))
    func kinds() async throws {
        let kinds = [
            ("jpegsave", "a.jpg"), ("pngsave", "a.png"), ("webpsave", "a.webp"), ("gifsave", "a.gif"),
            ("heifsave", "a.heic"),
        ]
        for (saver, name) in kinds {
            let photo = try await Desktop.photo(of: try Pictures.noise(900, 600, saver, name), sizes: sizes)
            #expect(photo.sharp.width == 900 && photo.sharp.height == 600, "\(name)")
            #expect(photo.card.width == 900 && photo.card.height == 600, "\(name)")
            #expect(photo.thumbnail.width == 320 && (213...214).contains(photo.thumbnail.height), "\(name)")
            #expect(
                PictureHeader(photo.sharp.bytes)?.format == .jpeg && PictureHeader(photo.card.bytes)?.format == .jpeg)
            #expect(photo.thumbnail.bytes.count <= sizes.thumbnail.bytes)
        }
        let great = try await Desktop.photo(of: try Pictures.noise(3_000, 1_500, "jpegsave", "a.jpg"), sizes: sizes)
        #expect(great.sharp.width == 2_048 && great.sharp.height == 1_024 && great.card.width == 1_280)
    }

    @Test("a photo is turned upright, and nothing of where it was taken is left in it", .enabled(if: isHere))
    func metadata() async throws {
        let plain = try Pictures.noise(300, 200, "jpegsave", "a.jpg")
        let secret = Array("48.8584,2.2945 Eiffel".utf8)
        // EXIF (CIPA DC-008): one directory with orientation 6, a quarter turn to the right; and a comment.
        var exif: [UInt8] = Array("Exif\0\0MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
        exif += [0, 0, 0, 0] + secret
        let segment = { (marker: UInt8, bytes: [UInt8]) -> [UInt8] in
            [0xFF, marker, UInt8((bytes.count + 2) >> 8), UInt8((bytes.count + 2) & 0xFF)] + bytes
        }
        let file = Array(plain.prefix(2)) + segment(0xE1, exif) + segment(0xFE, secret) + Array(plain.dropFirst(2))
        let photo = try await Desktop.photo(of: file, sizes: sizes)
        #expect(photo.sharp.width == 200 && photo.sharp.height == 300)
        for picture in [photo.sharp, photo.card, photo.thumbnail] {
            #expect(
                !Data(picture.bytes).contains(Array("Eiffel".utf8)) && !Data(picture.bytes).contains(Array("Exif".utf8))
            )
        }
    }

    @Test("what is cut anywhere in the picture is refused", .tags(.slow), .enabled(if: isHere))
    func cut() async throws {
        for (saver, name) in [
            ("jpegsave", "a.jpg"), ("pngsave", "a.png"), ("webpsave", "a.webp"), ("gifsave", "a.gif"),
        ] {
            let file = try Pictures.noise(400, 300, saver, name)
            for part in [0.2, 0.5, 0.9] {
                let refusal = await refusal(Array(file.prefix(Int(Double(file.count) * part))))
                #expect(refusal?.contains("cannot read") == true, "\(name) \(part): \(refusal ?? "taken")")
            }
        }
    }

    @Test("SVG, scripts, programs and other files are refused whatever they are called, and run nothing")
    func noPictures() async throws {
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"/>"
        let texts = [
            "", "hello", svg, "<?xml version=\"1.0\"?>\(svg)", "<script>alert(1)</script>", "#!/bin/sh\necho",
            "%PDF-1.4", "\u{7F}ELF", "push graphic-context\nviewbox 0 0 640 480\nfill 'url(https://example.org)'",
            "II*\0", "BM", "GIF", "RIFF....WAVE",
        ]
        for text in texts {
            #expect(await refusal(Array(text.utf8))?.hasPrefix("this is not a picture") == true, "\(text)")
        }
        // A script behind the beginning of a picture is no picture either.
        let masks: [[UInt8]] = [
            [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 9, 0, 9, 3], Array("GIF89a\u{9}\0\u{9}\0".utf8),
        ]
        guard Self.isHere else { return }
        for mask in masks {
            #expect(await refusal(mask + Array(svg.utf8))?.contains("cannot read") == true)
        }
    }

    @Test("a picture of more pixels than are taken is refused by what its file says, before anything is decoded")
    func bombs() async throws {
        func png(_ width: UInt32, _ height: UInt32) -> [UInt8] {
            let bytes = { (number: UInt32) in (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
            return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + bytes(13) + Array("IHDR".utf8) + bytes(width)
                + bytes(height) + [8, 2, 0, 0, 0]
        }
        for (width, height) in [(50_000, 50_000), (.max, .max), (64_000_001, 1), (8_001, 8_000)] as [(UInt32, UInt32)] {
            let refusal = await refusal(png(width, height))
            #expect(refusal?.contains("million; choose") == true, "\(width) × \(height): \(refusal ?? "taken")")
        }
        let gif = Array("GIF89a".utf8) + [0xFF, 0xFF, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 20)
        #expect(await refusal(gif)?.contains("million; choose") == true)
        #expect(await refusal([UInt8](repeating: 0xFF, count: Photo.fileBytesMax + 1))?.contains("larger than") == true)
    }

    @Test("a picture that lies about its size is bounded in memory and time", .tags(.slow), .enabled(if: isHere))
    func liars() async throws {
        // A real picture of 30,000 × 30,000 in few bytes, whose header says that it is small.
        var file = try Pictures.made(["black b.v 30000 30000", "pngsave b.v b.png --compression 9"], "b.png")
        for place in [16, 17, 18, 19, 20, 21, 22, 23] { file[place] = place % 4 == 2 ? 1 : 0 }
        let start = ContinuousClock.now
        #expect(await refusal(file) != nil)
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    /// A PNG file's chunk, as far as a header's reader looks.
    private func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        withUnsafeBytes(of: UInt32(data.count).bigEndian, Array.init) + Array(type.utf8) + data + [0, 0, 0, 0]
    }

    @Test("text and color profiles that are compressed are refused by their size alone, and others are taken")
    func compressedMetadata() async throws {
        let size = withUnsafeBytes(of: UInt32(4).bigEndian, Array.init)
        let start = [0x89] + Array("PNG\r\n\u{1A}\n".utf8) + chunk("IHDR", size + size + [8, 2, 0, 0, 0])
        let many = [UInt8](repeating: 7, count: 70_000)
        for (chunks, bytes) in [
            (chunk("zTXt", many), 70_000), (chunk("iCCP", many), 70_000),
            (chunk("iTXt", Array("XML\0".utf8) + [1, 0, 0, 0] + many), 70_008),
            (chunk("iTXt", Array("XML\0".utf8) + [0, 0, 0, 0] + many), 0), (chunk("tEXt", many), 0),
            (chunk("IEND", []) + chunk("zTXt", many), 0),
            ((0..<20).flatMap { _ in chunk("zTXt", [UInt8](repeating: 7, count: 3_500)) }, 70_000),
        ] {
            let header = PictureHeader(start + chunks + chunk("IEND", []))
            #expect(header?.compressedMetadataBytes == bytes)
            let refusal = await refusal(start + chunks + chunk("IEND", []))
            #expect(refusal?.contains("kB of compressed text") == (bytes > 0), "\(refusal ?? "taken")")
        }
        // Lengths that lead out of the file, and a keyword without end.
        for tail in [[0xFF, 0xFF, 0xFF, 0xFF] + Array("zTXt".utf8), chunk("iTXt", [UInt8](repeating: 65, count: 200))] {
            #expect(PictureHeader(start + tail) != nil)
        }
    }

    @Test(
        "what guests send is read one at once, and nobody's own photo waits for it", .tags(.slow), .enabled(if: isHere))
    func guestsAside() async throws {
        let great = try Pictures.made(["black b.v 8000 8000", "pngsave b.v b.png --compression 9"], "b.png")
        let small = try Pictures.noise(120, 90, "jpegsave", "a.jpg")
        let sizes = sizes
        let done = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    _ = try await Desktop.photo(of: great, sizes: sizes, sender: .guest)
                    return "guest"
                }
            }
            try await Task.sleep(for: .milliseconds(200))
            group.addTask {
                _ = try await Desktop.photo(of: small, sizes: sizes)
                return "own"
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(done.count == 5 && (done.firstIndex(of: "own") ?? .max) < 2, "\(done)")
    }

    @Test("a header's size is read from the smallest file of each format, and from no cut of it")
    func headers() {
        let files: [(PictureHeader.Format, [UInt8])] = [
            (.jpeg, [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xFF, 0xC2, 0, 11, 8, 0, 7, 1, 4]),
            (.gif, Array("GIF87a".utf8) + [4, 1, 7, 0]),
            (.webp, Array("RIFF....WEBPVP8X........".utf8) + [3, 1, 0, 6, 0, 0]),
            (.webp, Array("RIFF....WEBPVP8L....".utf8) + [0x2F, 0x03, 0x81, 0x01, 0x00]),
            (.webp, Array("RIFF....WEBPVP8 .......".utf8) + [0x9D, 0x01, 0x2A, 4, 1, 7, 0]),
            (
                .heif,
                Array("....ftypheic....".utf8) + [0, 0, 0, 20] + Array("ispe....".utf8) + [0, 0, 1, 4, 0, 0, 0, 7]
            ),
        ]
        for (format, file) in files {
            let header = PictureHeader(file)
            #expect(header?.format == format && header?.width == 260 && header?.height == 7, "\(format)")
            for count in file.indices { #expect(PictureHeader(Array(file[..<count])) == nil, "\(format) \(count)") }
        }
    }
}
