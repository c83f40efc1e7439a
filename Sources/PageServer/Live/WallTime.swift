import LibC
import TripModel
import TripService

/// A moment by this machine's clock.
struct WallTime: Hashable, Sendable {
    /// Since 1970.
    let milliseconds: Int64
    /// East of UTC, where this machine is.
    let secondsFromUTC: Int64

    /// The day of it, where this machine is.
    var day: Day? { Day(CivilTime(milliseconds: milliseconds, offset: secondsFromUTC).toTheMinute.prefix(10)) }

    static var now: WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        var local = tm()
        var seconds = time.tv_sec
        localtime_r(&seconds, &local)
        return WallTime(
            milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000,
            secondsFromUTC: Int64(local.tm_gmtoff))
    }
}
