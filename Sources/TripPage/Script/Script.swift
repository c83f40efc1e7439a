extension TripPage {
    /// The page's script: its three parts as one file, which a browser asks for once. The last one begins.
    package static let script: [UInt8] =
        PackageResources.patch_js + PackageResources.reader_js + PackageResources.page_js
}
