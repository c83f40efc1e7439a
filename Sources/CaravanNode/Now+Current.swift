import Dispatch
import LibC
import SyncEngine

extension Now {
    /// The machine's clocks.
    static var current: Now {
        var wall = timespec()
        clock_gettime(CLOCK_REALTIME, &wall)
        return Now(
            monotonic: DispatchTime.now().uptimeNanoseconds / 1_000_000,
            wall: Int64(wall.tv_sec) * 1_000 + Int64(wall.tv_nsec) / 1_000_000)
    }
}
