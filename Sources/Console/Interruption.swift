import Dispatch
import LibC

/// Reports when this process is asked to end.
package enum Interruption {
    /// - Returns: a stream that yields with each signal to end, and what makes it yield too.
    package static func next() -> (stream: AsyncStream<Void>, interrupt: @Sendable () -> Void) {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        // Made here and cancelled once: Dispatch's sources may be cancelled on any thread.
        nonisolated(unsafe) let sources = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield() }
            source.resume()
            return source
        }
        continuation.onTermination = { _ in sources.forEach { $0.cancel() } }
        return (stream, { continuation.yield() })
    }
}
