import Foundation
import LibC
import Testing

/// `caravan photo ITEM --save FOLDER`, and what is said where pictures are decoded without a sandbox.
@Suite(.enabled(if: access("/usr/bin/vipsthumbnail", X_OK) == 0 && access("/usr/bin/rsvg-convert", X_OK) == 0))
struct PhotoSavingTests {
    private func home(_ scratch: ScratchFolder) async throws -> Product {
        let caravan = Product(home: scratch.path + "/home")
        try await caravan.done("new", "Lisbon in June", "--as", "Jie")
        try await caravan.done("add", "Casa")
        for (name, options) in [("a.png", []), ("b.png", ["--wide"])] {
            let outcome = try await caravan.run(["share", "1", "-o", scratch.path + "/" + name] + options)
            try #require(outcome.status == 0, "\(outcome.errors)")
        }
        return caravan
    }

    private func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    @Test("a folder is made, what is in it already is left and said, and a photo more is saved beside it")
    func again() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        let folder = scratch.path + "/new/photos"
        try await caravan.done("photo", "1", scratch.path + "/a.png")
        #expect(try await caravan.done("photo", "1", "--save", folder) == folder + "/casa-1.jpg\n")
        try await caravan.done("photo", "1", scratch.path + "/b.png")
        let second = try await caravan.run("photo", "1", "--save", folder + "/")
        #expect(second.status == 0 && second.output == folder + "/casa-2.jpg\n")
        #expect(second.errors == folder + "/casa-1.jpg already exists\n")
        #expect(try names(folder) == ["casa-1.jpg", "casa-2.jpg"])
    }

    @Test("a file of that name that is another is never written over")
    func clash() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        let other = Data("mine".utf8)
        try other.write(to: URL(fileURLWithPath: scratch.path + "/casa-1.jpg"))
        try await caravan.done("photo", "1", scratch.path + "/a.png")
        for _ in 1...2 { try await caravan.done("photo", "1", "--save", scratch.path) }
        #expect(try names(scratch.path).filter { $0.hasSuffix(".jpg") } == ["casa-1-2.jpg", "casa-1.jpg"])
        #expect(FileManager.default.contents(atPath: scratch.path + "/casa-1.jpg") == other)
    }

    @Test("the names of saved photos move no terminal, and are whole for a program")
    func namesOfFiles() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        try await caravan.done("photo", "1", scratch.path + "/a.png")
        let folder = scratch.path + "/a\u{1B}[3m"
        #expect(try await caravan.done("photo", "1", "--save", folder) == folder + "/casa-1.jpg\n")
        let again = try await caravan.run("photo", "1", "--save", folder)
        #expect(again.errors.hasSuffix("/casa-1.jpg already exists\n") && !again.errors.contains("\u{1B}"))
        let terminal = try PseudoTerminal()
        var product = caravan
        product.wrapper = PseudoTerminal.wrapper
        let running = try product.start(
            ["photo", "1", "--save", scratch.path + "/b\u{1B}[3m"], output: terminal.slave, input: terminal.slave)
        let outcome = try await running.ended(within: 20)
        let screen = terminal.screen
        #expect(outcome.status == 0 && screen.contains("casa-1.jpg") && !screen.contains("\u{1B}"), "\(screen)")
    }

    @Test("a picture that was decoded without a sandbox is said, once")
    func unconfined() async throws {
        let scratch = try ScratchFolder()
        var caravan = try await home(scratch)
        let confined = try await caravan.run("photo", "1", scratch.path + "/a.png")
        let isSandboxed = confined.errors == ""
        let programs = scratch.path + "/programs"
        try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: programs + "/vipsthumbnail", withDestinationPath: "/usr/bin/vipsthumbnail")
        caravan.environment["PATH"] = programs
        try await caravan.done("add", "Loft")
        let outcome = try await caravan.run("photo", "2", scratch.path + "/a.png", scratch.path + "/b.png")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors == "The picture was decoded without a sandbox: `caravan doctor` says why\n")
        #expect(isSandboxed || confined.errors == outcome.errors)
    }
}
