import LibC

/// The fuzzers, by name: `Scripts/fuzz NAME` builds and runs one of them. What traps on an input is a finding.
private let fuzzers: [String: @Sendable ([UInt8]) -> Void] = {
    var fuzzers: [String: @Sendable ([UInt8]) -> Void] = [
        "frames": tryFrames, "changes": tryChanges, "payloads": tryPayloads, "invites": tryInvite,
        "blobs": tryBlobs, "imports": tryImport,
    ]
    #if SHELLS
    fuzzers["control"] = tryControl
    fuzzers["rows"] = tryRows
    fuzzers["chunks"] = tryChunks
    #endif
    return fuzzers
}()

/// What the command line names.
let chosenFuzzer: @Sendable ([UInt8]) -> Void = {
    let flag = "--target="
    let name = CommandLine.arguments.first { $0.hasPrefix(flag) }?.dropFirst(flag.count) ?? ""
    guard let chosen = fuzzers[String(name)] else {
        print("\(flag)NAME: one of \(fuzzers.keys.sorted().joined(separator: ", "))")
        exit(64)
    }
    return chosen
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func tryOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    chosenFuzzer(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// libFuzzer, whose own all other arguments are.
@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ tryInput: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
