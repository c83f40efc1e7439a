extension TripPage {
    /// A file that the page loads, by its path: "style/page.css". Nil for any other.
    package static func file(_ path: String) -> [UInt8]? {
        switch path {
        case "style/tokens.css": PackageResources.tokens_css
        case "style/page.css": PackageResources.page_css
        case "style/views.css": PackageResources.views_css
        case "style/map.css": PackageResources.map_css
        case "script/page.js": script
        default: nil
        }
    }
}
