import ArgumentParser
import Console
import TripModel
import TripService
import TripText

struct Notes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "note",
        abstract: "Show or write the note of an item, or of the trip.",
        discussion: """
            Everybody can write in a note at once. What you change in your editor is merged as a diff, so what others write \
            meanwhile stays. `caravan history` shows who wrote what, and `caravan undo` undoes what you wrote. For an item that \
            is called edit, set or show, write `caravan note show edit`.

            Examples:
              caravan note
              caravan note 2
              caravan note edit
              caravan note edit 2
              caravan note set 2 "Bring boots"
            """,
        subcommands: [ShowNote.self, EditNote.self, SetNote.self], defaultSubcommand: ShowNote.self)
}

struct ShowNote: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a note.",
        discussion: "In a pipe, it is printed just as it was written.\n\nExample: caravan note 2")

    @Argument(help: .itemOrTrip, completion: .items)
    var item: String?

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        let named = try await NamedNote(of: item, in: trip.access())
        if reading.json { return Reader.show(.note(named.note), json: true) }
        guard let note = named.note else {
            let command = "caravan note edit" + (named.item.map { " \($0.shortID)" } ?? "")
            return Output.note("Nothing is written there yet. Write with `\(command)`.")
        }
        Reader.page(Reader.prose(note.value) + "\n", json: false)
    }
}

struct EditNote: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Edit a note in your editor.",
        discussion: """
            The editor is $VISUAL, $EDITOR, editor, nano or vi. When it ends, what you changed is merged with what others wrote \
            meanwhile. If the editor fails, or the trip refuses the text, nothing is written, and your text is kept in a file.

            Examples:
              caravan note edit
              caravan note edit "Casa do Rio"
            """)

    @Argument(help: .itemOrTrip, completion: .items)
    var item: String?

    @OptionGroup var trip: WritingOptions

    func run() async throws { try await NamedNote(of: item, in: trip.access()).edit(trip) }
}

struct SetNote: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Replace a note with a text.",
        discussion: """
            For scripts. To keep what others write meanwhile, use `caravan note edit`. The number of an item alone is refused, \
            unless the text is in a pipe.

            Examples:
              caravan note set "Bus 28 goes to the castle"
              caravan note set 2 - < note.txt
              caravan note set 2 --clear
            """)

    @Argument(help: .itemOrTrip, completion: .items)
    var item: String?

    @Argument(help: "The text, or - to read it from standard input.")
    var text: String?

    @Flag(help: "Clear the note.")
    var clear = false

    @OptionGroup var trip: WritingOptions

    /// A text without an item is for the trip.
    private var given: (item: String?, text: String?) {
        clear || text != nil ? (item, text) : (nil, item)
    }

    func validate() throws {
        if clear, text != nil { throw ValidationError("--clear takes no text") }
        guard clear || given.text != nil else {
            throw ValidationError("give the text of the note, - to read it from standard input, or --clear")
        }
        if given.text?.isBlank == true { throw ValidationError(Self.empty) }
    }

    func run() async throws {
        let given = try await completed()
        let text = try given.text == "-" ? Self.typed() : given.text
        let named = try await NamedNote(of: given.item, in: trip.access())
        try await named.write(EditableNote.note(in: text ?? ""), shown: nil, trip)
    }

    /// A number alone names an item whose text was forgotten, or is in a pipe.
    private func completed() async throws -> (item: String?, text: String?) {
        guard !clear, text == nil, let item, let named = try await trip.item(numbered: item) else { return given }
        guard BoundedInput.isPiped else {
            throw ServiceError(
                "\(item) is the number of \(named.title.quoted); write `caravan note set \(item) TEXT`, or - to read the text "
                    + "from standard input")
        }
        return (item, "-")
    }

    private static let empty = "the text is empty; clear the note with --clear"

    private static func typed() throws(ServiceError) -> String {
        let tooLong = ServiceError("the note is longer than \(EditableNote.bytesMax >> 10) KiB; shorten it")
        let bytes = try BoundedInput.read("-", bytesMax: EditableNote.bytesMax, tooLong: tooLong)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ServiceError("standard input is not UTF-8 text; write it in UTF-8")
        }
        guard !text.isBlank else { throw ServiceError(Self.empty) }
        return text
    }
}

extension ArgumentHelp {
    fileprivate static let itemOrTrip: ArgumentHelp =
        "The item: its number in the list, the start of its id, or its title; the trip if you name none."
}
