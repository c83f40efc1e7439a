import ArgumentParser

struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show three people planning on this machine, over real multicast DNS.")

    func run() async throws {
    }
}
