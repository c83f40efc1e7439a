import Glibc

/// The fuzzers, by name: `Scripts/fuzz NAME` builds and runs one of them. What traps on an input is a finding.
private let fuzzers: [String: @Sendable ([UInt8]) -> Void] = {
    var fuzzers: [String: @Sendable ([UInt8]) -> Void] = [
        "frames": tryFrames, "changes": tryChanges, "payloads": tryPayloads, "invites": tryInvite,
    ]
    #if SHELLS
        fuzzers["control"] = tryControl
        fuzzers["rows"] = tryRows
    #endif
    return fuzzers
}()

nonisolated(unsafe) private var chosen: (@Sendable ([UInt8]) -> Void)?

/// Called once by libFuzzer, whose own the other arguments are.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
    _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutableRawPointer
) -> CInt {
    let flag = "--target="
    chosen = CommandLine.arguments.first { $0.hasPrefix(flag) }.flatMap { fuzzers[String($0.dropFirst(flag.count))] }
    guard chosen != nil else {
        print("\(flag)NAME: one of \(fuzzers.keys.sorted().joined(separator: ", "))")
        exit(64)
    }
    return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func tryOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    chosen?(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
