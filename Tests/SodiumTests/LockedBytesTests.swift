import Foundation
import Testing

@testable import Sodium

struct LockedBytesTests {
    private func locked(_ bytes: [UInt8]) throws -> LockedBytes {
        try LockedBytes(capacity: bytes.count) { memory in
            memory.copyBytes(from: bytes)
            return bytes.count
        }
    }

    /// The flags that the kernel shows of the mapping in which an address lies (proc(5), VmFlags).
    private func flags(at address: UInt) throws -> [Substring] {
        var isInside = false
        let maps = try #require(try FileHandle(forReadingAtPath: "/proc/self/smaps")?.readToEnd())
        for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
            let range = line.prefix { $0 != " " }.split(separator: "-").map { UInt($0, radix: 16) }
            if range.count == 2, let first = range[0], let end = range[1] { isInside = (first..<end).contains(address) }
            if isInside, line.hasPrefix("VmFlags:") { return line.split(separator: " ") }
        }
        return []
    }

    @Test func theKernelKeepsThemOutOfTheSwapAndOfCoreDumps() throws {
        let secret = try locked(Array("correct horse".utf8))
        let address = secret.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        let flags = try flags(at: address)
        #expect(!flags.isEmpty)
        #expect(flags.contains("lo") == secret.isLocked)
        #expect(flags.contains("dd") == secret.isLocked)
        #expect(flags.contains("rd") && !flags.contains("wr"))
    }

    /// Where the system locks nothing, they are there all the same, and say so.
    @Test func withoutTheRightToLockTheyOnlySaySo() async {
        await #expect(processExitsWith: .success) {
            var none = rlimit(rlim_cur: 0, rlim_max: 0)
            guard setrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &none) == 0 else { exit(2) }
            // Who may do everything is bound by no limit.
            if geteuid() == 0, setuid(65_534) != 0 { exit(3) }
            let secret = try LockedBytes(capacity: 3) {
                $0.copyBytes(from: [1, 2, 3])
                return 3
            }
            exit(!secret.isLocked && secret.withUnsafeBytes({ Array($0) }) == [1, 2, 3] ? 0 : 4)
        }
    }

    /// The bytes go with their last holder: to read them then ends the process.
    @Test func nothingIsLeftWhereTheyLay() async {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            var address: UnsafeRawPointer?
            do {
                let secret = try LockedBytes(capacity: 16) { $0.count }
                address = secret.withUnsafeBytes(\.baseAddress)
            }
            exit(address?.load(as: UInt8.self) == 0 ? 0 : 1)
        }
    }

    @Test func theyHoldWhatWasWrittenAndAreCompared() throws {
        #expect(try locked([1, 2, 3]).withUnsafeBytes { Array($0) } == [1, 2, 3])
        #expect(try locked([1, 2, 3]).holdsSame(as: locked([1, 2, 3])))
        #expect(try !locked([1, 2, 3]).holdsSame(as: locked([1, 2, 4])))
        #expect(try !locked([1, 2, 3]).holdsSame(as: locked([1, 2])))
        struct Refused: Error {}
        #expect(throws: Refused.self) { try LockedBytes(capacity: 8) { _ in throw Refused() } }
        let part = try LockedBytes(capacity: 8) { _ in 3 }
        #expect(part.withUnsafeBytes { Array($0) } == [0, 0, 0])
        #expect("\(part) \(String(reflecting: part))" == "3 secret bytes 3 secret bytes")
    }
}
