/// A piece of a page: text and elements.
///
/// What somebody wrote gets in as `text` and as the value of an attribute alone, and both are escaped where they are
/// rendered; names of elements and attributes are enumerated, and addresses are a type. So no text can become markup, and
/// no address a script.
package indirect enum HTML: Hashable, Sendable {
    case text(String)
    case element(Tag, [Attribute], [HTML])
    /// Several pieces, one after the other.
    case group([HTML])
    /// A fragment within a fragment: an element with this id, which is sent by itself where nothing around it changed.
    case part(id: String, HTML)
    /// What was rendered before.
    case ready(Markup)

    /// Nothing at all.
    package static let none = HTML.group([])
}

/// An element with what is in it.
///
///     tag(.p, .class("note")) { item.title }
package func tag(_ name: Tag, _ attributes: Attribute?..., @HTMLBuilder content: () -> HTML = { .none }) -> HTML {
    .element(name, attributes.compactMap(\.self), [content()])
}

/// Puts pieces together: texts, elements, and either under conditions and in loops.
@resultBuilder
package enum HTMLBuilder {
    package static func buildExpression(_ piece: HTML) -> HTML { piece }
    package static func buildExpression(_ piece: HTML?) -> HTML { piece ?? .none }
    package static func buildExpression(_ pieces: [HTML]) -> HTML { .group(pieces) }
    package static func buildExpression(_ text: String) -> HTML { .text(text) }
    package static func buildExpression(_ text: String?) -> HTML { text.map(HTML.text) ?? .none }
    package static func buildBlock(_ pieces: HTML...) -> HTML { pieces.count == 1 ? pieces[0] : .group(pieces) }
    package static func buildOptional(_ piece: HTML?) -> HTML { piece ?? .none }
    package static func buildEither(first piece: HTML) -> HTML { piece }
    package static func buildEither(second piece: HTML) -> HTML { piece }
    package static func buildArray(_ pieces: [HTML]) -> HTML { .group(pieces) }
}

extension HTML: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) { self = .text(text) }
}

// MARK: - Rendering

/// HTML as it is sent. Made by rendering alone, so all that somebody wrote is escaped in it.
package struct Markup: Hashable, Sendable {
    package struct Part: Hashable, Sendable {
        package let id: String
        /// In bytes of the text.
        package let range: Range<Int>
    }

    package fileprivate(set) var text = ""
    /// The fragments within, in the order in which they stand.
    package fileprivate(set) var parts: [Part] = []

    package init(_ html: HTML) { html.render(into: &self) }

    /// The page's own style, for an element `style`: nobody else's text is in it.
    init(style: Asset) { text = String(decoding: style.bytes, as: UTF8.self) }
}

extension HTML {
    package var rendered: String { Markup(self).text }

    /// Its text alone.
    var words: String {
        switch self {
        case .text(let text): text
        case .element(_, _, let content): content.map(\.words).joined()
        case .group(let pieces): pieces.map(\.words).joined()
        case .part(_, let html): html.words
        case .ready: ""
        }
    }

    fileprivate func render(into markup: inout Markup) {
        switch self {
        case .text(let text): Self.escape(text, into: &markup.text)
        case .group(let pieces): for piece in pieces { piece.render(into: &markup) }
        case .part(let id, let html):
            let (start, count) = (markup.text.utf8.count, markup.parts.count)
            html.render(into: &markup)
            // What lies within is sent with it.
            markup.parts.removeSubrange(count...)
            markup.parts.append(Markup.Part(id: id, range: start..<markup.text.utf8.count))
        case .ready(let ready):
            let start = markup.text.utf8.count
            markup.text += ready.text
            markup.parts += ready.parts.map {
                Markup.Part(id: $0.id, range: $0.range.lowerBound + start..<$0.range.upperBound + start)
            }
        case .element(let tag, let attributes, let content):
            markup.text += "<"
            markup.text += tag.rawValue
            for attribute in attributes { attribute.render(into: &markup.text) }
            markup.text += ">"
            if tag.isVoid { return }
            for piece in content { piece.render(into: &markup) }
            markup.text += "</"
            markup.text += tag.rawValue
            markup.text += ">"
        }
    }

    /// Writes text so that it stands for itself, between tags and in quoted values alike. Characters that XML forbids, and
    /// that browsers take for others, are shown as U+FFFD.
    static func escape(_ text: String, into markup: inout String) {
        if text.utf8.allSatisfy({ !needsCare($0) }) {
            markup += text
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": markup += "&amp;"
            case "<": markup += "&lt;"
            case ">": markup += "&gt;"
            case "\"": markup += "&quot;"
            case "'": markup += "&#39;"
            case "\t", "\n", "\r": markup.unicodeScalars.append(scalar)
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: markup += "\u{FFFD}"
            default: markup.unicodeScalars.append(scalar)
            }
        }
    }

    private static func needsCare(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F || byte == 0x26 || byte == 0x3C || byte == 0x3E || byte == 0x22 || byte == 0x27
    }
}
