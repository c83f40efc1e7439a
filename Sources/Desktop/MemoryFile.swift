import Files
import LibC

/// A file that has no name, in memory. Closed with the last reference.
final class MemoryFile {
    let descriptor: Int32

    init() throws(DesktopError) {
        let name = "/caravan-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        descriptor = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0o600)
        guard descriptor >= 0 else {
            throw DesktopError("cannot create a file in memory: \(String(cString: strerror(errno)))")
        }
        shm_unlink(name)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Writes it whole; a reader of the descriptor begins with the first byte.
    func write(_ bytes: [UInt8]) throws(DesktopError) {
        guard WholeFile.append(bytes, to: descriptor) == nil else { throw DesktopError("not enough memory for a file") }
        lseek(descriptor, 0, SEEK_SET)
    }

    func read(upTo count: Int) throws(DesktopError) -> [UInt8] {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw DesktopError("cannot read the output of a program") }
        var bytes = [UInt8](repeating: 0, count: min(count, Int(status.st_size)))
        var done = 0
        while done < bytes.count {
            let size = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress! + done, $0.count - done, off_t(done))
            }
            if size < 0, errno == EINTR { continue }
            guard size > 0 else { throw DesktopError("cannot read the output of a program") }
            done += size
        }
        return bytes
    }
}
