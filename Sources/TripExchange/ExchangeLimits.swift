/// The bounds on what is read from outside, before anything of it is believed. What is beyond one is refused whole.
package enum ExchangeLimits {
    /// Bytes of a file or of a pasted text: the longest `listings.csv` of Inside Airbnb is shorter.
    package static let bytes = 64 << 20
    /// Rows of a table, elements of a listing, lines of a text.
    package static let rows = 20_000
    /// Columns of a table.
    package static let columns = 256
    /// Bytes of one field of a table, and of one text of a map or a calendar.
    package static let fieldBytes = 256 << 10
    /// Bytes of one string of JSON: a trip's note has 800,000 at most.
    package static let stringBytes = 1 << 20
    /// Lists that entries are in.
    package static let lists = 1_000
    /// Objects and arrays of JSON, elements of XML and components of a calendar within each other.
    package static let depth = 64
    /// Values of a JSON text, of any kind.
    package static let values = 2_000_000
    /// Bytes of a link that holds a list: as much as chats and browsers carry.
    package static let linkBytes = 32 << 10
}
