import Desktop
import LibC
import Testing

/// A program that is kept running.
struct RunningProgramTests {
    private func start(_ script: String) throws -> RunningProgram {
        let program = try RunningProgram(["/bin/sh", "-c", script], environment: ["WORD=up"])
        var bytes = [UInt8](repeating: 0, count: 3)
        let count = read(program.output, &bytes, bytes.count)
        #expect(count == 3 && bytes == Array("up\n".utf8))
        return program
    }

    @Test("it runs until it is asked to end, and what it prints is read")
    func ends() throws {
        let program = try start("echo $WORD; exec sleep 60")
        #expect(program.isRunning)
        let asked = ContinuousClock.now
        program.end(within: 30)
        #expect(!program.isRunning && ContinuousClock.now - asked < .seconds(20))
        program.end(within: 30)
        var byte: UInt8 = 0
        let count = read(program.output, &byte, 1)
        #expect(count == 0)
    }

    @Test("a program that ignores the request is ended all the same")
    func isEnded() throws {
        let program = try start("trap '' TERM; echo $WORD >&2; while :; do :; done")
        program.end(within: 0)
        #expect(!program.isRunning)
    }

    @Test("a program that isn't there is not begun")
    func missing() {
        #expect(throws: DesktopError.self) { try RunningProgram(["/nowhere/program"], environment: []) }
    }
}
