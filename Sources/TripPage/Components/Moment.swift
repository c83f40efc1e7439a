import TripService

extension TripPage {
    /// A moment. Its text is for readers without script; the script writes it in the reader's own manner.
    ///
    /// - Parameter milliseconds: since 1970.
    package static func moment(_ milliseconds: Int64, state: PageState) -> HTML {
        tag(
            .time, .plain(.datetime, CivilTime.rfc3339(milliseconds)), .data(.moment, String(milliseconds))
        ) {
            momentText(milliseconds, state: state)
        }
    }

    /// A moment to which the script counts down, by the second in the last ten minutes.
    static func countdown(_ milliseconds: Int64, state: PageState) -> HTML {
        tag(
            .time, .plain(.datetime, CivilTime.rfc3339(milliseconds)), .data(.moment, String(milliseconds)),
            .data(.countdown, "")
        ) {
            momentText(milliseconds, state: state)
        }
    }

    /// "21 Nov, 03:51", with the year where it is another than now.
    static func momentText(_ milliseconds: Int64, state: PageState) -> String {
        let time = CivilTime(milliseconds: milliseconds, offset: state.secondsFromUTC)
        return "\(dateText(milliseconds, state: state)), \(twoDigits(time.hour)):\(twoDigits(time.minute))"
    }

    /// "21 Nov", with the year where it is another than now.
    static func dateText(_ milliseconds: Int64, state: PageState) -> String {
        let time = CivilTime(milliseconds: milliseconds, offset: state.secondsFromUTC)
        let now = CivilTime(milliseconds: state.now, offset: state.secondsFromUTC)
        let date = "\(time.day) \(months[Int(time.month) - 1])"
        return time.year == now.year ? date : "\(date) \(time.year)"
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : String(number) }
}
