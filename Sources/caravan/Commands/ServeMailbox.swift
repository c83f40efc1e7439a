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

            With --new-password, it gives the server of an existing folder a new password, so that a removed member can't \
            use it any more.

            Examples:
              caravan mailbox serve ~/mailbox --host box.example.org
              caravan mailbox serve ~/mailbox --host box.example.org --new-password
            """)

    @Argument(help: "A folder that doesn't exist yet; with --new-password, the server's folder.")
    var folder: String

    @Option(
        help: ArgumentHelp("The name or IPv4 address by which members reach this machine.", valueName: "host"))
    var host: String

    @Option(help: ArgumentHelp("The port of the server; 4222 by default.", valueName: "port"))
    var port: UInt16?

    @Flag(help: "Replace the password in an existing folder.")
    var newPassword = false

    func validate() throws {
        guard newPassword, port != nil else { return }
        throw ValidationError("--new-password keeps the server's port; leave out --port")
    }

    func run() async throws {
        let folder = WholePath.of(folder)
        guard !newPassword else {
            let server = try MailboxServer(renewing: folder, host: host)
            Output.line(
                "Wrote a new password to \(server.configuration). Members who stay type, with their copy of the certificate:"
            )
            Output.line("  caravan mailbox add \(server.address) --code \(server.code) --certificates certificate.pem")
            Output.line(
                "The server takes the new password, and refuses the old one, after a reload or a restart:"
            )
            Output.line("  nats-server --signal reload=PID")
            return
        }
        let server = try await MailboxServer(folder: folder, host: host, port: port ?? 4_222)
        Output.line("Wrote \(server.configuration). Start the server with:")
        Output.line("  nats-server -c \(server.configuration)")
        Output.line("Send the file \(server.certificate) to the members of the trip. Each of them types:")
        Output.line("  caravan mailbox add \(server.address) --code \(server.code) --certificates certificate.pem")
    }
}
