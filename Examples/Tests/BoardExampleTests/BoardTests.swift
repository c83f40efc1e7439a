import Foundation
import Testing

/// Processes that share a board by the files of one folder.
struct BoardTests {
    /// A process of a board, asked line by line.
    private final class Person {
        private let process = Process()
        private let (input, output) = (Pipe(), Pipe())

        init(_ name: String, in folder: URL, program: String) throws {
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
                .deletingLastPathComponent().appendingPathComponent(program)
            process.arguments = [folder.path, name]
            (process.standardInput, process.standardOutput) = (input, output)
            try process.run()
        }

        /// What it answers to a line; all that came where it ended.
        @discardableResult
        func ask(_ line: String) throws -> String {
            try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
            var answer = ""
            while !answer.hasSuffix("\n\n") {
                let data = output.fileHandleForReading.availableData
                guard !data.isEmpty else { return answer }
                answer += String(decoding: data, as: UTF8.self)
            }
            return String(answer.dropLast(2))
        }

        deinit {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }
    }

    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("board-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    @Test("three processes share a board, one of them of a version that knows less", .timeLimit(.minutes(1)))
    func versions() throws {
        try withFolder { folder in
            let ana = try Person("ana", in: folder, program: "board-first")
            let ben = try Person("ben", in: folder, program: "board")
            let cem = try Person("cem", in: folder, program: "board")
            try ana.ask("list gear What we take")
            try ana.ask("title gear tent Buy a tent")
            try ana.ask("due gear tent 2026-07-01")
            try ben.ask("due gear tent 2026-07-01 18:00")
            try cem.ask("label gear tent shopping")
            for person in [ana, ben, cem] { try person.ask("vote gear tent") }
            try ben.ask("hours gear tent 2")
            try cem.ask("hours gear tent 3")
            let board = "gear: What we take\n  tent: Buy a tent; due %; labels shopping; votes 3; hours 5"
            func shown(_ due: String) -> String { board.replacingOccurrences(of: "%", with: due) }
            #expect(try ben.ask("show") == shown("2026-07-01 at 18:00"))
            #expect(try ana.ask("show") == shown("2026-07-01"))

            // The first version changes the day, and knows of no time: which stays.
            try ana.ask("due gear tent 2026-07-02")
            #expect(try ana.ask("show") == shown("2026-07-02"))
            #expect(try cem.ask("show") == shown("2026-07-02 at 18:00"))
        }
    }

    @Test("what two processes did apart is merged, and a removal takes what it saw alone", .timeLimit(.minutes(1)))
    func apart() throws {
        try withFolder { ours in
            try withFolder { theirs in
                let ana = try Person("ana", in: ours, program: "board")
                try ana.ask("list gear Gear")
                try ana.ask("title gear tent Tent")
                try ana.ask("title gear map Map")
                try FileManager.default.copyItem(
                    at: ours.appendingPathComponent("ana.board"), to: theirs.appendingPathComponent("ana.board"))
                let ben = try Person("ben", in: theirs, program: "board")
                try ben.ask("remove gear map")
                try ben.ask("remove gear tent")
                try ana.ask("title gear tent Big tent")
                try FileManager.default.copyItem(
                    at: theirs.appendingPathComponent("ben.board"), to: ours.appendingPathComponent("ben.board"))
                #expect(try ana.ask("show") == "gear: Gear\n  tent: Big tent; votes 0; hours 0")
            }
        }
    }

    @Test("a file that is no board is passed over, and named", .timeLimit(.minutes(1)))
    func damaged() throws {
        try withFolder { folder in
            let ana = try Person("ana", in: folder, program: "board")
            try ana.ask("title gear tent Tent")
            try Data("no board".utf8).write(to: folder.appendingPathComponent("ben.board"))
            #expect(try ana.ask("show").hasPrefix("ben.board is passed over: "))
            #expect(try ana.ask("show").hasSuffix("\n  tent: Tent; votes 0; hours 0"))
            #expect(try ana.ask("fly gear tent").hasPrefix("say show, list, "))
        }
    }
}
