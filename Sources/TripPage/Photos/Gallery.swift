package import Attachments
package import TripModel

/// Where a picture of a photo lies: `/t/TRIP/photo/ITEM/PHOTO/SIZE`. What lies there never changes, for a photo's name is
/// that of the operation that says what it is made of.
package struct PhotoPath: Hashable, Sendable {
    /// The item's short id.
    package let item: String
    package let photo: PhotoID
    package let size: PhotoManifest.Size

    init(_ photo: PhotoView, of item: ItemView, _ size: PhotoManifest.Size) {
        (self.item, self.photo, self.size) = (item.shortID, photo.id, size)
    }

    fileprivate init(item: String, photo: PhotoID, size: PhotoManifest.Size) {
        (self.item, self.photo, self.size) = (item, photo, size)
    }

    /// Reads what follows `/t/TRIP/photo/`; nil for what leads to no photo.
    package init?(_ segments: some Collection<String>) {
        let segments = Array(segments)
        guard segments.count == 3, (4...64).contains(segments[0].utf8.count), let photo = PhotoID(segments[1]),
            let size = PhotoManifest.Size(rawValue: segments[2])
        else { return nil }
        (item, self.photo, self.size) = (segments[0], photo, size)
    }

    func path(inTrip trip: String) -> PagePath {
        PagePath(["t", trip, "photo", item, photo.description, size.rawValue])
    }
}

extension TripPage {
    /// An item's first photo, or the first letter of its title on a colour that is the item's everywhere.
    static func picture(of item: ItemView, inTrip trip: String) -> HTML {
        // One that is not here yet leaves its place to one that is.
        guard let photo = item.photos.first(where: { $0.greatestHere != nil }) else { return initial(of: item) }
        // Through a mailbox come thumbnails, and what somebody opened.
        let greater: PhotoManifest.Size = photo.absent.contains(.card) ? .sharp : .card
        return tag(.div, .class("picture", "hue-\(hue(of: item))")) {
            // The title stands beside it.
            image(
                photo, of: item, inTrip: trip, [.thumbnail, greater], sizes: "(min-width: 900px) 320px, 104px", alt: "")
        }
    }

    /// The photos of an item side by side, each a link to the view that shows it large.
    static func gallery(of item: ItemView, state: PageState) -> HTML? {
        guard !item.photos.isEmpty else { return nil }
        let target = PageTarget(state)
        return tag(
            .ul, .class("gallery"), .id("g-" + item.shortID), .plain(.tabindex, 0), .plain(.role, "list"),
            .aria(.label, "Photos of \(item.title.displayed(limit: 80))")
        ) {
            item.photos.enumerated().map { place, photo in
                let label = "Photo \(place + 1) of \(item.photos.count), by \(photo.authorName)"
                return tag(.li) {
                    if photo.greatestHere != nil {
                        // An absent photo is a link too: opening it fetches it before others.
                        tag(.a, .href(target.link { ($0.open, $0.photo) = (item.shortID, photo.id) })) {
                            image(
                                photo, of: item, inTrip: state.tripID, [.thumbnail, .card, .sharp],
                                sizes: "(min-width: 900px) 480px, 85vw", alt: label)
                        }
                        if photo.absent.contains(.sharp) {
                            tag(.p, .class("hint")) { "Not downloaded in full yet: \(holder(of: photo, state)) it." }
                        }
                    } else {
                        tag(.p, .class("awaited")) { "\(label): not downloaded yet, \(holder(of: photo, state)) it" }
                    }
                }
            }
        }
    }

