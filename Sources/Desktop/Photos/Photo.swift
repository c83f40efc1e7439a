/// A photo in three sizes, as JPEG, upright, in sRGB, with nothing in the files but the picture: no place, no camera, no time.
package struct Photo: Hashable, Sendable {
    package struct Picture: Hashable, Sendable {
        /// In pixels.
        package let width: Int
        package let height: Int
        package let bytes: [UInt8]
    }

    package let sharp: Picture
    package let card: Picture
    package let thumbnail: Picture
    /// Whether the program that read it saw nothing of this machine but programs.
    package let isConfined: Bool

    /// The greatest width and height of the three, in pixels, and the most bytes of each.
    package struct Sizes: Sendable {
        package var sharp: (pixels: Int, bytes: Int)
        package var card: (pixels: Int, bytes: Int)
        package var thumbnail: (pixels: Int, bytes: Int)

        package init(
            sharp: (pixels: Int, bytes: Int), card: (pixels: Int, bytes: Int), thumbnail: (pixels: Int, bytes: Int)
        ) {
            self.sharp = sharp
            self.card = card
            self.thumbnail = thumbnail
        }
    }

    /// Who sent a photo. What a guest sends is read beside the rest: one at once, with less memory, at a low priority; so
    /// nobody waits for it but guests.
    package enum Sender: Sendable { case own, guest }

    /// The most bytes of a file that is taken for a photo.
    package static let fileBytesMax = 32 << 20
    /// The most pixels of a picture that is decoded: a telephone's have up to 50 million.
    package static let pixelsMax = 64_000_000
    /// The most bytes of what is beside the picture and compressed: it grows a thousandfold when it is read (RFC 1951).
    package static let compressedMetadataBytesMax = 64 << 10
}

extension Desktop {
    /// Photos that are decoded at once; others wait.
    private static let photos = BoundedTurns(atOnce: 2, waitingMax: 64)
    private static let guestPhotos = BoundedTurns(atOnce: 1, waitingMax: 16)
    private static let photoLimits = Child.Limits(seconds: 30, mebibytes: 1_024, outputBytesMax: 4 << 20)
    private static let guestPhotoLimits = Child.Limits(
        seconds: 15, mebibytes: 640, outputBytesMax: 4 << 20, niceness: 10)
    /// How good each try is, until one is small enough.
    private static let qualities = [85, 70, 50, 30]

    /// A file as a photo, by `vipsthumbnail` (package libvips-tools): in a child with an empty environment and bounds on
    /// time, memory and output, which where `bwrap` (package bubblewrap) works sees nothing of this machine but its
    /// programs, and no network. At most 2 photos are made at once, and 64 wait; of guests' 1,
    /// and 16 wait. For each, one child decodes the file; then two children make the smaller sizes of what that made.
    ///
    /// JPEG, PNG, WebP, GIF (its first frame), HEIC and AVIF are taken, each known by its contents.
    ///
    /// - Throws: for what is none of these, is cut, or is too great; and where the program is not installed.
    package static func photo(
        of file: [UInt8], sizes: Photo.Sizes, sender: Photo.Sender = .own
    ) async throws(DesktopError) -> Photo {
        guard file.count <= Photo.fileBytesMax else {
            throw DesktopError("the file is larger than \(Photo.fileBytesMax >> 20) MB; choose a smaller one")
        }
        guard let header = PictureHeader(file) else {
            throw DesktopError("this is not a picture; choose a JPEG, PNG, WebP, GIF or HEIC file")
        }
        guard header.width <= Photo.pixelsMax / header.height else {
            throw DesktopError(
                "the picture has \(header.width) × \(header.height) pixels, more than \(Photo.pixelsMax / 1_000_000) "
                    + "million; choose a smaller one")
        }
        guard header.compressedMetadataBytes <= Photo.compressedMetadataBytesMax else {
            throw DesktopError(
                "the picture has more than \(Photo.compressedMetadataBytesMax >> 10) kB of compressed text or color profile; "
                    + "save it without metadata")
        }
        guard let program = Program("vipsthumbnail") else {
            throw DesktopError(
                "cannot read photos, because vipsthumbnail is not installed; install the package libvips-tools")
        }
        let (turns, limits) = sender == .guest ? (guestPhotos, guestPhotoLimits) : (photos, photoLimits)
        try await turns.begin()
        let decoded: Result<Photo, DesktopError>
        do throws(DesktopError) {
            let (sharp, isConfined) = try await scaled(file, to: sizes.sharp, program, limits)
            // The smaller ones are made of it: it is decoded faster than what a camera wrote, and it is known.
            async let card = Result.of { () throws(DesktopError) in
                try await scaled(sharp.bytes, to: sizes.card, program, limits).picture
            }
            async let thumbnail = Result.of { () throws(DesktopError) in
                try await scaled(sharp.bytes, to: sizes.thumbnail, program, limits).picture
            }
            decoded = .success(
                Photo(
                    sharp: sharp, card: try await card.get(), thumbnail: try await thumbnail.get(),
                    isConfined: isConfined))
        } catch { decoded = .failure(error) }
        await turns.end()
        return try decoded.get()
    }

