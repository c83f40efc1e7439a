extension String {
    /// Browsers send every line break as CRLF.
    var withLineFeeds: String {
        guard utf8.contains(0x0D) else { return self }
        var scalars = UnicodeScalarView()
        var afterReturn = false
        for scalar in unicodeScalars {
            if scalar == "\r" {
                scalars.append("\n")
            } else if !(afterReturn && scalar == "\n") {
                scalars.append(scalar)
            }
            afterReturn = scalar == "\r"
        }
        return String(scalars)
    }
}
