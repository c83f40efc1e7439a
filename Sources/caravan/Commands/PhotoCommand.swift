import ArgumentParser
import Attachments
import Console
import TripModel
import TripService
import TripText

struct Photograph: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photo", abstract: "Attach, remove or save photos of an item.",
        discussion: """
            Photos are made smaller, and stripped of location and camera data.

            Examples:
              caravan photo 2 beach.jpg
              caravan photo 2 --save ~/Pictures
              caravan photo 2 --remove 1
            """)

    @Argument(help: .item, completion: .items)
    var item: String

    @Argument(
        help: ArgumentHelp("Pictures: JPEG, PNG, WebP, GIF or HEIC.", valueName: "file"), completion: .file())
    var file: [String] = []

    @Option(
        help: ArgumentHelp(
            "Remove the photo with this number in the item (repeatable).", valueName: "n"))
    var remove: [Int] = []

    @Option(
        help: ArgumentHelp(
            "Save the item's photos in this folder, which is created if it is missing. Existing files stay.",
            valueName: "folder"), completion: .directory)
    var save: String?

    @OptionGroup var trip: WritingOptions

    func validate() throws {
        let wishes = [!file.isEmpty, !remove.isEmpty, save != nil].count(where: { $0 })
        guard wishes == 1 else {
            throw ValidationError(
                wishes == 0 ? "give a file, --remove or --save" : "files, --remove and --save cannot be combined")
        }
    }

    func run() async throws {
        if !remove.isEmpty { return try await takeAway() }
        if let save { return try await self.save(in: save) }
        let photos = try await NewPhoto.read(from: file)
        for part in NewPhoto.parts(of: photos) {
            try await trip.ask(.attach(item: .typed(item), photos: part), photos: part.count)
        }
    }

    private func takeAway() async throws {
        let found = try await trip.item(item)
        var photos: [PhotoID] = []
        for number in remove {
            guard found.photos.indices.contains(number - 1) else {
                throw ServiceError(
                    "\(found.title.quoted) has no photo \(number); it has "
                        + TerminalText.counted(found.photos.count, "photo"))
            }
            photos.append(found.photos[number - 1].id)
        }
        try await trip.ask(.act(.detach(photos), on: [.typed(item)]), photos: Set(photos).count)
    }

    private func save(in folder: String) async throws {
        let found = try await trip.item(item)
        guard !found.photos.isEmpty else {
            throw ServiceError("\(found.title.quoted) has no photos; attach one first")
        }
        let folder = try OutputFile.makeFolder(folder)
        let name = ShareCommand.fileName(of: found.title)
        var missing = 0
        var paths: [String] = []
        for (place, photo) in found.photos.enumerated() {
            guard case .picture(let file) = try await trip.answer(.picture(photo.id, of: found.id, .sharp)) else {
                throw TripOptions.otherAnswer
            }
            guard let file else {
                missing += 1
                continue
            }
            let ending = file.type == .jpeg ? "jpg" : "webp"
            let saved = try OutputFile.writeBeside(
                file.file.bytes, to: "\(folder)/\(name)-\(place + 1)", ending: ending)
            if saved.isNew {
                paths.append(saved.path)
            } else {
                trip.report.note("\(saved.path.displayed()) already exists")
            }
        }
        if trip.report.json || !paths.isEmpty {
            trip.report.tell(paths.map(Reader.path).joined(separator: "\n"), TripJSON.saved(paths))
        }
        if missing > 0 {
            throw ServiceError(
                "\(missing == 1 ? "1 photo has" : "\(missing) photos have") not arrived yet; while your node runs, it "
                    + "asks for \(missing == 1 ? "it" : "them"): try again later")
        }
    }
}
