import TripModel

/// A file that the page loads, the same for everybody. Its address tells it from what it was before, so that browsers keep it
/// and need not ask.
package struct Asset: Hashable, Sendable {
    let path: [String]
    package let bytes: [UInt8]
    /// FNV-1a, 64 bits: the same wherever the bytes are.
    package let fingerprint: String

    init(_ path: String..., parts: [[UInt8]]) {
        self.path = path
        bytes = Array(parts.joined())
        fingerprint = String(FNV1a.hash(bytes), radix: 16)
    }

    var address: PagePath { PagePath(path, query: [("v", fingerprint)]) }
}

extension TripPage {
    /// In the order in which they are read: one file, for each that is asked for holds up the first view.
    package static let style = Asset(
        "style", "page.css",
        parts: [
            PackageResources.tokens_css, PackageResources.page_css, PackageResources.views_css,
            PackageResources.map_css, PackageResources.photos_css, PackageResources.notes_css,
            PackageResources.print_css,
        ])

    /// Its ten parts as one file; the last one begins.
    package static let script = Asset(
        "script", "page.js",
        parts: [
            PackageResources.patch_js, PackageResources.reader_js, PackageResources.photos_js,
            PackageResources.days_js, PackageResources.map_js, PackageResources.drafts_js,
            PackageResources.notes_js, PackageResources.carets_js, PackageResources.stream_js,
            PackageResources.page_js,
        ])

    /// What browsers show on a tab: a vote for something.
    package static let icon = Asset(
        "favicon.ico",
        parts: [
            Array(
                """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0a6b5e"/>\
                <path d="M16 8 26 23H6z" fill="#fff"/></svg>
                """.utf8)
        ])

    /// Pictures for a phone's home screen, by their width in pixels. Phones round the corners themselves.
    static let homeIcons = [
        180: Asset("icon-180.png", parts: [PackageResources.icon_180_png]),
        192: Asset("icon-192.png", parts: [PackageResources.icon_192_png]),
        512: Asset("icon-512.png", parts: [PackageResources.icon_512_png]),
    ]

    /// What a phone's home screen reads (W3C Web Application Manifest). The page opens in the browser and not as an app of its own:
    /// that would begin with no cookie, and so as nobody.
    package static let manifest = Asset(
        "page.webmanifest",
        parts: [
            Array(
                """
                {"name":"Caravan","short_name":"Caravan","start_url":"/","scope":"/","display":"browser",\
                "background_color":"\(paper.light)","theme_color":"\(paper.light)","icons":[\
                \([192, 512].map { width in
                    "{\"src\":\"\(homeIcons[width]?.address.text ?? "")\",\"sizes\":\"\(width)x\(width)\",\"type\":\"image/png\",\"purpose\":\"any maskable\"}"
                }.joined(separator: ","))]}
                """.utf8)
        ])

    /// The colour of paper in `tokens.css`, in light and dark: browsers paint what is around the page with it.
    static let paper = (light: "#faf8f4", dark: "#131614")

    /// The file of a path; nil for any other.
    package static func asset(_ path: [String]) -> Asset? {
        ([style, script, icon, manifest] + homeIcons.values).first { $0.path == path }
    }
}
