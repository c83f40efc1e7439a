import Foundation
import Testing

/// What `caravan simulate` reads and writes: nothing is lost there, and nothing said that is not so.
struct SimulateFileTests {
    private let caravan: Product
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
        caravan = Product(home: scratch.path + "/home")
    }

    private func simulate(_ line: String) async throws -> Product.Outcome {
        try await caravan.run(["simulate"] + line.split(separator: " ").map(String.init))
    }

    private func file(_ name: String) -> String { scratch.path + "/" + name }
    private func text(_ name: String) throws -> String { try String(contentsOfFile: file(name), encoding: .utf8) }

    @Test func whatCannotBePrintedIsAFailure() async throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        for options in [[], ["--json"]] {
            let arguments = ["simulate", "--seed", "1", "--replicas", "2", "--steps", "20"] + options
            let outcome = try await caravan.start(arguments, output: full).ended(within: 30)
            #expect(outcome.status == 1 && outcome.errors.contains("No space left"), "\(outcome.errors)")
            var closed = caravan
            closed.wrapper = ["/bin/sh", "-c", "exec \"$@\" >&-", "sh"]
            let unheard = try await closed.run(arguments)
            #expect(unheard.status == 1 && unheard.errors.contains("Bad file descriptor"), "\(unheard.errors)")
            // A reader that has enough is no failure.
            let pipe = Pipe()
            try pipe.fileHandleForReading.close()
            let left = try await caravan.start(arguments, output: pipe.fileHandleForWriting).ended(within: 30)
            #expect(left.status == 0 && left.errors == "", "\(left.errors)")
        }
    }
}
