/// The bounds on what is read of a linked page, before anything of it is believed. What is beyond one is left out.
package enum LinkLimits {
    /// Bytes of a page, and of a picture.
    package static let bytes = 5 << 20
    /// Bytes of one text of a page.
    static let textBytes = 64 << 10
    /// Tags of a page that say something about it.
    static let tags = 512
    /// Attributes of a tag.
    static let attributes = 32
    /// Scripts with data, and their bytes together.
    static let scripts = 32
    static let scriptBytes = 1 << 20
    /// Values of these scripts that are looked at for what the page is about.
    static let things = 512
}
