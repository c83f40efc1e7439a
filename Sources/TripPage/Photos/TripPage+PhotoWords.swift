extension TripPage {
    static func photos(_ count: Int) -> String { count == 1 ? "a photo" : "\(count) photos" }
}
