/// A piece of a page: elements and text. What is text is escaped when it is written, so that nothing which a run says
/// can be taken for markup.
struct Markup: Sendable {
    private indirect enum Node: Sendable {
        case text(String)
        case element(String, [(String, String)], [Node])
    }

    private var nodes: [Node]

    private init(_ nodes: [Node]) { self.nodes = nodes }

    static var nothing: Markup { Markup([]) }

    static func text(_ text: String) -> Markup { Markup([.text(text)]) }

    /// An element by its name, its attributes in the order given, and what is in it.
    static func element(_ name: String, _ attributes: [(String, String)] = [], _ content: Markup = .nothing) -> Markup {
        Markup([.element(name, attributes, content.nodes)])
    }

    static func element(_ name: String, _ attributes: [(String, String)] = [], _ text: String) -> Markup {
        element(name, attributes, .text(text))
    }

    /// An element with a class and nothing else.
    static func element(_ name: String, class style: String, _ content: Markup) -> Markup {
        element(name, [("class", style)], content)
    }

    static func element(_ name: String, class style: String, _ text: String) -> Markup {
        element(name, [("class", style)], .text(text))
    }

    static func + (left: Markup, right: Markup) -> Markup { Markup(left.nodes + right.nodes) }
    static func += (left: inout Markup, right: Markup) { left.nodes += right.nodes }

    /// The same piece for each of a sequence, one after the other.
    static func each<Elements: Sequence>(_ elements: Elements, _ piece: (Elements.Element) -> Markup) -> Markup {
        elements.reduce(into: .nothing) { $0 += piece($1) }
    }

    /// Elements of HTML that have neither content nor an end.
    private static let withoutContent: Set<String> = ["meta", "br"]

    /// As HTML, and as XML too: every element ends, every attribute is quoted. O(size).
    var source: String {
        var source = ""
        for node in nodes { Self.write(node, to: &source) }
        return source
    }

    private static func write(_ node: Node, to source: inout String) {
        switch node {
        case .text(let text): escape(text, to: &source)
        case .element(let name, let attributes, let content):
            source += "<" + name
            for (key, value) in attributes {
                source += " \(key)=\""
                escape(value, to: &source)
                source += "\""
            }
            if content.isEmpty, withoutContent.contains(name) {
                source += "/>"
                return
            }
            source += ">"
            // A style sheet is this library's own and is no text to a browser.
            if name == "style", case .text(let sheet)? = content.first {
                source += sheet
            } else {
                for node in content { write(node, to: &source) }
            }
            source += "</\(name)>"
        }
    }

    /// XML has no way to write most control characters, so they are shown as their pictures.
    private static func escape(_ text: String, to source: inout String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": source += "&amp;"
            case "<": source += "&lt;"
            case ">": source += "&gt;"
            case "\"": source += "&quot;"
            case "\n", "\t": source.unicodeScalars.append(scalar)
            case "\0"..."\u{1F}": source.unicodeScalars.append(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}")
            case "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": source += "\u{FFFD}"
            // What turns the direction of writing could make a line say what it does not.
            case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": source += "\u{FFFD}"
            default: source.unicodeScalars.append(scalar)
            }
        }
    }
}
