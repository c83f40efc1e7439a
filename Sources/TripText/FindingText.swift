package import TripService

/// What `caravan doctor` says of each finding: a name for programs, what is wrong, and what to do.
package struct FindingText: Hashable, Sendable {
    /// Stable; in `--json` alone.
    package let cause: String
    package let message: String
    package let remedy: String

    package init(_ finding: Finding) {
        (cause, message, remedy) =
            switch finding {
            case .home(let finding): Self.words(finding)
            case .clock(let finding): Self.words(finding)
            case .node(let finding): Self.words(finding)
            case .network(let finding): Self.words(finding)
            case .peer(let finding): Self.words(finding)
            case .picture(let finding): Self.words(finding)
            case .link(let finding): Self.words(finding)
            }
    }

    private typealias Words = (cause: String, message: String, remedy: String)

    private static func words(_ finding: HomeFinding) -> Words {
        switch finding {
        case .writableByOthers(let path):
            return (
                "writable_by_others", "other users of this machine can write to \(path)",
                "run `chmod go-w \(path)`"
            )
        case .unwritable(let path, let reason):
            return (
                "unwritable", "cannot write to \(path) (\(reason))",
                "check its permissions, or set CARAVAN_HOME to another folder"
            )
        case .diskFull(let path, let free):
            return (
                "disk_full", "the disk of \(path) is full (\(free >> 10) KiB free)",
                "free some space; until then you can read trips, but not change them"
            )
        case .diskNearlyFull(let path, let free):
            return (
                "disk_nearly_full", "the disk of \(path) is nearly full (\(free >> 10) KiB free)",
                "free some space; when it is full, you can read trips, but not change them"
            )
        case .storeDamaged(let trip, let reason):
            return (
                "store_damaged", "trip \(trip.prefix(6)) cannot be opened: \(reason)",
                "name the trip with `--trip \(trip.prefix(6))`"
            )
        case .storeSealed(let trip):
            return (
                "store_sealed", "trip \(trip.prefix(6)) has a passphrase, so its contents were not checked",
                "run this in a terminal, or set CARAVAN_PASSPHRASE_FILE to a file with the passphrase"
            )
        case .changesLost(let trip, let count):
            return (
                "changes_lost", "\(count) of your changes are missing in trip \(trip.prefix(6)): the disk lost them",
                "run `caravan up` near members who have them"
            )
        case .mailboxUnusable(let trip, let address, let reason):
            return (
                "mailbox_unusable", "mailbox \(address) of trip \(trip.prefix(6)) doesn't work: \(reason)",
                "then run `caravan mailbox test --trip \(trip.prefix(6))`"
            )
        case .mailboxNearlyFull(let trip, let address, let freeBytes):
            return (
                "mailbox_nearly_full",
                "mailbox \(address) of trip \(trip.prefix(6)) has only \(freeBytes >> 10) KiB of space left",
                "free some, or add another mailbox"
            )
        case .mailboxOpen(let trip, let address):
            return (
                "mailbox_open",
                "anyone who reaches mailbox \(address) of trip \(trip.prefix(6)) can list and fill it without a password",
                "set a password on the server, and add the mailbox again with it"
            )
        case .mailboxCluttered(let trip, let address, let clutter):
            return (
                "mailbox_cluttered", "mailbox \(address) of trip \(trip.prefix(6)) holds \(clutter.words)",
                clutter.advice
            )
        case .heldByAnother(let path, let process):
            return (
                "held_by_another", "another caravan process\(suffix(process)) has \(path) open",
                "stop that process"
            )
        }
    }

    private static func words(_ finding: ClockFinding) -> Words {
        let what =
            switch finding.witness {
            case .people(let names):
                "this machine's clock is \(span(finding.secondsBehind)) behind the clock of \(names.joined(separator: ", "))"
            case .files: "this home has files from \(span(finding.secondsBehind)) in the future"
            }
        return (
            "clock_behind", what, "set the wrong clock; the times you see and the expiry of invites depend on it"
        )
    }

    private static func words(_ finding: NodeFinding) -> Words {
        switch finding {
        case .none:
            return ("no_node", "no node is running", "start one with `caravan up` or `caravan up --detach`")
        case .stopped(let process):
            return (
                "node_stopped", "your node\(suffix(process)) is suspended",
                "resume it with `fg` in its terminal, or with `kill -CONT \(process)`"
            )
        case .notAnswering(let process):
            return (
                "node_not_answering", "your node\(suffix(process)) does not answer",
                "stop it and start it again" + (process.map { ": `kill \($0)`, then `caravan up`" } ?? "")
            )
        }
    }

    private static func words(_ finding: NetworkFinding) -> Words {
        switch finding {
        case .noAddress(let unplugged):
            return (
                "no_address",
                "this machine has no address on any network"
                    + (unplugged.isEmpty ? "" : " (no carrier on \(unplugged.joined(separator: ", ")))"),
                "join a Wi-Fi network or plug in a cable; a phone's hotspot works too"
            )
        case .routedElsewhere(let network, let interface):
            return (
                "routed_elsewhere", "traffic to your network \(network) goes through \(interface), probably a VPN",
                "turn it off, or exclude the local network from it (“allow LAN access”, “split tunnel”)"
            )
        case .routeRefused(let network, let reason):
            return (
                "route_refused", "this machine cannot send to your network \(network) (\(reason))",
                "check its firewall, its routes, and the kill switch of a VPN"
            )
        case .noBus(let reason):
            return (
                "no_bus", "D-Bus does not answer (\(reason)), so discovery does not work",
                "run `sudo systemctl start dbus avahi-daemon`, or do without discovery: `caravan up --peer HOST:PORT`"
            )
        case .noDaemon(let reason):
            return (
                "no_daemon", "avahi-daemon does not answer (\(reason)), so discovery does not work",
                "run `sudo apt install avahi-daemon` and `sudo systemctl start avahi-daemon`, or do without discovery: "
                    + "`caravan up --peer HOST:PORT`"
            )
        case .multicastNotSent(let interface, let reason):
            return (
                "multicast_not_sent", "this machine blocks outgoing multicast on \(interface) (\(reason))",
                "open UDP port 5353 for outgoing packets in its firewall, or do without discovery: "
                    + "`caravan up --peer HOST:PORT`"
            )
        case .multicastNotReceived(let interface):
            return (
                "multicast_not_received", "this machine blocks incoming multicast on \(interface)",
                "open UDP port 5353 in its firewall (`sudo ufw allow 5353/udp`), or do without discovery: "
                    + "`caravan up --peer HOST:PORT`"
            )
        case .multicastNotForwarded:
            return (
                "multicast_not_forwarded", "this network does not carry multicast between its machines",
                "join with --peer HOST:PORT, or turn off “multicast filter” or “IGMP snooping” on the router"
            )
        case .crowded:
            return (
                "crowded", "there are too many unknown names on this network; somebody may be flooding it",
                "find out which machine sends them, or use another network; meanwhile join with --peer HOST:PORT"
            )
        case .ownPortClosed(let address):
            return (
                "own_port_closed", "your node accepts no connections on its own address \(address)",
                "allow incoming TCP there in this machine's firewall"
            )
        case .neverReached(let port, let firewall):
            return (
                "never_reached",
                "your node has reached others, but nobody has reached it on port \(port) yet"
                    + (firewall.map { " (\($0) is running)" } ?? ""),
                "if others cannot connect, open a port and use it: "
                    + (firewall == "firewalld"
                        ? "`sudo firewall-cmd --add-port=4000/tcp`" : "`sudo ufw allow 4000/tcp`")
                    + ", then `caravan up --port 4000`"
            )
        }
    }

    private static func words(_ finding: PeerFinding) -> Words {
        switch finding {
        case .isolated(let address):
            return (
                "isolated", "a node is announced at \(address), but its machine does not answer",
                "use another network or a hotspot; this one may isolate its machines (“client isolation”, a guest Wi-Fi)"
            )
        case .portFiltered(let address):
            return (
                "peer_port_filtered", "a node is announced at \(address), but a firewall there or here blocks it",
                "allow incoming TCP there; its owner can run `caravan doctor` too"
            )
        case .portClosed(let address):
            return (
                "peer_port_closed", "stale announcement for \(address)",
                "no action needed, it expires within an hour"
            )
        }
    }

    private static func words(_ finding: PictureFinding) -> Words {
        switch finding {
        case .noDecoder(let reason):
            return (
                "no_picture_decoder", "photos cannot be attached (\(reason))",
                "install vipsthumbnail: sudo apt install libvips-tools"
            )
        case .noSandbox(let reason):
            return (
                "no_picture_sandbox", "pictures are decoded without a sandbox (\(reason))",
                "install bubblewrap: sudo apt install bubblewrap; it needs user namespaces"
            )
        }
    }

    private static func words(_ finding: LinkFinding) -> Words {
        switch finding {
        case .noFetcher(let reason):
            (
                "no_link_fetcher", "details of links cannot be fetched (\(reason))",
                "install them: sudo apt install curl bubblewrap; bubblewrap needs user namespaces"
            )
        }
    }

    private static func suffix(_ process: Int32?) -> String { process.map { " (process \($0))" } ?? "" }

    /// "40 seconds", "12 minutes", "3 hours", "40 days".
    private static func span(_ seconds: Int64) -> String {
        switch seconds {
        case ..<120: "\(seconds) seconds"
        case ..<7_200: "\(seconds / 60) minutes"
        case ..<172_800: "\(seconds / 3_600) hours"
        default: "\(seconds / 86_400) days"
        }
    }
}

extension TerminalText {
    /// The text of `caravan doctor`: a line for each finding, problems first.
    package static func findings(_ findings: [Finding]) -> String {
        let ordered = findings.filter(\.isProblem) + findings.filter { !$0.isProblem }
        let lines = ordered.map { finding in
            let text = FindingText(finding)
            return (finding.isProblem ? "Problem: " : "Note: ") + plain(text.message) + "; " + plain(text.remedy)
        }
        let isWell = findings.allSatisfy { !$0.isProblem }
        return (lines + (isWell ? ["No problems found"] : [])).map { $0 + "\n" }.joined()
    }
}

extension TripJSON {
    /// The object of `caravan doctor --json`: `well`, and of each of `findings` its `cause`, what is wrong (`message`), what
    /// to do (`remedy`), and whether it is a `problem`.
    package static func findings(_ findings: [Finding]) -> JSONValue {
        .object([
            "well": .bool(findings.allSatisfy { !$0.isProblem }),
            "findings": .array(
                findings.map { finding in
                    let text = FindingText(finding)
                    return .object([
                        "cause": .string(text.cause), "message": .string(text.message), "remedy": .string(text.remedy),
                        "problem": .bool(finding.isProblem),
                    ])
                }),
        ])
    }
}