    /// One photo as large as the window, with the ways to the one before and the next: links, so that it needs no script.
    static func photoView(of item: ItemView, state: PageState) -> HTML? {
        let photos = item.photos.filter { $0.greatestHere != nil }
        guard let place = photos.firstIndex(where: { $0.id == state.query.photo }) else { return nil }
        let photo = photos[place]
        var closed = PageTarget(state)
        closed.query.photo = nil
        let step = { (by: Int, label: String, sign: String, key: String) in
            let other = photos[(place + by + photos.count) % photos.count]
            return tag(
                .a, .class("photo-step", "step-\(key)"), .href(closed.link { $0.photo = other.id }),
                .data(.mark, "step"), .data(.key, key), .aria(.label, label)
            ) { tag(.span, .aria(.hidden, "true")) { sign } }
        }
        let label = "Photo \(place + 1) of \(photos.count), by \(photo.authorName)"
        return tag(.div, .class("photo-view"), .plain(.role, "dialog"), .aria(.modal, "true"), .aria(.label, label)) {
            // Looked at, it is fetched before others where it is not here in full.
            image(photo, of: item, inTrip: state.tripID, [.sharp], sizes: "100vw", alt: label)
            if photos.count > 1 {
                step(-1, "Previous photo", "‹", "ArrowLeft")
                step(1, "Next photo", "›", "ArrowRight")
            }
            tag(.div, .class("photo-bar")) {
                tag(.a, .class("button"), .href(closed.link { _ in }), .data(.mark, "close-photo")) { "Close" }
                tag(.span, .class("photo-count"), .plain(.dir, "auto")) {
                    "\(place + 1) of \(photos.count) · \(photo.authorName)"
                }
                tag(
                    .a, .class("text"), .href(PhotoPath(photo, of: item, .sharp).path(inTrip: state.tripID)),
                    .plain(.target, "_blank")
                ) { "Full size" }
                if state.mayEdit, !item.isRemoved {
                    actionButton(
                        .act(.detach([photo.id]), on: [item.shortID]), closed, label: "Remove",
                        description: "Remove photo \(place + 1)", class: "text")
                }
            }
        }
    }

    /// The members who have an absent photo: most likely the one who added it, unless that was on this machine.
    private static func holder(of photo: PhotoView, _ state: PageState) -> String {
        photo.author == state.viewer.participant ? "others have" : "\(photo.authorName) has"
    }

    /// The address of a photo in another size.
    package static func address(of path: PhotoPath, as size: PhotoManifest.Size, inTrip trip: String) -> String {
        PhotoPath(item: path.item, photo: path.photo, size: size).path(inTrip: trip).text
    }

    private static func image(
        _ photo: PhotoView, of item: ItemView, inTrip trip: String, _ sizes: [PhotoManifest.Size],
        sizes widths: String, alt: String
    ) -> HTML {
        let here = sizes.filter { !photo.absent.contains($0) }
        let paths = here.map { size in
            (path: PhotoPath(photo, of: item, size).path(inTrip: trip), width: photo.manifest[size].width)
        }
        let greatest = photo.manifest[here.last ?? .thumbnail]
        return tag(
            .img, .plain(.alt, alt), .plain(.width, greatest.width), .plain(.height, greatest.height),
            .plain(.loading, "lazy"), .plain(.decoding, "async"), .plain(.sizes, widths), .srcset(paths),
            .src(paths.first?.path ?? PhotoPath(photo, of: item, .thumbnail).path(inTrip: trip)))
    }

    /// The form by which photos come to an item: chosen, photographed, dropped on the card, or pasted.
    static func photoForm(for item: ItemView, state: PageState) -> HTML? {
        guard state.mayVote, !item.isRemoved else { return nil }
        let target = PageTarget(state)
        let id = "p-" + item.shortID
        let back = target.query.text
        return tag(
            .form, .class("photos"), .plain(.method, "post"), .plain(.enctype, "multipart/form-data"),
            .action(PagePath(["t", target.tripID, "photo"], part: target.part))
        ) {
            hidden("item", item.shortID)
            if !back.isEmpty { hidden("back", back) }
            tag(.label, .class("button"), .plain(.for, id)) { "Add photos" }
            // With this list of types, phones that store HEIC send JPEG.
            tag(
                .input, .id(id), .class("unseen"), .plain(.type, "file"), .plain(.name, "photo"), .flag(.multiple),
                .plain(.accept, "image/jpeg,image/png,image/webp"))
            tag(.noscript) { tag(.button, .class("button"), .plain(.type, "submit")) { "Send photos" } }
            tag(.output, .data(.mark, "progress"), .aria(.live, "polite"))
        }
    }
}
