import ChangeLog
import SyncEngine
import TripService
import TripStore

// What goes from home to home in a sealed file, where no network brings them together.
extension TripNode {
    /// How many records are taken in before others are heard again.
    private static let batchRecords = 512

    /// Puts all that is durable here into a file that is not there yet.
    func makeBundle(at path: String) async throws(ServiceError) -> BundleReceipt {
        let file: NewFile
        do { file = try NewFile(path: path) } catch { throw ServiceError(error) }
        if let removal = reader.removal(of: node.secrets.device.participant) {
            throw ServiceError(out: removal, refusing: "make a sealed file")
        }
        guard node.hasJoined else { throw ServiceError(describing: WritingFailure.notAdmitted) }
        await drainWriter()
        let node = node
        let sealed = await Task.detached { () -> Result<[UInt8], Bundle.Failure> in
            var generator = SystemRandomNumberGenerator()
            return Result { () throws(Bundle.Failure) in try node.bundle(using: &generator) }
        }.value
        let bytes: [UInt8]
        do { bytes = try sealed.get() } catch { throw ServiceError(error, path) }
        try BundleFile.write(bytes, to: file)
        let changes = node.log.graph.changes.indices.count { node.log.isRetained($0) }
        return BundleReceipt(
            changes: changes, newChanges: nil, author: reader.name(of: node.secrets.device.participant))
    }

    /// Takes in all that a bundle holds, or nothing of it, and returns once it is durable.
    func takeIn(bundleAt path: String) async throws(ServiceError) -> BundleReceipt {
        if let writingProblem { throw ServiceError(.unwritable, writingProblem) }
        if let removal = reader.removal(of: node.secrets.device.participant) {
            throw ServiceError(out: removal, refusing: "read a sealed file")
        }
        let bytes = try BundleFile.read(path)
        // Judged whole on a copy of the log, away from those who wait for this node.
        let before = node
        let judged = await Task.detached { () -> Result<(Bundle, count: Int), Bundle.Failure> in
            Result { () throws(Bundle.Failure) in
                let bundle = try before.open(bundle: bytes)
                var log = before.log
                return (bundle, try log.receive(bundle).indices.count)
            }
        }.value
        let (bundle, count): (Bundle, Int)
        do { (bundle, count) = try judged.get() } catch { throw ServiceError(error, path) }
        for start in stride(from: 0, to: bundle.records.count, by: Self.batchRecords) {
            tell(.carried(Array(bundle.records[start..<min(start + Self.batchRecords, bundle.records.count)])))
            await Task.yield()
        }
        await drainWriter()
        // Where the disk failed, the log is what the disk holds.
        guard node.log.device(bundle.author) != nil, node.log.graph.count >= before.log.graph.count + count else {
            throw ServiceError("could not save everything in \(path); free some space, then import it again")
        }
        return BundleReceipt(
            changes: bundle.records.count, newChanges: count,
            author: node.log.device(bundle.author).map { reader.name(of: $0) } ?? "somebody")
    }
}
