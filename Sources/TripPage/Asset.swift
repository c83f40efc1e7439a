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
        let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        fingerprint = String(hash, radix: 16)
    }

    var address: PagePath { PagePath(path, query: [("v", fingerprint)]) }
}

extension TripPage {
    /// In the order in which they are read: one file, for each that is asked for holds up the first view.
    package static let style = Asset(
        "style", "page.css",
        parts: [
            PackageResources.tokens_css, PackageResources.page_css, PackageResources.views_css,
            PackageResources.map_css, PackageResources.photos_css,
        ])

    /// Its seven parts as one file; the last one begins.
    package static let script = Asset(
        "script", "page.js",
        parts: [
            PackageResources.patch_js, PackageResources.reader_js, PackageResources.photos_js,
            PackageResources.days_js, PackageResources.drafts_js, PackageResources.stream_js,
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

    /// The file of a path; nil for any other.
    package static func asset(_ path: [String]) -> Asset? { [style, script, icon].first { $0.path == path } }
}
