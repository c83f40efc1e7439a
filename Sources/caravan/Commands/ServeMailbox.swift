import ArgumentParser
import CaravanNode
import Console
import TripService

struct ServeMailbox: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Write the configuration of a NATS server that stores one trip's blocks.",
        discussion: """
            For a machine at home that is always on, such as a Raspberry Pi. Writes a configuration, a certificate and its \
            key into a new folder, and prints what to run there and what the members of the trip type. Needs openssl, and \
            the program nats-server.

            Example: caravan mailbox serve ~/mailbox --host box.example.org
            """)

    @Argument(help: "A folder that doesn't exist yet.")
    var folder: String

    @Option(
        help: ArgumentHelp("The name or IPv4 address by which members reach this machine.", valueName: "host"))
    var host: String

    @Option(help: ArgumentHelp("The port of the server.", valueName: "port"))
    var port: UInt16 = 4_222

    func run() async throws {
        let server = try MailboxServer(folder: WholePath.of(folder), host: host, port: port)
        Output.line("Wrote \(server.configuration). Start the server with:")
        Output.line("  nats-server -c \(server.configuration)")
        Output.line("Send the file \(server.certificate) to the members of the trip. Each of them types:")
        Output.line("  caravan mailbox add \(server.address) --code \(server.code) --certificates certificate.pem")
    }
}
