import Foundation
import Testing

/// `caravan share`: a picture for a chat.
struct ShareTests {
    private func home(_ scratch: ScratchFolder) async throws -> Product {
        var caravan = Product(home: scratch.path + "/home")
        caravan.environment["PATH"] = "/usr/bin:/bin"
        try await caravan.done("new", "Lisbon in June!", "--as", "Jie")
        try await caravan.done("add", "Casa do Rio", "--price", "€80")
        try await caravan.done("vote", "1")
        return caravan
    }

    /// Width and height by the header of a PNG (PNG, section 11.2.2).
    private func dimensions(_ path: String) throws -> [Int] {
        let data = try #require(FileManager.default.contents(atPath: path))
        try #require(data.starts(with: [0x89, 0x50, 0x4E, 0x47]) && data.count > 100)
        return [16, 20].map { start in data[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
    }

    @Test("the list and an item become pictures of their sizes, and no file is written over")
    func pictures() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        for (arguments, size) in [
            (["share"], [300, 300]), (["share", "--wide"], [1200, 630]), (["share", "1", "--wide"], [1200, 630]),
        ] {
            let file = scratch.path + "/\(UUID().uuidString).png"
            let outcome = try await caravan.run(arguments + ["-o", file])
            #expect(outcome.status == 0 && outcome.output == file + "\n", outcome.summary)
            #expect(try dimensions(file) == size)
            let again = try await caravan.run(arguments + ["-o", file])
            #expect(again.isRefusal(saying: "already exists"), again.summary)
        }
        let unknown = try await caravan.run("share", "Zeppelin")
        #expect(unknown.isRefusal(saying: "Zeppelin"), unknown.summary)
        let nowhere = try await caravan.run("share", "-o", scratch.path + "/none/a.png")
        #expect(nowhere.isRefusal(saying: "/none/a.png"), nowhere.summary)
    }

    @Test("without rsvg-convert the drawing itself is written, and that is said")
    func drawing() async throws {
        let scratch = try ScratchFolder()
        var caravan = try await home(scratch)
        caravan.environment["PATH"] = scratch.path
        let outcome = try await caravan.run("share", "-o", scratch.path + "/list.png")
        #expect(outcome.status == 0 && outcome.output == scratch.path + "/list.svg\n", outcome.summary)
        #expect(outcome.errors.contains("librsvg2-bin"))
        let svg = try String(contentsOfFile: scratch.path + "/list.svg", encoding: .utf8)
        #expect(svg.hasPrefix("<svg ") && svg.contains("Casa do Rio"))
        let printed = try await caravan.run("share", "1", "-o", "-")
        #expect(printed.status == 0 && printed.output.hasPrefix("<svg ") && printed.output.hasSuffix("</svg>"))
    }
}
