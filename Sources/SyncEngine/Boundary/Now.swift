/// The two clocks that every entry of the core is told.
package struct Now: Hashable, Sendable {
    /// Milliseconds of a clock that only goes forward, from an arbitrary start. All deadlines are by this one.
    package let monotonic: UInt64
    /// Milliseconds since 1970 by a clock that may lie. For people to read, and for an invite's end.
    package let wall: Int64

    package init(monotonic: UInt64, wall: Int64) {
        self.monotonic = monotonic
        self.wall = wall
    }
}
