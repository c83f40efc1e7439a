/// An attribute of an element. There is none that holds a script or a style: both are files of the page's own.
package struct Attribute: Hashable, Sendable {
    let name: Name
    /// Nil for one whose presence says it all.
    let value: String?

    func render(into markup: inout String) {
        markup += " "
        markup += name.text
        guard let value else { return }
        markup += "=\""
        HTML.escape(value, into: &markup)
        markup += "\""
    }

    enum Name: Hashable, Sendable {
        case plain(Plain)
        case aria(Aria)
        case data(Datum)

        var text: String {
            switch self {
            case .plain(let name): name.rawValue
            case .aria(let name): "aria-" + name.rawValue
            case .data(let name): "data-" + name.rawValue
            }
        }
    }

    /// Attributes whose value is a text, a number or a word.
    package enum Plain: String, Hashable, Sendable {
        case id, `class`, lang, dir, title, role, name, value, type, placeholder, autocomplete, inputmode, enterkeyhint
        case maxlength, min, max, step, rows, `for`, method, datetime, scope, content, charset, media, rel, alt
        case download, draggable, width, height, tabindex, list, accept, form, hidden, sizes, srcset, loading,
            decoding,
            enctype, target, spellcheck, autocapitalize
        // Of drawings.
        case viewBox, d, cx, cy, r, x, y, x1, y1, x2, y2, rx, points, transform, fill, stroke, xmlns,
            preserveAspectRatio
        case textAnchor = "text-anchor"
        case strokeWidth = "stroke-width"
        case fontSize = "font-size"
        case fontWeight = "font-weight"
        case fontFamily = "font-family"
        // Addresses: made by `href`, `src` and `action` alone.
        case href, src, action
        // Those whose presence says it all: made by their own functions.
        case checked, disabled, required, open, autofocus, selected, multiple, readonly, `defer`
    }

    package enum Aria: String, Hashable, Sendable {
        case label, labelledby, describedby, pressed, expanded, current, live, atomic, hidden, controls, selected
        case keyshortcuts, invalid, modal
    }

    /// What the page's script reads.
    package enum Datum: String, Hashable, Sendable {
        /// What a control showed when it was drawn; who wrote that.
        case shown, author
        /// The stream that shows what changes, and what of it the document shows already.
        case stream, drawn
        /// A list of fragments; how many rows of it are not drawn.
        case list, rows
        /// What a key does, and to which card.
        case key, card
        /// A moment, in milliseconds since 1970, that the reader's own manner writes.
        case moment
        /// A moment that is counted down to.
        case countdown
        /// What a guest's page says once its door has closed, and while nobody answers.
        case closed, silent
        /// The day of a part of the page; empty for what has none.
        case day
        /// Where somebody's caret is in a note.
        case at
        /// The most characters of a file that a control takes. What people paste has no `maxlength`, because browsers cut silently there.
        case most
        /// What is to be copied.
        case copy
        /// What else a script needs to find.
        case mark
    }

    package static func plain(_ name: Plain, _ value: String) -> Attribute {
        Attribute(name: .plain(name), value: value)
    }
    package static func plain(_ name: Plain, _ value: Int) -> Attribute { .plain(name, String(value)) }
    package static func aria(_ name: Aria, _ value: String) -> Attribute { Attribute(name: .aria(name), value: value) }
    package static func data(_ name: Datum, _ value: String) -> Attribute { Attribute(name: .data(name), value: value) }
    package static func id(_ value: String) -> Attribute { .plain(.id, value) }
    package static func `class`(_ names: String...) -> Attribute { .plain(.class, names.joined(separator: " ")) }
    package static func href(_ link: Link) -> Attribute { .plain(.href, link.address) }
    package static func src(_ path: PagePath) -> Attribute { .plain(.src, path.text) }
    /// A link to a file of the page's own.
    package static func href(_ path: PagePath) -> Attribute { .plain(.href, path.text) }
    /// One picture in several widths, in pixels, of which the browser takes the one that it needs.
    package static func srcset(_ pictures: [(path: PagePath, width: Int)]) -> Attribute {
        .plain(.srcset, pictures.map { "\($0.path.text) \($0.width)w" }.joined(separator: ", "))
    }
    package static func action(_ path: PagePath) -> Attribute { .plain(.action, path.text) }
    /// Marks the title of a closed card that its reader may edit: the key `e` opens the form of no other.
    static let editable = Attribute.data(.mark, "editable")
    /// An attribute whose presence says it all; nil where it is not there.
    package static func flag(_ name: Plain, _ isThere: Bool = true) -> Attribute? {
        isThere ? Attribute(name: .plain(name), value: nil) : nil
    }
}
