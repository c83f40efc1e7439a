import TripModel
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

    /// "Sat 21 November, 03:51", as other dates on the page.
    static func momentText(_ milliseconds: Int64, state: PageState) -> String {
        let clock = CivilTime(milliseconds: milliseconds, offset: state.secondsFromUTC)
        let time = DayTime(minute: Int(clock.hour * 60 + clock.minute))
        return Day(clock.toTheMinute.prefix(10)).map { DateSpan($0, at: time).words(in: state.year) } ?? ""
    }

    /// "Sat 21 November".
    static func dateText(_ milliseconds: Int64, state: PageState) -> String {
        String(momentText(milliseconds, state: state).prefix { $0 != "," })
    }
}

extension PageState {
    /// The year in which the reader is: dates on the page leave it out.
    var year: Int { Int(CivilTime(milliseconds: now, offset: secondsFromUTC).year) }
}
