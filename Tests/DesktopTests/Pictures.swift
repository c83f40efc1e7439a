import Foundation
import Testing

/// Files of pictures, made by the real savers.
enum Pictures {
    /// Runs `vips` in a folder that goes afterwards, and gives back a file that it made.
    static func made(_ lines: [String], _ name: String) throws -> [UInt8] {
        let folder = NSTemporaryDirectory() + "caravan-photo-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for line in lines {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["vips"] + line.split(separator: " ").map(String.init)
            process.currentDirectoryURL = URL(fileURLWithPath: folder)
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0, "vips \(line)")
        }
        return Array(try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)))
    }

    /// A picture of grey noise, saved by one of the savers of `vips`.
    static func noise(_ width: Int, _ height: Int, _ saver: String, _ name: String) throws -> [UInt8] {
        try made(
            [
                "gaussnoise n.v \(width) \(height) --mean 128 --sigma 9 --seed 1", "cast n.v g.v uchar",
                "\(saver) g.v \(name)",
            ],
            name)
    }
}
