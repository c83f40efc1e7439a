public import DeltaCRDT
public import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A replicated state in a file: a snapshot, and after it the deltas since. What is done is on the disk before ``update(_:)`` and
/// ``merge(_:)`` return.
///
/// A file that a crash or a full disk cut off is read up to its last whole delta; ``lostBytes`` says how much was cut off. A damaged delta
/// with whole ones after it is no crash: opening throws and leaves the file as it is, and ``salvage(_:)`` reads the rest. When the deltas
/// are longer than the snapshot, the file is replaced as a whole, so that saving a change costs its own size, amortised.
///
/// ```swift
/// let file = try DocumentFile<Board>(at: url)
/// let delta = try file.update(by: jie) { $0["tent"].title.set("Buy a tent") }
/// connection.send(delta.encoded())
/// ```
///
/// Eight bytes tell the format, and then for each part its length and its checksum (CRC-32C) in four bytes each, least first, and the
/// encoded state. One process at a time opens a file: nothing here keeps another out.
public final class DocumentFile<State: SyncableState & CanonicalCodable> {
    /// The state that is in the file, and what could not be written yet.
    public private(set) var state = State()
    /// How many bytes after the last whole part were cut off when the file was opened.
    ///
    /// A crash during a write loses only an act whose call had not returned. But a disk may also have damaged the last delta, whose dots
    /// peers may hold: where this isn't 0, write under a new `ReplicaID` from then on.
    public let lostBytes: Int

    private let url: URL
    private var handle: FileHandle
    private var snapshotSize: UInt64
    private var size: UInt64
    /// What was done and could not be written: it is written with what is done next.
    private var unsaved = State()

    private static var magic: [UInt8] { Array("deltadoc".utf8) }

    /// Opens a file, which is made if it is not there. Complexity: O(size).
    ///
    /// - Throws: ``DocumentFailure`` where it is no such file or can't be read, and what `FileHandle` throws. The file is left as it is
    ///   then.
    public init(at url: URL) throws {
        if !FileManager.default.fileExists(atPath: url.path) { try Self.replace(url, with: State()) }
        let handle = try FileHandle(forUpdating: url)
        let bytes = [UInt8](try handle.readToEnd() ?? Data())
        guard bytes.starts(with: Self.magic) else { throw DocumentFailure.notADocument }
        var (read, position, snapshotSize) = (State(), Self.magic.count, 0)
        while let (part, end) = Self.part(of: bytes, at: position) {
            try Self.merge(part, at: position, into: &read)
            if snapshotSize == 0 { snapshotSize = end }
            position = end
        }
        guard snapshotSize > 0 else { throw DocumentFailure.damagedSnapshot }
        if position < bytes.count {
            // Each part is on the disk before the next one begins: a crash damages the last one alone.
            guard Self.nextPart(of: bytes, from: position) == nil else {
                throw DocumentFailure.damagedPart(byte: position)
            }
            try handle.truncate(atOffset: UInt64(position))
            try handle.synchronize()
        }
        try handle.seek(toOffset: UInt64(position))
        (self.url, self.handle, state) = (url, handle, read)
        (self.snapshotSize, size, lostBytes) = (UInt64(snapshotSize), UInt64(position), bytes.count - position)
    }

    deinit { try? handle.close() }

    /// Reads what is whole in a damaged file, and leaves the file as it is: a state that lacks what the damaged parts said. Peers may
    /// have that still, so open a new file, merge the state into it, write under a new `ReplicaID`, and synchronize.
    ///
    /// Complexity: O(size), and O(size · length of a part) where the damage is.
    ///
    /// - Throws: ``DocumentFailure`` where it is no such file, or a whole part can't be read, and what `Data` throws.
    public static func salvage(_ url: URL) throws -> State {
        let bytes = [UInt8](try Data(contentsOf: url))
        guard bytes.starts(with: magic) else { throw DocumentFailure.notADocument }
        var (read, position) = (State(), magic.count)
        while let next = nextPart(of: bytes, from: position) {
            try merge(next.bytes, at: next.start, into: &read)
            position = next.end
        }
        return read
    }

    private static func merge(_ part: [UInt8], at position: Int, into state: inout State) throws {
        do throws(DecodingFailure) {
            state.merge(try State(decoding: part))
        } catch {
            // A part that is whole was written so: no crash explains it.
            throw DocumentFailure.unreadable(error, byte: position)
        }
    }

    /// Acts on the state, writes what was done to the disk, and returns the delta.
    ///
    /// Complexity: that of what is done and the size of its delta, amortised; a snapshot now and then.
    ///
    /// - Throws: what `FileHandle` throws where the disk is full or gone. The state has the change then; it is written with the next, or
    ///   by ``compact()``. What `act` throws, once what it did before is written.
    @discardableResult
    public func update(_ act: (inout State) throws -> Void) throws -> State {
        var failure: (any Error)?
        let delta = state.update { state in
            do { try act(&state) } catch { failure = error }
        }
        try append(delta)
        if let failure { throw failure }
        return delta
    }