    private static func scaled(
        _ file: [UInt8], to size: (pixels: Int, bytes: Int), _ program: Program, _ limits: Child.Limits
    ) async throws(DesktopError) -> (picture: Photo.Picture, isConfined: Bool) {
        for quality in qualities {
            // In WebP the program leaves EXIF of its own.
            let saving = ".jpg[Q=\(quality),strip,background=255,optimize-coding]"
            let arguments = [
                // What is cut is refused, where it would be grey else. Never greater than it is.
                "stdin[fail_on=truncated]", "--size", "\(size.pixels)x\(size.pixels)>", "--export-profile", "srgb",
                "-o", saving,
            ]
            let (outcome, isConfined) = try await runConfined(program, arguments, input: file, limits)
            guard outcome.status == 0, let made = PictureHeader(outcome.output),
                made.format == .jpeg, max(made.width, made.height) <= size.pixels
            else { throw refusal(outcome) }
            if outcome.output.count <= size.bytes {
                return (Photo.Picture(width: made.width, height: made.height, bytes: outcome.output), isConfined)
            }
        }
        throw DesktopError("the picture cannot be made small enough; choose another one")
    }

    private static func refusal(_ outcome: Child.Outcome) -> DesktopError {
        guard outcome.status != nil else {
            return DesktopError("reading the picture takes too much time or memory; choose a smaller one")
        }
        return DesktopError("cannot read the picture; it is truncated, damaged, or of an unknown format")
    }

    /// Only loaders that are made for what strangers send (libvips, "Security").
    private static let environment = ["VIPS_BLOCK_UNTRUSTED=1", "VIPS_CONCURRENCY=1", "LC_ALL=C.UTF-8"]
    /// Runs a program in namespaces of its own, where that can be done here; else within the bounds alone.
    private static func runConfined(
        _ program: Program, _ arguments: [String], input: [UInt8] = [], _ limits: Child.Limits = photoLimits
    ) async throws(DesktopError) -> (outcome: Child.Outcome, isConfined: Bool) {
        if let outcome = try await Sandbox.run(program, arguments, environment: environment, input: input, limits) {
            return (outcome, true)
        }
        return (try await Child.run(program, arguments, environment: environment, input: input, limits), false)
    }

    // MARK: - For the doctor

    /// Why no photo can be read here; nil where it can.
    package static func photoProblem() async -> String? {
        guard let program = Program("vipsthumbnail") else { return "vipsthumbnail is not installed" }
        let outcome = try? await Child.run(program, ["--version"], environment: environment, photoLimits)
        return outcome?.status == 0 ? nil : "\(program.path) does not run"
    }

    /// Why photos are read without walls here; nil where they are not, or are not read at all.
    package static func confinementProblem() async -> String? {
        guard let program = Program("vipsthumbnail") else { return nil }
        guard Program("bwrap") != nil else { return "bubblewrap is not installed" }
        guard program.path.hasPrefix("/usr/") else { return "\(program.path) is not in /usr" }
        guard let (outcome, isConfined) = try? await runConfined(program, ["--version"]) else {
            return "bubblewrap does not run"
        }
        guard outcome.output.isEmpty else { return isConfined ? nil : "bubblewrap cannot make a sandbox here" }
        return isConfined ? "bubblewrap runs nothing" : "bubblewrap cannot make a sandbox here"
    }
}

extension Result where Success: Sendable {
    /// What work brings, or how it fails: so that work at once keeps the type of its errors.
    fileprivate static func of(_ work: () async throws(Failure) -> Success) async -> Result {
        do { return .success(try await work()) } catch { return .failure(error) }
    }
}
