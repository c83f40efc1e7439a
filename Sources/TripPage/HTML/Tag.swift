/// The elements that the page is made of. No element that runs or loads something is among them but `script` and `link`,
/// whose addresses are the page's own, and `style`, which holds the page's own style alone (`Markup.init(style:)`).
package enum Tag: String, Sendable {
    // The document.
    case html, head, title, meta, link, script, style, body, header, main, nav, aside, section, article
    // Text.
    case h1, h2, h3, h4, p, a, span, strong, em, small, time, ul, ol, li, dl, dt, dd, kbd, mark, hr, br, wbr
    case figure, figcaption, table, caption, thead, tbody, tr, th, td, img
    // What people use.
    case form, button, input, textarea, label, select, option, output, fieldset, legend, details, summary, dialog
    case template, div, noscript
    // Drawings.
    case svg, g, path, circle, rect, line, text, polygon

    /// Whether it has no content and no end.
    var isVoid: Bool {
        switch self {
        case .meta, .link, .input, .img, .br, .hr, .wbr: true
        default: false
        }
    }
}