    /// The same in the name of a replica; see ``SyncableState/update(by:_:)``. Complexity and errors: as ``update(_:)``.
    @discardableResult
    public func update(by replica: ReplicaID, _ act: (inout Writer<State>) -> Void) throws -> State {
        let delta = state.update(by: replica, act)
        try append(delta)
        return delta
    }

    /// Joins what came from a peer, and writes it to the disk; says whether it changed the state. Complexity and errors: as ``update(_:)``.
    @discardableResult
    public func merge(_ delta: State) throws -> Bool {
        guard state.merge(delta) else { return false }
        try append(delta)
        return true
    }

    private func append(_ delta: State) throws {
        unsaved.merge(delta)
        guard !unsaved.context.isEmpty else { return }
        let part = Self.framed(unsaved.encoded())
        guard size + UInt64(part.count) <= snapshotSize * 2 + 4096 else { return try compact() }
        do {
            try handle.write(contentsOf: Data(part))
            try handle.synchronize()
        } catch {
            // What was written in part must not stand before what is written next.
            try? handle.truncate(atOffset: size)
            try? handle.seek(toOffset: size)
            throw error
        }
        size += UInt64(part.count)
        unsaved = State()
    }

    /// Replaces the file by a snapshot. Complexity: O(size).
    public func compact() throws {
        try Self.replace(url, with: state)
        let replaced = try FileHandle(forUpdating: url)
        size = try replaced.seekToEnd()
        try? handle.close()
        (handle, snapshotSize, unsaved) = (replaced, size, State())
    }

    /// Writes a file beside, and gives it the name once it is on the disk: there is always a whole one.
    private static func replace(_ url: URL, with state: State) throws {
        let beside = url.appendingPathExtension("new")
        try Data(magic + framed(state.encoded())).write(to: beside)
        let handle = try FileHandle(forUpdating: beside)
        try handle.synchronize()
        try handle.close()
        guard rename(beside.path, url.path) == 0 else { throw DocumentFailure.cannotReplace(errno: errno) }
        // The name too, where the system allows it.
        let folder = open(url.deletingLastPathComponent().path, O_RDONLY)
        if folder >= 0 {
            _ = fsync(folder)
            _ = close(folder)
        }
    }

    private static func framed(_ bytes: [UInt8]) -> [UInt8] {
        littleEndian(UInt32(bytes.count)) + littleEndian(checksum(bytes[...])) + bytes
    }

    private static func part(of bytes: [UInt8], at position: Int) -> (bytes: [UInt8], end: Int)? {
        guard bytes.count - position >= 8 else { return nil }
        func number(at place: Int) -> UInt32 {
            (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << UInt32($1 * 8) }
        }
        let count = number(at: position)
        guard count > 0, Int(count) <= bytes.count - position - 8 else { return nil }
        let part = bytes[position + 8..<position + 8 + Int(count)]
        guard checksum(part) == number(at: position + 4) else { return nil }
        return (Array(part), part.endIndex)
    }

    /// The first whole part from a position on, wherever it begins: the length of a damaged one before it can't be believed.
    private static func nextPart(of bytes: [UInt8], from position: Int) -> (start: Int, bytes: [UInt8], end: Int)? {
        for start in position..<max(position, bytes.count - 8) {
            if let (part, end) = part(of: bytes, at: start) { return (start, part, end) }
        }
        return nil
    }

    private static func littleEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> UInt32($0 * 8)) }
    }

    /// CRC-32C (RFC 3720, appendix B.4).
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var rest = UInt32.max
        for byte in bytes { rest = crcTable[Int(UInt8(truncatingIfNeeded: rest) ^ byte)] ^ rest >> 8 }
        return ~rest
    }
}

/// Why a document can't be opened or saved.
public enum DocumentFailure: Error, Hashable, Sendable {
    /// The file does not begin as one of these.
    case notADocument
    /// The snapshot is cut off or its checksum is wrong, so that nothing after it can be believed: a damaged disk.
    case damagedSnapshot
    /// The delta that begins at a byte is damaged, and whole ones follow it: no crash explains that. ``DocumentFile/salvage(_:)`` reads the
    /// others.
    case damagedPart(byte: Int)
    /// A part whose checksum is right can't be read: it was written by a newer version, or for another type.
    case unreadable(DecodingFailure, byte: Int)
    /// The new file could not be given the name.
    case cannotReplace(errno: Int32)
}

extension DocumentFailure: LocalizedError {
    /// One line for a person.
    public var errorDescription: String? {
        switch self {
        case .notADocument: "This is not a document of this kind."
        case .damagedSnapshot: "The document is damaged at its beginning, and can't be read."
        case .damagedPart(let byte): "The document is damaged at byte \(byte). The rest of it can be salvaged."
        case .unreadable(.newerVersion, _): "A newer version wrote this document. Update to read it."
        case .unreadable(let failure, let byte): "The document can't be read at byte \(byte): \(failure)."
        case .cannotReplace(let errno): "The document can't be replaced: error \(errno) of the system."
        }
    }
}

private let crcTable: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { rest, _ in rest & 1 == 1 ? rest >> 1 ^ 0x82F6_3B78 : rest >> 1 }
}
