import ChangeLog
import Sodium
import TripModel

/// What numbers mean on this device, kept between commands: sealed, in two files of the trip's folder. `shown` holds the
/// last list, `shown-since` the few items that were shown alone since, so that to show one does not cost what there is.
///
/// A hint: where it cannot be read or written, numbers mean what they mean at present.
struct ShownNumbersFile {
    private(set) var numbers: ShownNumbers
    private var since: ShownNumbers
    private let file: SealedFile
    private let sinceFile: SealedFile

    private static let bytesMax = 4 << 20
    /// The most items that are kept beside a list: with one more, all is written again.
    private static let sinceMax = 128

    /// - Parameter secret: known to this device alone.
    init(folder: String, secret: Bytes32, mayWrite: Bool, using cryptography: SodiumCryptography) {
        func sealed(_ name: String) -> SealedFile {
            SealedFile(
                name, in: folder, secret: secret, label: "caravan shown numbers at rest", bytesMax: Self.bytesMax,
                mayWrite: mayWrite, using: cryptography)
        }
        (file, sinceFile) = (sealed("shown"), sealed("shown-since"))
        numbers = file.read().map { ShownNumbers(bytes: $0) } ?? ShownNumbers()
        since = sinceFile.read().map { ShownNumbers(bytes: $0) } ?? ShownNumbers()
        numbers.showed(since)
    }

    /// A list was shown: its numbers take the place of all that were shown before.
    mutating func showed(list: [ItemView]) {
        var shown = ShownNumbers()
        shown.showed(list: list)
        guard shown != numbers || since.count > 0 else { return }
        numbers = shown
        writeAll()
    }

    /// Items under the numbers that mean them on this device. Where another item was shown with its number, an item gets one
    /// that nobody has seen.
    func underTheirNumbers(_ items: [ItemView]) -> [ItemView] {
        var numbers = numbers
        let shown = numbers.show(part: items.map { ($0.id.mixedWord, $0.number) })
        return zip(items, shown).map { $0.numbered($1) }
    }

    /// Items as they are shown one by one: under their numbers, which go on meaning them. That is written once for all of them.
    mutating func show(_ items: [ItemView]) -> [ItemView] {
        let numbered = underTheirNumbers(items)
        showed(numbered)
        return numbered
    }

    /// Part of the trip as it is shown: what the numbers of other items mean stays.
    mutating func show(_ view: TripView) -> TripView {
        let all = view.items + view.removedItems
        let numbers = Dictionary(uniqueKeysWithValues: zip(all.map(\.id), show(all).map(\.number)))
        return view.numbering { numbers[$0.id] ?? $0.number }
    }

    /// Items were shown one by one, under these numbers.
    private mutating func showed(_ items: [ItemView]) {
        let new = items.filter { !numbers.isShown($0.number, with: $0.id) }
        guard !new.isEmpty else { return }
        for item in new {
            numbers.showed(item.number, item.id)
            since.showed(item.number, item.id)
        }
        if since.count > Self.sinceMax { writeAll() } else { _ = sinceFile.write(since.bytes) }
    }

    private mutating func writeAll() {
        _ = file.write(numbers.bytes)
        since = ShownNumbers()
        sinceFile.remove()
    }
}
