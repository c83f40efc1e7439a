import Attachments
import ChangeLog
import DeltaCRDT
import Foundation
import Sodium
import TestTiers
import Testing

let sodium: SodiumCryptography = {
    guard let made = try? SodiumCryptography() else { preconditionFailure("libsodium does not begin") }
    return made
}()

/// BLAKE2b-256, as photos are named.
func hash(_ bytes: [UInt8]) -> BlobHash { BlobHash(bytes: sodium.hash(bytes).bytes)! }

/// Bytes that no other seed gives.
func bytes(_ count: Int, seed: UInt8) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) ^ seed }
}

func photo(seed: UInt8, sharp: Int = 200_000) -> PhotoManifest {
    let rendition = { (type: Rendition.MediaType, width: Int, size: Int) in
        Rendition(type: type, width: width, height: width / 2, blob: Blob(bytes(size, seed: seed), hash: hash)!)!
    }
    return PhotoManifest(
        sharp: rendition(.jpeg, 2_048, sharp), card: rendition(.webp, 1_280, 90_000),
        thumbnail: rendition(.webp, 320, 9_000))
}

struct PhotoManifestTests {
    @Test("a file is split into chunks of 64 KiB, the last one shorter", .tags(.slow))
    func chunks() throws {
        for count in [1, 65_535, 65_536, 65_537, 131_072, 200_000, Blob.sizeMax] {
            let file = bytes(count, seed: 1)
            let blob = try #require(Blob(file, hash: hash))
            #expect(blob.size == count && blob.chunks.count == (count + 65_535) / 65_536)
            #expect(blob.chunks.indices.reduce(0) { $0 + blob.size(ofChunk: $1) } == count)
            #expect(blob.chunks == Blob.split(file).map { hash(Array($0)) })
            #expect(Blob.split(file).map(\.count) == blob.chunks.indices.map(blob.size(ofChunk:)))
        }
        #expect(Blob([], hash: hash) == nil)
        #expect(Blob([UInt8](repeating: 0, count: Blob.sizeMax + 1), hash: hash) == nil)
    }

    @Test("a manifest is read back as it was written, in bytes, in digits and in JSON")
    func roundTrip() throws {
        for size in [1, 65_536, 65_537, 1_000_000] {
            let photo = photo(seed: 3, sharp: size)
            #expect(try PhotoManifest(bytes: photo.bytes) == photo)
            #expect(PhotoManifest(digits: photo.digits) == photo)
            #expect(try JSONDecoder().decode(PhotoManifest.self, from: JSONEncoder().encode(photo)) == photo)
            #expect(photo.bytes.count <= PhotoManifest.bytesMax)
        }
    }

    @Test("a manifest's chunks are listed with the thumbnail's first")
    func order() {
        let photo = photo(seed: 3)
        #expect(photo.chunks == photo.thumbnail.blob.chunks + photo.card.blob.chunks + photo.sharp.blob.chunks)
    }

    @Test("a manifest that is cut, altered in a length, or goes on is refused")
    func refused() {
        let good = photo(seed: 3).bytes
        for count in good.indices {
            #expect(throws: DecodingFailure.self) { try PhotoManifest(bytes: Array(good[..<count])) }
        }
        #expect(throws: DecodingFailure.self) { try PhotoManifest(bytes: good + [0]) }
        for (place, byte) in [(0, 0), (0, 3), (0, 255), (1, 0)] as [(Int, UInt8)] {
            var bad = good
            bad[place] = byte
            #expect(throws: DecodingFailure.self) { try PhotoManifest(bytes: bad) }
        }
        #expect(PhotoManifest(digits: photo(seed: 3).digits.uppercased()) == nil)
        #expect(PhotoManifest(digits: String(photo(seed: 3).digits.dropLast())) == nil)
    }

    @Test("sizes beyond the bounds are refused before anything is read of them")
    func bounds() {
        /// The beginning of a manifest: a sharp picture of so many pixels and bytes.
        func opening(width: UInt64, height: UInt64, size: UInt64) -> [UInt8] {
            var encoder = CanonicalEncoder()
            encoder.encode(byte: 1)
            for number in [width, height, size] { encoder.encode(number) }
            return encoder.bytes
        }
        func failure(_ bytes: [UInt8]) -> DecodingFailure? {
            do throws(DecodingFailure) { _ = try PhotoManifest(bytes: bytes) } catch { return error }
            return nil
        }
        #expect(failure(opening(width: 16_385, height: 1, size: 1)) == .tooLarge)
        #expect(failure(opening(width: 1, height: .max, size: 1)) == .tooLarge)
        #expect(failure(opening(width: 0, height: 1, size: 1)) == .notCanonical)
        #expect(failure(opening(width: 1, height: 1, size: 0)) == .notCanonical)
        #expect(failure(opening(width: 1, height: 1, size: UInt64(Blob.sizeMax) + 1)) == .tooLarge)
        #expect(failure(opening(width: 1, height: 1, size: .max)) == .tooLarge)
        #expect(failure(opening(width: 1, height: 1, size: UInt64(Blob.sizeMax))) == .truncated)
        #expect(Rendition(type: .jpeg, width: 0, height: 1, blob: Blob([1], hash: hash)!) == nil)
        #expect(Rendition(type: .jpeg, width: 1, height: 16_385, blob: Blob([1], hash: hash)!) == nil)
    }
}
